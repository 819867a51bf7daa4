package report

import (
	"context"
	"errors"
	"slices"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/runtime/record"
)

// A Choice is a selection of a recording's events and the way to read them.
type Choice struct {
	Recording record.Recording
	Catalog   *Catalog
	Form      TimeForm
	// Origin is the time of a record that reports print as 0.
	Origin uint64
	// Read holds the options of Readers beyond the recording, such as templates.
	Read []dynamic.Option

	records record.Options
	events  []string
	filters []string
	limit   int64
}

// Choose opens the recording of a job for readers of the events that options select. The caller
// closes Choice.Recording, then calls Finish. The error is a *UsageError if options name something
// that the recording cannot have.
func (j *Job) Choose(ctx context.Context, o *Options) (*Choice, error) {
	sys, err := j.Find(ctx)
	if err != nil {
		return nil, err
	}
	if o, err = j.Settle(ctx, sys, o); err != nil {
		return nil, err
	}
	c, err := sys.Choose(ctx, j, o)
	if err != nil {
		return nil, err
	}
	if err := c.prepare(ctx, o); err != nil {
		return nil, errors.Join(err, c.Recording.Close())
	}
	return c, nil
}

// Select returns a choice of other events of the recording of c, which was opened by j for sys.
func (c *Choice) Select(ctx context.Context, j *Job, sys *System, o *Options) (*Choice, error) {
	o, err := j.Settle(ctx, sys, o)
	if err != nil {
		return nil, err
	}
	other := *c
	other.Read = slices.Clip(c.Read)
	return &other, other.prepare(ctx, o)
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
	if len(j.progress.reading) == 0 { // Open did not set the progress
		j.Reads(r)
	}
	return c.Recording, r, nil
}

// prepare works out the selection of the options.
func (c *Choice) prepare(ctx context.Context, o *Options) (err error) {
	if err := c.Catalog.Check(o); err != nil {
		return err
	}
	if c.records, err = o.Records(c.Form); err != nil {
		return err
	}
	c.records = c.shift(c.records)
	c.records.Context = ctx
	if c.records.CPUs = o.CPUs.Of(c.Catalog.CPUs); c.Catalog.CPUs == nil {
		c.records.CPUs = o.CPUs.believed()
	}
	if len(o.Tasks) > 0 {
		ids, names, err := c.Catalog.FindTasks(o.Tasks)
		if err != nil {
			return err
		}
		if len(names) > 0 { // names that only events hold
			c.Read = append(c.Read, dynamic.WithTasks(ids, names...))
		} else {
			c.records.Tasks = ids
		}
	}
	c.events, c.filters, c.limit = pattern.Split(o.Events), o.Filters, o.Limit
	return nil
}

// shift makes a window of times as reports print them one of times of records.
func (c *Choice) shift(r record.Options) record.Options {
	for _, t := range []*uint64{&r.Since, &r.Until} {
		if *t > 1 || *t == 1 && r.Since != NoEnd { // Since NoEnd, Until 1: an empty window; Until 0: unbounded
			*t += min(c.Origin, NoEnd-*t)
		}
	}
	return r
}

// Reader returns a reader of the selected events that are also in the selection within. The context
// of within counts, if any. Several readers may be in use at once.
func (c *Choice) Reader(within record.Options, more ...dynamic.Option) (*dynamic.Reader, error) {
	opts := []dynamic.Option{dynamic.WithRecords(intersection(c.records, within)), dynamic.WithEvents(c.events...), dynamic.WithFilter(c.filters...), dynamic.WithLimit(c.limit)}
	r, err := dynamic.NewReader(c.Recording, append(append(opts, c.Read...), more...)...)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return r, nil
}

// intersection returns the options that select the records that both a and b select.
func intersection(a, b record.Options) record.Options {
	a.Since = max(a.Since, b.Since)
	if a.Until == 0 || b.Until != 0 && b.Until < a.Until {
		a.Until = b.Until
	}
	if a.Until != 0 && a.Until <= a.Since { // nothing
		a.Since, a.Until = NoEnd, 1
	}
	a.CPUs, a.Tasks, a.IDs = common(a.CPUs, b.CPUs), common(a.Tasks, b.Tasks), common(a.IDs, b.IDs)
	if b.Context != nil {
		a.Context = b.Context
	}
	return a
}

// common returns the elements of both lists. A nil list holds all values.
func common[T comparable](a, b []T) []T {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	both := []T{}
	for _, x := range a {
		if slices.Contains(b, x) {
			both = append(both, x)
		}
	}
	return both
}
