package sources

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/perf/recorded"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	tracepoints "github.com/tracec/tracec/runtime/ftrace/layout"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/perf/layout"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/symbols/demangle"
)

// Perf is the source of perf.data.
func Perf() *Source {
	return &Source{
		Name: "perf", Title: "perf", Detect: detectPerf, Holds: isA[*perf.Recording], Span: spanPerf,
		Follows: true, Sure: detectPerf,
		Times: nanoseconds, Choose: choosePerf, Describe: describePerf,
		Open: func(ctx context.Context, job *Job) (record.Recording, error) { return opened(OpenPerf(ctx, job)) },
	}
}

// detectPerf recognizes a file by its magic bytes, and a directory by the magic bytes of its file
// data.
func detectPerf(p *input.Probe) bool {
	if p.Dir == nil {
		return perf.IsRecording(p.Head)
	}
	return perf.IsDirectory(p.Dir)
}

// OpenPerf opens a perf.data.
func OpenPerf(ctx context.Context, job *Job) (*perf.Recording, error) {
	in, err := job.Open(ctx, job.Path, Perf())
	if err != nil {
		return nil, err
	}
	form, ok := demangle.ParseForm(cmp.Or(job.Opening.Demangle, "simple"))
	if !ok {
		return nil, selection.Usagef("--demangle %s: want simple, full or no", job.Opening.Demangle)
	}
	opts := []perf.Option{
		perf.WithMemory(job.Memory), perf.WithDemangle(form), perf.WithKallsyms(job.Opening.Kallsyms),
		perf.WithSymfs(job.Opening.Symfs), perf.WithPath(in.Place),
	}
	if job.NoIndex {
		opts = append(opts, perf.WithIndex(""))
	}
	var rec *perf.Recording
	switch {
	case job.Follow != nil && in.File == nil:
		return nil, fmt.Errorf("%s %w: only the output of perf record -o - can be", in.Name, input.ErrFollow)
	case job.Follow != nil:
		rec, err = perf.OpenFollowed(in.File.Dir, in.File.Base, in.Name, *job.Follow, opts...)
	case in.Stream != nil:
		rec, err = perf.OpenReader(in.Stream, in.Name, opts...)
	case in.File != nil:
		rec, err = perf.OpenReaderAt(in.File, in.File.Size, in.Name, opts...)
	default:
		rec, err = perf.OpenFS(in.Dir, in.Name, opts...)
	}
	if err != nil {
		return nil, err
	}
	if rec.IndexErr() != nil {
		job.NoteIndex(rec)
	}
	job.Reads(rec)
	return rec, nil
}

func spanPerf(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	first, last, ok, err := Ends(ctx, rec.(*perf.Recording).Merge,
		func(_ *record.Record, x *perf.Entry) bool { return x.Event.HasTime() }, false)
	return &selection.Span{First: first, Last: last, Empty: !ok}, err
}

func choosePerf(ctx context.Context, job *Job, _ *selection.Options) (*Choice, error) {
	rec, err := OpenPerf(ctx, job)
	if err != nil {
		return nil, err
	}
	return &Choice{Recording: rec, Catalog: PerfEvents(rec)}, nil
}

// PerfEvents returns the catalog of a recording.
func PerfEvents(rec *perf.Recording) *selection.Catalog {
	c := &selection.Catalog{Recording: rec.Name(), Noun: "event"}
	told := map[string]bool{}
	for _, e := range rec.Events() {
		if !told[e.Name] {
			told[e.Name] = true
			system, name := e.Title()
			c.Events = append(c.Events, selection.Name{System: system, Name: name})
		}
	}
	return c
}

// describePerf compiles the selected tracepoints. If there are none, it compiles the samples and
// the types of records, which are read in another way and need a package of their own.
func describePerf(r record.Recording, events pattern.List) *Description {
	rec, chosen := r.(*perf.Recording), len(events) > 0
	catalog := PerfEvents(rec)
	events = catalog.In(events)
	wants := func(system, name string) bool { return events.Matches(system, name, "") }
	var d *Description
	if t := rec.Tracing(); t != nil && slices.ContainsFunc(rec.Attrs(),
		func(e *perf.Event) bool { return e.IsTracepoint() && wants(e.Title()) }) {
		d = describeFTrace(t, events)
		d.Recorded = tracepoints.Source(t)
		for _, e := range rec.Events() {
			if chosen && !e.IsTracepoint() && wants(e.Title()) {
				d.LeftOut = append(d.LeftOut, fmt.Errorf("%s: its records need a separate package: select them without tracepoints", e.Name))
			}
		}
	} else {
		d = &Description{Recorded: layout.Source(rec)}
		d.Unit, d.LeftOut = recorded.Unit(rec, wants)
	}
	d.Catalog, d.Noun, d.Parts = catalog, "events", "fields"
	d.Nothing = fmt.Errorf("%s: the recording has no event", rec.Name())
	return d
}
