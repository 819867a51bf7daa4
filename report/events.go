package report

import (
	"context"
	"errors"
	"strings"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/compiler/pattern"
	"github.com/tracec/tracec/runtime/record"
)

// Choice is how the events of a recording are chosen and read.
type Choice struct {
	Recording record.Recording
	Catalog   *Catalog
	Form      TimeForm
	// Read is what a Reader needs beside the recording, such as templates.
	Read []dynamic.Option
}

// Events opens the recording that a job is about, and returns it with a Reader of those of its events that options choose. The caller closes the
// recording, and calls Finish after that. The error is a *UsageError when options choose what the recording cannot have.
func (j *Job) Events(ctx context.Context, o *Options, more ...dynamic.Option) (record.Recording, *dynamic.Reader, error) {
	sys, err := j.Find(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := o.Check(sys); err != nil {
		return nil, nil, err
	}
	c, err := sys.Choose(ctx, j, o)
	if err != nil {
		return nil, nil, err
	}
	r, err := c.reader(ctx, o, more)
	if err != nil {
		return nil, nil, errors.Join(err, c.Recording.Close())
	}
	if len(j.progress.reading) == 0 { // Open did not say what is read
		j.Reads(r)
	}
	return c.Recording, r, nil
}

// reader returns a reader of what options choose.
func (c *Choice) reader(ctx context.Context, o *Options, more []dynamic.Option) (*dynamic.Reader, error) {
	if err := c.Catalog.Check(o); err != nil {
		return nil, err
	}
	records, err := o.Records(c.Form)
	if err != nil {
		return nil, err
	}
	records.Context = ctx
	records.CPUs = o.CPUs.Of(c.Catalog.CPUs)
	if len(o.Tasks) > 0 {
		ids, names, err := c.Catalog.FindTasks(o.Tasks)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			return nil, Usagef("--pid %s: only events say the names of threads of this recording; choose them by their ids", strings.Join(names, ","))
		}
		records.Tasks = ids
	}
	opts := append([]dynamic.Option{dynamic.WithRecords(records), dynamic.WithEvents(pattern.Split(o.Events)...)}, c.Read...)
	r, err := dynamic.NewReader(c.Recording, append(opts, more...)...)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return r, nil
}
