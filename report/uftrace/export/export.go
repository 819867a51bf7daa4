// Package export writes a recording of uftrace in the formats of other viewers: Chrome's trace events, the folded stacks
// of flame graphs, graphviz and mermaid (uftrace.md 2.7).
package export

import (
	"context"
	"errors"
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
	Format  Format
	Style   values.Style
	Filters callstack.Options
	// Name is how a function is called; nil means by its simple name.
	Name func(*uftrace.Symbol) string
	// Sample is what one count of a folded stack stands for, in ns; 0 goes by the length of the recording.
	Sample uint64
	NoArgs bool // chrome without values
	// SrcLine adds to chrome's events where a function is in its source. 0.13 does not.
	SrcLine bool
	// Shown is set when there is a call to write; may be nil.
	Shown *bool
	// Exact corrects what uftrace gets wrong, and what is repeated by default to write the same text: that it loses the
	// place in the calls where a thread was pre-empted, and that it cuts counts of folded stacks (see preempted, appendCount).
	Exact bool
}

// versions is how the tool calls itself, which it writes into the files.
var versions = map[values.Style]string{
	values.V013: "uftrace v0.13 ( x86_64 dwarf python3 luajit tui perf sched dynamic )",
	values.V019: "uftrace v0.19 ( x86_64 dwarf python3 luajit tui perf sched dynamic kernel )",
}

// Run writes the recording to w.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	if opts.Name == nil {
		opts.Name = func(s *uftrace.Symbol) string { return s.Simple }
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

// player plays the recording as the tool does here: one record after the other, without the looks ahead of replay.
// watch sees every record that is read.
func (o *Options) player(rec *uftrace.Recording, watch func(int, *record.Record, *uftrace.Entry)) (*callstack.Player, error) {
	f := o.Filters
	f.Single, f.Watch, f.EarlyZero = true, watch, o.Format == Chrome
	return callstack.New(rec, f)
}

// closes reports whether calls that are open at the end are closed there: not when tracing is off.
func (o *Options) closes(p *callstack.Player) bool { return !p.Off() }

// end returns when the open calls of a thread are taken to end whose last record was read at a time: then, or at the end of
// --time-range. As in uftrace that is before every call when it counts from the first record.
func (o *Options) end(last uint64) uint64 {
	if to := o.Filters.Range.To; to != 0 {
		return min(last, to)
	}
	return last
}

// walk plays the recording. The error is of show, or names all files that could not be read to their end.
func (o *Options) walk(ctx context.Context, p *callstack.Player, show func(*callstack.Step) error) error {
	var errs []error
	for n := 0; ; n++ {
		if n&0xfff == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		step, err := p.Next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return errors.Join(errs...)
			}
			errs = append(errs, err)
			continue
		}
		if o.Shown != nil {
			*o.Shown = true
		}
		if err := show(step); err != nil {
			return err
		}
	}
}

// place is what a step means for the calls that are written: schedules are calls of a function linux:schedule.
type place uint8

const (
	nowhere place = iota
	begins
	ends
)

// schedule is how the time off the processor is called.
const schedule = "linux:schedule"

// of says what a step means. A pre-empted sched-out does not begin anything in uftrace, while the sched-in after it ends
// something; Exact makes it begin linux:schedule as well.
func (o *Options) of(s *callstack.Step) place {
	switch s.Entry.Kind {
	case uftrace.Enter:
		return begins
	case uftrace.Leave:
		return ends
	case uftrace.Event:
		switch s.Record.ID {
		case callstack.SchedOut:
			return begins
		case callstack.SchedOutPreempt:
			if o.Exact {
				return begins
			}
		case callstack.SchedIn:
			return ends
		}
	}
	return nowhere
}
