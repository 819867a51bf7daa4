package sources

import (
	"context"
	"strings"

	"github.com/tracec/tracec/internal/folder"
	"github.com/tracec/tracec/internal/input"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// FTrace is the source of trace.dat and of copies of tracefs.
func FTrace() *Source {
	return &Source{
		Name: "ftrace", Title: "ftrace", Follows: true, Detect: detectFTrace, Extent: ftrace.Extent,
		Holds: isA[*ftrace.Recording], Span: spanFTrace, Times: timesFTrace, Pages: openPages, Choose: chooseFTrace,
		Describe: describeFTrace,
		Open: func(ctx context.Context, job *Job) (record.Recording, error) {
			return opened(OpenFTrace(ctx, job, job.Path, job.Memory))
		},
	}
}

// detectFTrace recognizes trace.dat by its magic bytes and a copy of tracefs by its header_page.
func detectFTrace(p *input.Probe) bool {
	return strings.HasPrefix(string(p.Head), "\x17\x08\x44tracing") || p.Has("events/header_page")
}

// OpenFTrace opens an input of a job for ftrace. memory is the maximum number of bytes that it may
// use.
func OpenFTrace(ctx context.Context, job *Job, path string, memory int64) (*ftrace.Recording, error) {
	if rec, ok := job.Recording.(*ftrace.Recording); ok {
		return rec, nil
	}
	in, err := job.Open(ctx, path, FTrace())
	opts := []ftrace.OpenOption{ftrace.WithMemory(memory)}
	if job.NoIndex {
		opts = append(opts, ftrace.WithIndex(""))
	}
	if job.Follow != nil {
		opts = append(opts, ftrace.WithFollow(*job.Follow))
	}
	switch {
	case err != nil:
		return nil, err
	case in.Stream != nil:
		return ftrace.OpenReader(in.Stream, in.Name, opts...)
	case in.File != nil:
		rec, err := ftrace.OpenReaderAt(in.File, in.File.Size, in.Name, append(opts, ftrace.WithPath(in.Place))...)
		if err == nil && rec.IndexErr() != nil {
			job.NoteIndex(rec)
		}
		return rec, err
	}
	if kernel := folder.Kernel(in.Dir); kernel != "" {
		job.Note("%s: the %s of this kernel; reading consumes its events; tracec live records them", in.Name, kernel)
	}
	return ftrace.OpenFS(in.Dir, in.Name, opts...)
}

// spanFTrace returns the times of the first and the last event.
func spanFTrace(ctx context.Context, rec record.Recording) (*selection.Span, error) {
	r := rec.(*ftrace.Recording)
	first, last, ok, err := Ends(ctx, func(o record.Options) *record.Merger[record.None] {
		return r.Merge(ftrace.StreamOptions{Options: o})
	}, func(*record.Record, *record.None) bool { return true }, false)
	return &selection.Span{First: first, Last: last, Empty: !ok, Form: FTraceForm(r)}, err
}

// FTraceForm returns the format of a recording's times.
func FTraceForm(rec *ftrace.Recording) selection.TimeForm {
	if rec.Machine().Ticks {
		return selection.Ticks
	}
	return selection.Microseconds
}

func timesFTrace(rec record.Recording) selection.Times {
	return selection.Times{Form: FTraceForm(rec.(*ftrace.Recording))}
}

// chooseFTrace opens a recording for callers that read its events themselves.
func chooseFTrace(ctx context.Context, job *Job, _ *selection.Options) (*Choice, error) {
	rec, err := OpenFTrace(ctx, job, job.Path, job.Memory)
	if err != nil {
		return nil, err
	}
	c := &selection.Catalog{Noun: "event", Recording: job.Path, CPUs: []int{}}
	AddFTrace(c, rec)
	return &Choice{Recording: rec, Catalog: c, Times: timesFTrace(rec)}, nil
}

// AddFTrace adds the event types, CPUs and threads of a recording to a catalog.
func AddFTrace(c *selection.Catalog, rec *ftrace.Recording) {
	for _, f := range rec.Formats() {
		c.Events = append(c.Events, selection.Name{System: f.System, Name: f.Name})
	}
	for cpu := range rec.Info().CPUs {
		c.CPUs = append(c.CPUs, cpu)
	}
	for _, b := range rec.Buffers() {
		for _, cpu := range b.CPUs {
			c.CPUs = append(c.CPUs, cpu.ID)
		}
	}
	c.Tasks = append(c.Tasks, selection.Task{ID: 0, Name: rec.Comm(0)})
	rec.Comms(func(pid int32, comm string) { c.Tasks = append(c.Tasks, selection.Task{ID: pid, Name: comm}) })
}
