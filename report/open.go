package report

import (
	"context"
	"errors"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/report/input"
	"github.com/tracec/tracec/runtime/record"
)

// Open opens a recording of one of systems: a file, a directory, or either packed. What the path
// holds is found out as the command does. Unwrap of the result is the recording of the container,
// such as *ftrace.Recording. Close also closes what the recording was unpacked to; its error says
// what an archive could not give, and what is wrong in templates.
//
// With says with what the recording is read; of several the last counts. Readers of package dynamic
// take templates and layouts of AIX from the result.
func Open(ctx context.Context, path string, systems []System, with ...OpenOptions) (record.Recording, error) {
	return open(ctx, path, systems, nil, with)
}

// Follow is [Open] of a recording that is still being written. It waits until there is enough to say what it is.
func Follow(ctx context.Context, path string, systems []System, f record.Follow, with ...OpenOptions) (record.Recording, error) {
	return open(ctx, path, systems, &f, with)
}

func open(ctx context.Context, path string, systems []System, f *record.Follow, with []OpenOptions) (record.Recording, error) {
	o := &opened{}
	o.job = &Job{Path: path, Systems: systems, Follow: f, Warn: func(err error) {
		if !errors.Is(err, input.ErrWaiting) {
			o.faults = append(o.faults, err)
		}
	}}
	if len(with) > 0 {
		o.job.Opening = with[len(with)-1]
	}
	sys, err := o.job.Find(ctx)
	switch {
	case err != nil:
	case sys.Describe != nil:
		o.Recording, err = sys.Open(ctx, o.job)
	default: // what describes the events is opened, too
		var c *Choice
		if c, err = sys.Choose(ctx, o.job, &Options{}); err == nil {
			o.Recording, o.read = c.Recording, c.Read
		}
	}
	if err != nil {
		return nil, errors.Join(err, o.job.Finish(nil))
	}
	return o, nil
}

// Opened returns what a container's Open returned, as the Open of a [System] does.
func Opened[R record.Recording](rec R, err error) (record.Recording, error) {
	if err != nil {
		return nil, err // and not a nil R
	}
	return rec, nil
}

// opened is a recording with the job that opened it.
type opened struct {
	record.Recording
	job    *Job
	faults []error
	read   []dynamic.Option
}

// Unwrap returns the recording of the container.
func (o *opened) Unwrap() record.Recording { return o.Recording }

// ReaderOptions returns what a Reader needs beside the recording.
func (o *opened) ReaderOptions() []dynamic.Option { return o.read }

// Close implements record.Recording.
func (o *opened) Close() error {
	err := o.Recording.Close()
	if e := o.job.Finish(nil); e != nil {
		err = errors.Join(append([]error{err, e}, o.faults...)...)
	}
	return err
}
