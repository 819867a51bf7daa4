package perf

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// catalog returns the catalog of a recording.
func catalog(ctx context.Context, job *report.Job) (*selection.Catalog, error) {
	rec, err := sources.OpenPerf(ctx, &job.Job)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	return sources.PerfEvents(rec), nil
}

// list is tracec list.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	rec, err := sources.OpenPerf(ctx, &job.Job)
	if err != nil {
		return err
	}
	defer rec.Close()
	match, err := sources.PerfEvents(rec).Checked(o.Events)
	if err != nil {
		return err
	}
	r, err := tracec.NewReader(rec)
	if err != nil {
		return err
	}
	for t := range r.Types() {
		if !match(t.System, t.Name) {
			continue
		}
		if err = o.Each(listed(t, o.Fields)); err != nil {
			break
		}
	}
	return report.Tell(job, rec, err)
}

// info is tracec info.
func info(ctx context.Context, job *report.Job) (*facts.Info, error) {
	rec, err := sources.OpenPerf(ctx, &job.Job)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	f := facts.NewInfo("perf.data", rec)
	f.Described = int64(len(rec.Attrs()))
	head := rec.Info()
	f.Kernel, f.Compression = head.Release, compressionOf(head)
	if head.Version != "" {
		f.Recorder = "perf " + head.Version
	}
	out := appendHead(nil, head)
	for _, e := range rec.Attrs() {
		out = fmt.Appendf(out, "event %s: %d ids\n", e.Name, len(e.IDs))
	}
	var sum facts.Counts
	var bad []error
	for i, s := range rec.Streams(record.Options{Context: ctx}) {
		var t report.Tally
		err := count(s, &t)
		if ctx.Err() != nil {
			return nil, err
		}
		if err != nil {
			bad = append(bad, err)
		}
		file, all := rec.Files()[i], t.All()
		f.Add(facts.Stream{File: file.Path, Events: all.N, Bytes: facts.Number(file.Size)})
		out = fmt.Appendf(out, "%-32s %8d records, %d bytes\n", file.Path, all.N, file.Size)
		sum.Count += all.N
	}
	f.Recording = facts.Of(job.Path, "perf", rec)
	f.Text = fmt.Appendf(out, "%d records; %d damaged places, %d bytes left out\n", sum.Count, f.DamagePlaces,
		f.Skipped)
	return f, report.Tell(job, rec, errors.Join(bad...))
}

func count(s *perf.Stream, t *report.Tally) error {
	defer s.Close()
	return record.Only(s, 0).Run(func(r *record.Record, x *perf.Entry) error {
		t.Add(0, r.CPU, report.NoTask, r.Time)
		return nil
	})
}

// stat counts the selected records.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	rec, r, err := job.Events(ctx, o)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	t := report.Tally{Memory: job.Memory}
	at := rec.(*perf.Recording).At
	for e := range r.All() {
		x := e.Entry.(*perf.Entry)
		t.Add(uint32(x.Event.Index), e.CPU, int64(e.Task), e.Time)
		if e.Lost != 0 {
			t.Miss(e.Lost)
		}
	}
	s := &report.Stat{Recording: facts.Of(job.Path, "perf", rec)}
	s.Add(t.Buffer("", report.Names{
		Event: func(n uint32) report.EventName {
			e := at(int(n))
			system, name := e.Title()
			return report.EventName{System: system, Name: name, Text: e.Name}
		},
		Task: func(int64) string { return "" },
		Time: func(ns uint64) string { return string(render.Fixed(nil, ns/1000, 6)) },
	}))
	return s, report.Tell(job, rec, r.Err())
}

// listed returns the facts about a type, and about its fields if fields is set.
func listed(t *tracec.Type, fields bool) *facts.Event {
	f := &facts.Event{System: t.System, Name: t.Name}
	name := t.Name
	if t.System != "" {
		name = t.System + ":" + name
	}
	f.Line = append([]byte(name), '\n')
	if !fields {
		return f
	}
	f.Fields = []facts.Field{}
	for i := range t.Fields {
		x := &t.Fields[i]
		f.Fields = append(f.Fields, facts.Field{Name: x.Name, Type: x.Decl})
		f.Line = fmt.Appendf(f.Line, "         %-24s %s\n", x.Name, x.Decl)
	}
	return f
}
