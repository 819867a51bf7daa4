package perf

import (
	"context"
	"slices"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/perf"
)

// Options are the options of perf script.
type Options struct {
	report.Options // events, filters, times and processors
	// Fields are the arguments of -F, in their order.
	Fields []string
	// Nanoseconds prints times with nine digits.
	Nanoseconds bool
	// Sides are the side-band records that are printed.
	Sides Sides
	// Like is the version of perf whose text is printed: 6.1, 6.12 or 7.2. "" is that of the
	// recorder.
	Like string
	// MaxStack is the largest number of frames. 0 prints no call chains.
	MaxStack int
	// Header is printed in front of the events.
	Header HeaderText
	// Comms, PIDs and TIDs select samples. Empty lists select all.
	Comms      []string
	PIDs, TIDs []int32
}

// DefaultMaxStack is MaxStack without an option.
const DefaultMaxStack = 127

// Script prints a recording as perf script does.
func Script(ctx context.Context, job *report.Job, o *Options) error {
	var changes []change
	for _, text := range o.Fields {
		c, err := ParseFields(text)
		if err != nil {
			return err
		}
		changes = append(changes, c)
	}
	opened, r, err := job.Events(ctx, &o.Options, tracec.WithThreads())
	if err != nil {
		return err
	}
	rec := opened.(*perf.Recording)
	defer rec.Close()
	if err := check(rec, changes); err != nil {
		return err
	}
	if err := printHeader(ctx, job, rec, likeOf(rec, o.Like), o.Header); err != nil {
		return err
	}
	newAppender := func() func([]byte, *tracec.Event) ([]byte, error) { return newPrinter(job, rec, o, changes).append }
	o.InTurn(job)
	if groups(rec) { // whose lines depend on the sample before
		job.Workers = 1
	}
	err = r.Render(job.Workers, newAppender, func(block []byte) error {
		_, err := job.Out.Write(block)
		return err
	})
	return report.Tell(job, rec, err)
}

// selects reports whether a sample is of a selected thread.
func (o *Options) selects(e *tracec.Event) bool {
	return (len(o.Comms) == 0 || slices.Contains(o.Comms, e.Comm())) &&
		(len(o.PIDs) == 0 || slices.Contains(o.PIDs, e.Process())) &&
		(len(o.TIDs) == 0 || slices.Contains(o.TIDs, e.Task))
}
