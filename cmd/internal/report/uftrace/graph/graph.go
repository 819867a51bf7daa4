// Package graph prints what uftrace graph prints: which function called which, merged over a recording, and which
// thread made which (uftrace.md 2.7).
package graph

import (
	"context"
	"fmt"
	"io"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/units"
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

// NotFoundError says that no function of the name was called, or with an empty name that nothing was.
type NotFoundError struct{ Func string }

func (e *NotFoundError) Error() string {
	if e.Func == "" {
		return "cannot find graph for '_start'\n\t please check your filter settings."
	}
	return fmt.Sprintf("cannot find graph for '%s'", e.Func)
}

// Run prints the graph of a recording. Damage of the recording is left to Recording.Damage; the error is of the options
// or of w, or a *NotFoundError.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	if opts.Task {
		return runTasks(ctx, rec, &opts, w)
	}
	b, err := build(ctx, rec, &opts)
	if err != nil {
		return err
	}
	if !b.found() {
		return &NotFoundError{opts.Func}
	}
	return b.print(w)
}

// found says whether there is anything to print.
func (b *builder) found() bool {
	for _, t := range b.trees {
		if b.opts.Func == "" || t.root.calls > 0 {
			return true
		}
	}
	return false
}

func appendTime(dst []byte, ns uint64) []byte { return units.AppendDuration(dst, ns) }
