package sources

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/runtime/lttng/layout"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// LTTng is the source of traces of LTTng before CTF, and of sets of them.
func LTTng() *Source {
	return &Source{
		Name: "lttng", Title: "LTTng", Follows: true, Detect: detectLTTng,
		Holds: isA[*lttng.Recording], Span: spanLTTng, Times: nanoseconds, Choose: chooseLTTng, Describe: describeLTTng,
		Open: func(ctx context.Context, job *Job) (record.Recording, error) { return opened(OpenLTTng(ctx, job)) },
	}
}

// detectLTTng recognizes the directories of traces, by the magic number of their files, and
// directories of sets of traces.
func detectLTTng(p *input.Probe) bool {
	return p.Dir != nil && (lttng.IsTrace(p.Dir) || lttng.IsSet(p.Dir))
}

// OpenLTTng opens the input of a job: a trace or a set of traces. The job closes its unpacked copy.
func OpenLTTng(ctx context.Context, job *Job, opts ...lttng.Option) (*lttng.Recording, error) {
	in, err := job.Open(ctx, job.Path, LTTng())
	switch {
	case err != nil:
		return nil, err
	case in.Dir == nil:
		return nil, in.Unknown()
	}
	opts = append(slices.Clone(opts), lttng.WithMemory(job.Memory))
	switch d := job.Opening.Dialect; d {
	case "", "auto":
	case "seed":
		opts = append(opts, lttng.WithDialect(lttng.Seed))
	default:
		return nil, selection.Usagef("--dialect %s: want auto or seed", d)
	}
	if dir := job.Opening.EventDefs; dir != "" {
		opts = append(opts, lttng.WithEventDefs(dir))
	}
	if job.Follow != nil {
		opts = append(opts, lttng.WithFollow(*job.Follow))
	}
	if job.NoIndex {
		opts = append(opts, lttng.WithIndex(""))
	}
	rec, err := lttng.OpenFS(in.Dir, in.Name, append(opts, lttng.WithPath(in.Place))...)
	if err != nil {
		return nil, err
	}
	if rec.IndexErr() != nil {
		job.NoteIndex(rec)
	}
	if job.Opening.Dialect != "seed" && isSeed(rec, in.Dir, in.Name) {
		job.Note("%s: --dialect seed reads it, with the layout of the document of 2008; it cannot be distinguished from 1.0", in.Name)
	}
	job.Reads(rec)
	return rec, nil
}

// isSeed reports whether a trace has damaged descriptions when read as 1.0, but intact ones in the
// dialect Seed.
func isSeed(rec *lttng.Recording, dir fs.FS, name string) bool {
	traces := rec.Traces()
	if len(rec.Damage()) == 0 || len(traces) == 0 || traces[0].Info().Dialect != lttng.V10 {
		return false
	}
	seed, err := lttng.OpenFS(dir, name, lttng.WithDialect(lttng.Seed), lttng.WithIndex(""))
	if err != nil {
		return false
	}
	defer seed.Close()
	return len(seed.Damage()) == 0 && len(seed.Markers()) > len(rec.Markers())
}

// spanLTTng returns the times of the first and the last event.
func spanLTTng(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	first, last, ok, err := Ends(ctx, rec.(*lttng.Recording).Merge,
		func(*record.Record, *lttng.Entry) bool { return true }, false)
	return &selection.Span{First: first, Last: last, Empty: !ok}, err
}

// chooseLTTng opens a trace for callers that read its events themselves.
func chooseLTTng(ctx context.Context, job *Job, _ *selection.Options) (*Choice, error) {
	rec, err := OpenLTTng(ctx, job)
	if err != nil {
		return nil, err
	}
	return &Choice{Recording: rec, Catalog: Markers(rec)}, nil
}

// Markers returns the catalog of a trace.
func Markers(rec *lttng.Recording) *selection.Catalog {
	c := &selection.Catalog{Recording: rec.Name(), Noun: "marker", CPUs: []int{}, NamesLater: true}
	told := map[selection.Name]bool{} // most traces of a set describe the same events
	for _, m := range rec.Markers() {
		if name := (selection.Name{System: m.Channel, Name: m.Name, Separator: "."}); !told[name] {
			told[name] = true
			c.Events = append(c.Events, name)
		}
	}
	if !slices.ContainsFunc(rec.Markers(), func(m *lttng.Marker) bool { return m.Channel != "metadata" }) {
		c.Possible = func(string) bool { return true } // the descriptions are lost
	}
	for _, f := range rec.Files() {
		c.CPUs = append(c.CPUs, f.CPU)
	}
	slices.Sort(c.CPUs)
	c.CPUs = slices.Compact(c.CPUs)
	return c
}

// describeLTTng compiles the markers.
func describeLTTng(r record.Recording, events pattern.List) *Description {
	rec := r.(*lttng.Recording)
	catalog := Markers(rec)
	events = catalog.In(events)
	unit, errs := recorded.Unit(rec, func(channel, name string) bool { return events.Matches(channel, name, "") })
	return &Description{
		Recorded: layout.Source(rec),
		Unit:     unit, LeftOut: errs, Catalog: catalog, Noun: "markers", Parts: "fields",
		Nothing: fmt.Errorf("%s: the trace describes no marker", rec.Name()),
	}
}
