// Package export writes a recording of uftrace in the formats of other viewers: Chrome's trace
// events, the folded stacks of flame graphs, graphviz and mermaid (uftrace.md 2.7).
package export

import (
	"context"
	"fmt"
	"io"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Format is an output format.
type Format uint8

// The formats.
const (
	Chrome   Format = iota // dump --chrome
	Flame                  // dump --flame-graph
	Graphviz               // dump --graphviz
	Mermaid                // dump --mermaid
)

// Options select the output.
type Options struct {
	Format Format
	Style  values.Style
	Play   callstack.Options
	// Name returns the name of a function. If nil, it is the simple name.
	Name func(*uftrace.Symbol) string
	// Sample is the duration of one count of a folded stack, in ns. 0 derives it from the length of
	// the recording.
	Sample uint64
	NoArgs bool // chrome: omit values
	// SrcLine adds the places of functions in the source to chrome's events. It has no effect in
	// the style of 0.13.
	SrcLine bool
	// Shown is set if there is a call to write. It may be nil.
	Shown *bool
	// Exact corrects errors of uftrace, which are otherwise reproduced for identical text. uftrace
	// loses the place in the call tree where a thread was preempted, and it truncates counts of
	// folded stacks (see of and appendCount).
	Exact bool
}

// versions holds the name and version of the tool, as it writes them into the files.
var versions = map[values.Style]string{
	values.V013: "uftrace v0.13 ( x86_64 dwarf python3 luajit tui perf sched dynamic )",
	values.V014: "uftrace v0.19 ( x86_64 dwarf python3 luajit tui perf sched dynamic kernel )",
	values.V019: "uftrace v0.19 ( x86_64 dwarf python3 luajit tui perf sched dynamic kernel )",
}

// Run writes the recording to w.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	if opts.Name == nil {
		opts.Name = (*uftrace.Symbol).Shown
	}
	switch opts.Format {
	case Chrome:
		return chrome(ctx, rec, &opts, w)
	case Flame:
		return flame(ctx, rec, &opts, w)
	case Graphviz:
		return graphviz(ctx, rec, &opts, w)
	case Mermaid:
		return mermaid(ctx, rec, &opts, w)
	}
	return fmt.Errorf("no such format: %d", opts.Format)
}

// end returns the end time of calls that are open at the end of the recording. It is the time of
// the thread's last record, or the end of --time-range. If that bound is an elapsed time, it
// precedes every call, as in uftrace.
func (o *Options) end(last uint64) uint64 {
	if to := o.Play.Scope.Range.To; to != 0 {
		return min(last, to)
	}
	return last
}

// place is the effect of a record on the call tree. Schedules are calls of a function
// linux:schedule.
type place uint8

const (
	nowhere place = iota
	begins
	ends
)

// schedule is the name of time off the processor.
const schedule = "linux:schedule"

// of returns the effect of an event. In uftrace a sched-out by preemption does not begin a call,
// but the sched-in after it ends one. With Exact it also begins linux:schedule.
func (o *Options) of(r *record.Record) place {
	switch r.ID {
	case callstack.SchedOut:
		return begins
	case callstack.SchedOutPreempt:
		if o.Exact {
			return begins
		}
	case callstack.SchedIn:
		return ends
	}
	return nowhere
}
