package perf

import (
	"cmp"
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
	// Like is the version of perf whose text is printed: 6.1, 6.12 or 7.2. If empty, it is the
	// version of the recorder.
	Like string
	// MaxStack is the largest number of frames. NoChains prints no call chains.
	MaxStack int
	// Header is printed before the events.
	Header HeaderText
	// Comms, PIDs and TIDs select samples. Empty lists select all.
	Comms      []string
	PIDs, TIDs []int32
	// Symbols and Modules select samples by the function and the file of their address.
	Symbols, Modules []string
	// StopAt are the functions after which call chains end.
	StopAt []string
	// Times are the times of samples: BEGIN,END, 10%/2 or 10%-20%, and lists of them.
	Times string
	// Relative prints times since the first line, Delta since the previous line.
	Relative, Delta bool
	// Latency prints short names and processors, in the form of latency tracers.
	Latency bool

	ranges []timeRange // of Times
}

// Values of MaxStack.
const (
	DefaultMaxStack = 127 // without an option
	NoChains        = -1
)

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
	d := newDefaults(rec, o, changes, likeOf(rec, o.Like).old)
	if err := cmp.Or(checkFields(job, rec, changes, d), o.checkCPUs(rec)); err != nil {
		return err
	}
	if err := printHeader(ctx, job, rec, likeOf(rec, o.Like), o.Header); err != nil {
		return err
	}
	o.ranges, err = parseRanges(o.Times, rec.Info().First, rec.Info().Last)
	if err != nil {
		return err
	}
	if len(o.ranges) > 0 && timed(rec) {
		first := slices.MinFunc(o.ranges, func(a, b timeRange) int { return cmp.Compare(a.from, b.from) })
		r.SamplesSince(first.from)
	}
	newAppender := func() func([]byte, *tracec.Event) ([]byte, error) {
		return newPrinter(job, rec, o, changes, d).append
	}
	o.InTurn(job)
	if reads(rec) || o.followed(rec, changes, d) { // lines depend on earlier records
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

// timed reports whether all samples have a time.
func timed(rec *perf.Recording) bool {
	return !slices.ContainsFunc(rec.Attrs(), func(e *perf.Event) bool { return !e.HasTime() })
}

// followed reports whether lines depend on earlier lines.
func (o *Options) followed(rec *perf.Recording, changes []change, d defaults) bool {
	for _, e := range rec.Attrs() {
		if d.fields(e, changes)&(FieldDataSource|FieldCgroup) != 0 {
			return true
		}
	}
	return o.Relative || o.Delta
}
