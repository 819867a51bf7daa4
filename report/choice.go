package report

import (
	"context"
	"errors"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/runtime/record"
)

// A Choice is a selection of a recording's events and the way to read them.
type Choice struct{ *sources.Choice }

// Choose opens the recording of a job for readers of the selected events. The caller closes
// Choice.Recording, then calls Finish. The error is a *UsageError if options name something that
// the recording cannot have.
func (j *Job) Choose(ctx context.Context, o *Options) (*Choice, error) {
	c, err := j.Job.Choose(ctx, &o.Options)
	if err != nil {
		return nil, err
	}
	return &Choice{c}, nil
}

// Events is Choose for one reader.
func (j *Job) Events(ctx context.Context, o *Options, more ...tracec.Option) (record.Recording, *tracec.Reader, error) {
	c, err := j.Choose(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	r, err := j.Read(c, more...)
	if err != nil {
		return nil, nil, err
	}
	return c.Recording, r, nil
}

// Read returns a reader of a choice and sets the progress of the job. On an error it closes the
// recording.
func (j *Job) Read(c *Choice, more ...tracec.Option) (*tracec.Reader, error) {
	r, err := c.Reader(record.Options{}, more...)
	if err != nil {
		return nil, errors.Join(err, c.Recording.Close())
	}
	if !j.Reading() { // Open did not set the progress
		j.Reads(r)
	}
	return r, nil
}

// Whole returns a choice of the same processors and times, with all threads and events.
func (c *Choice) Whole() *Choice {
	whole := *c.Choice
	whole.Records.Tasks, whole.Tasks, whole.Events, whole.Filters, whole.Limit = nil, nil, nil, nil, 0
	return &Choice{&whole}
}

// Reader returns a reader of the selected events that are also in the selection within. It uses the
// context of within if it is non-nil. Several readers may be in use at once.
func (c *Choice) Reader(within record.Options, more ...tracec.Option) (*tracec.Reader, error) {
	opts := []tracec.Option{
		tracec.WithRecords(c.Within(within)), tracec.WithEvents(c.Events...),
		tracec.WithFilter(c.Filters...), tracec.WithLimit(c.Limit),
		tracec.WithTasks(c.Tasks...), tracec.WithHooks(c.Templates, c.Layouts...),
	}
	r, err := tracec.NewReader(c.Recording, append(opts, more...)...)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return r, nil
}
