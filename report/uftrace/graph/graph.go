// Package graph prints the text of uftrace graph: the call tree of a recording, merged over all
// calls, or the tree of processes and threads (uftrace.md 2.7).
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

// Options select the output. The zero value prints the whole graph with total times.
type Options struct {
	// Play are the filters.
	Play callstack.Options
	// Func selects the function whose callers and callees are printed. If empty, the whole graph is
	// printed.
	Func string
	// Fields is the value of -f: total, self, addr; with Task total, self, tid; none, all, or + and
	// more fields.
	Fields string
	// Task is --task: the tree of processes and threads.
	Task bool
	// SrcLine is --srcline.
	SrcLine bool
	// Color holds the colours of units and names of threads. If nil, there are no colours.
	Color *color.Palette
	// Like19 prints as uftrace 0.19 does. Thread ids are wider by one column, unless NarrowTID is
	// set, as before 0.17.
	Like19, NarrowTID bool

	// Name returns the name of a symbol. If nil, it is Symbol.Shown.
	Name func(*uftrace.Symbol) string
}

// Run prints the graph of a recording. If Func was not called, or there are no calls, it prints
// uftrace's text for that. Damage of the recording is in Recording.Damage. The error is from the
// options or from w.
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

// countDepth counts the levels of -D from Options.Func. Without Func, uftrace adds that trigger to
// _start, which then counts as a match of the triggers.
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

// found reports whether there is a graph to print.
func (b *builder) found() bool {
	for _, t := range b.trees {
		if t.shown(b.opts.Func) {
			return true
		}
	}
	return false
}
