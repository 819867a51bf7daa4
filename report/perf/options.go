package perf

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
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
	// MaxStack is the largest number of frames.
	MaxStack int
	// NoChains prints where samples were taken, and no call chains.
	NoChains bool
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
	if err := errors.Join(check(rec, changes), o.check(rec)); err != nil {
		return err
	}
	newAppender := func() func([]byte, *tracec.Event) ([]byte, error) { return newPrinter(job, rec, o, changes).append }
	o.InTurn(job)
	if groups(rec) { // whose lines depend on the sample before
		job.Workers = 1
	}
	shown := false
	err = r.Render(job.Workers, newAppender, func(block []byte) error {
		shown = shown || len(block) > 0
		_, err := job.Out.Write(block)
		return err
	})
	if !shown && err == nil {
		o.noteNothing(ctx, job)
	}
	return report.Tell(job, rec, err)
}

// noteNothing reports that no event is of the selection.
func (o *Options) noteNothing(ctx context.Context, job *report.Job) {
	words := strings.Fields(o.Chosen())
	more := len(words)
	for _, c := range o.Comms {
		words = append(words, "--comms "+c)
	}
	for _, n := range o.PIDs {
		words = append(words, fmt.Sprint("--pid ", n))
	}
	for _, n := range o.TIDs {
		words = append(words, fmt.Sprint("--tid ", n))
	}
	switch {
	case len(words) > more:
		job.Warn(selection.Nothing(job.Path, "event", strings.Join(words, " ")))
	case more > 0:
		job.Warn(job.Nothing(ctx, "event", &o.Options.Options))
	}
}

// check finds options that ask for what no event samples.
func (o *Options) check(rec *perf.Recording) error {
	var has perf.SampleType
	for _, e := range rec.Attrs() {
		has |= e.Attr.SampleType
	}
	if o.CPUs != nil && len(rec.Attrs()) > 0 && has&perf.HasCPU == 0 {
		return fmt.Errorf("--cpu: no event of %s samples it", rec.Name())
	}
	return nil
}

// selects reports whether a sample is of a selected thread.
func (o *Options) selects(e *tracec.Event) bool {
	return (len(o.Comms) == 0 || slices.Contains(o.Comms, e.Comm())) &&
		(len(o.PIDs) == 0 || slices.Contains(o.PIDs, e.Process())) &&
		(len(o.TIDs) == 0 || slices.Contains(o.TIDs, e.Task))
}
