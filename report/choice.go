package report

import (
	"context"
	"errors"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/runtime/record"
)

// A Choice is a selection of a recording's events and the way to read them.
type Choice struct{ *sources.Choice }

// Choose opens the recording of a job for readers of the events that options select. The caller
// closes Choice.Recording, then calls Finish. The error is a *UsageError if options name something
// that the recording cannot have.
func (j *Job) Choose(ctx context.Context, o *Options) (*Choice, error) {
	c, err := j.Job.Choose(ctx, &o.Options)
	if err != nil {
		return nil, err
	}
	return &Choice{c}, nil
}

// Events is Choose for one reader.
func (j *Job) Events(ctx context.Context, o *Options, more ...dynamic.Option) (record.Recording, *dynamic.Reader, error) {
	c, err := j.Choose(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	r, err := c.Reader(record.Options{}, more...)
	if err != nil {
		return nil, nil, errors.Join(err, c.Recording.Close())
	}
	if !j.Reading() { // Open did not set the progress
		j.Reads(r)
	}
	return c.Recording, r, nil
}

// Reader returns a reader of the selected events that are also in the selection within. The context
// of within counts, if any. Several readers may be in use at once.
func (c *Choice) Reader(within record.Options, more ...dynamic.Option) (*dynamic.Reader, error) {
	opts := []dynamic.Option{
		dynamic.WithRecords(c.Within(within)), dynamic.WithEvents(c.Events...), dynamic.WithFilter(c.Filters...), dynamic.WithLimit(c.Limit),
		dynamic.WithTasks(c.Tasks...), dynamic.WithHooks(c.Templates, c.Layouts...),
	}
	r, err := dynamic.NewReader(c.Recording, append(opts, more...)...)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return r, nil
}
