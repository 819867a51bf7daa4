// Package graph prints what uftrace graph prints: which function called which, merged over a recording, and which
// thread made which (uftrace.md 2.7).
package graph

import (
	"context"
	"io"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Options choose what is shown. The zero value is the whole graph with total times.
type Options struct {
	// Play are the filters.
	Play play.Options
	// Func is the function whose callers and callees are shown; empty is the whole graph.
	Func string
	// Fields is the value of -f: total, self, addr; with Task total, self, tid; none, all, or + and more.
	Fields string
	// Task is --task: the tree of processes and threads.
	Task bool
	// SrcLine is --srcline.
	SrcLine bool
	// Like19 prints as uftrace 0.19 does: thread ids are a column wider.
	Like19 bool

	// Name is the name that a symbol is shown by (--demangle); nil takes Symbol.Simple.
	Name func(*uftrace.Symbol) string
}

// Run prints the graph of a recording.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error { return nil }
