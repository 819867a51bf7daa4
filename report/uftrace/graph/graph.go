// Package graph prints the text of uftrace graph: which function called which, merged over a
// recording, and which thread made which (uftrace.md 2.7).
package graph

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Options choose what is shown. The zero value is the whole graph with total times.
type Options struct {
	// Play are the filters.
	Play callstack.Options
	// Func is the function whose callers and callees are shown; empty is the whole graph.
	Func string
	// Fields is the value of -f: total, self, addr; with Task total, self, tid; none, all, or + and
	// more.
	Fields string
	// Task is --task: the tree of processes and threads.
	Task bool
	// SrcLine is --srcline.
	SrcLine bool
	// Color colours units and the names of threads; nil does not.
	Color *color.Palette
	// Like19 prints as uftrace 0.19 does: thread ids are a column wider, unless NarrowTID is set,
	// as before 0.17.
	Like19, NarrowTID bool

	// Name is the name that a symbol is shown by; nil takes Symbol.Shown.
	Name func(*uftrace.Symbol) string
}

// Run prints the graph of a recording. When no function of the name was called, or none at all, it
// says so in the words of uftrace, which are part of the output. Damage of the recording is left to
// Recording.Damage; the error is of the options or of w.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	if opts.Play.Limits.Depth > 0 {
		opts.countDepth(rec)
	}
	if err := callstack.WriteMissed(w, rec, opts.Play); err != nil {
		return err
	}
	if opts.Task {
		return runTasks(ctx, rec, &opts, w)
	}
	b, err := build(ctx, rec, &opts)
	if err != nil {
		return err
	}
	if !b.found() {
		return notFound(&opts, w)
	}
	return b.print(w)
}

// countDepth counts the levels of -D from the function that is asked for. Without one uftrace adds
// that trigger to _start, where it counts as a match of the triggers.
func (o *Options) countDepth(rec *uftrace.Recording) {
	function, module := o.Func, ""
	if function == "" {
		function = "_start"
	}
	if !slices.ContainsFunc(rec.Symbols(), func(s *uftrace.Symbol) bool {
		return s.Simple == function &&
			!s.InKernel()
	}) {
		module = "kernel,"
	}
	trigger := fmt.Sprintf("%s@%sdepth=%d", function, module, o.Play.Limits.Depth)
	o.Play.Functions.Triggers = append(slices.Clone(o.Play.Functions.Triggers), trigger)
	if o.Func != "" {
		o.Play.Limits.Depth = 0
	}
}

func notFound(opts *Options, w io.Writer) error {
	name := opts.Func
	if name == "" {
		name = "_start"
	}
	text := fmt.Sprintf("uftrace: cannot find graph for '%s'\n", name)
	if o := &opts.Play; len(o.Functions.Filters)+len(o.Functions.NoTrace)+len(o.Functions.Triggers) > 0 ||
		o.Limits.Depth > 0 || o.Limits.Time > 0 {
		text += "\t please check your filter settings.\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// found reports whether there is anything to print.
func (b *builder) found() bool {
	for _, t := range b.trees {
		if t.shown(b.opts.Func) {
			return true
		}
	}
	return false
}
