package sources

import (
	"context"

	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// Perf is the source of perf.data.
func Perf() *Source {
	return &Source{
		Name: "perf", Title: "perf", Detect: detectPerf, Holds: isA[*perf.Recording], Span: spanPerf, Times: nanoseconds, Choose: choosePerf,
		NoIndex: "perf.data is not indexed",
		Open:    func(ctx context.Context, job *Job) (record.Recording, error) { return opened(OpenPerf(ctx, job)) },
	}
}

// detectPerf recognizes a file by its magic bytes, and a directory by those of its file data.
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
	var rec *perf.Recording
	switch opt := perf.WithMemory(job.Memory); {
	case in.Stream != nil:
		rec, err = perf.OpenReader(in.Stream, in.Name, opt)
	case in.File != nil:
		rec, err = perf.OpenReaderAt(in.File, in.File.Size, in.Name, opt)
	default:
		rec, err = perf.OpenFS(in.Dir, in.Name, opt)
	}
	if err == nil {
		job.Reads(rec)
	}
	return rec, err
}

func spanPerf(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	first, last, ok, err := Ends(ctx, rec.(*perf.Recording).Merge, func(_ *record.Record, x *perf.Entry) bool { return x.Event.HasTime() }, false)
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
