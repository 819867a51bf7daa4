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

// Format is what is written.
type Format uint8

// The formats.
const (
	Chrome   Format = iota // dump --chrome
	Flame                  // dump --flame-graph
	Graphviz               // dump --graphviz
	Mermaid                // dump --mermaid
)

// Options choose what is written.
type Options struct {
	Format Format
	Style  values.Style
	Play   callstack.Options
	// Name is how a function is called; nil means by its simple name.
	Name func(*uftrace.Symbol) string
	// Sample is what one count of a folded stack stands for, in ns; 0 goes by the length of the
	// recording.
	Sample uint64
	NoArgs bool // chrome without values
	// SrcLine adds to chrome's events where a function is in its source. 0.13 does not.
	SrcLine bool
	// Shown is set when there is a call to write; may be nil.
	Shown *bool
	// Exact corrects what uftrace gets wrong, and what is repeated by default to write the same
	// text: that it loses the place in the calls where a thread was pre-empted, and that it cuts
	// counts of folded stacks (see preempted, appendCount).
	Exact bool
}

// versions is how the tool calls itself, which it writes into the files.
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

// end returns when the open calls of a thread are taken to end whose last record was read at a
// time: then, or at the end of --time-range. As in uftrace that is before every call when it counts
// from the first record.
func (o *Options) end(last uint64) uint64 {
	if to := o.Play.Scope.Range.To; to != 0 {
		return min(last, to)
	}
	return last
}

// place is what a record means for the calls that are written: schedules are calls of a function
// linux:schedule.
type place uint8

const (
	nowhere place = iota
	begins
	ends
)

// schedule is how the time off the processor is called.
const schedule = "linux:schedule"

// of says what an event that is shown means. A pre-empted sched-out does not begin anything in
// uftrace, while the sched-in after it ends something; Exact makes it begin linux:schedule as well.
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
