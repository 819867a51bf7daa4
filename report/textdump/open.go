package textdump

import (
	"context"
	"slices"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Trace is an open trace.
type Trace struct {
	*lttng.Recording
}

// Open opens what a job is about: a trace or a set of traces. The job closes what it was unpacked to.
func Open(ctx context.Context, job *report.Job, opts ...lttng.Option) (*Trace, error) {
	in, err := job.Open(ctx, job.Path, System())
	switch {
	case err != nil:
		return nil, err
	case in.Dir == nil:
		return nil, in.Unknown()
	}
	rec, err := lttng.OpenFS(in.Dir, in.Name, append(slices.Clone(opts), lttng.WithMemory(job.Memory))...)
	if err != nil {
		return nil, err
	}
	job.Reads(rec)
	return &Trace{rec}, nil
}

// openAny opens what a job is about, as a recording of any kind.
func openAny(ctx context.Context, job *report.Job) (record.Recording, error) {
	t, err := Open(ctx, job)
	if err != nil {
		return nil, err
	}
	return t.Recording, nil
}

// Tell prints what could not be read, and returns the error of the work: err, or that the trace is damaged.
func (t *Trace) Tell(job *report.Job, err error) error {
	return report.Tell(job, t, err)
}

// detect knows the directories of traces, by the magic number of their files, and of sets of traces.
func detect(p *report.Probe) bool {
	return p.Dir != nil && (lttng.IsTrace(p.Dir) || lttng.IsSet(p.Dir))
}
