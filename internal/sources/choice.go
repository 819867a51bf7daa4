package sources

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// A Choice is a selection of an open recording's events.
type Choice struct {
	Recording record.Recording
	Catalog   *selection.Catalog
	selection.Times
	// Templates and Layouts describe the events of a recording of AIX.
	Templates *trcfmt.Result
	Layouts   []aix.Layout

	// Records, Events, Filters, Tasks and Limit are the selection. Tasks is set if only events hold
	// the names of threads. It then has all selected threads, and Records has none.
	Records         record.Options
	Events, Filters []string
	Tasks           []string
	Limit           int64
}

// Choose opens the recording of a job and selects its events. The caller closes Choice.Recording,
// then calls Finish. The error is a *selection.UsageError if options name something that the
// recording cannot have.
func (j *Job) Choose(ctx context.Context, o *selection.Options) (*Choice, error) {
	src, err := j.Find(ctx)
	if err != nil {
		return nil, err
	}
	if o, err = j.Settle(ctx, src, o); err != nil {
		return nil, err
	}
	c, err := src.Choose(ctx, j, o)
	if err != nil {
		return nil, err
	}
	if err := c.prepare(ctx, o); err != nil {
		return nil, errors.Join(err, c.Recording.Close())
	}
	return c, nil
}

// Select returns a choice of other events of the recording of c, which j has opened for src.
func (c *Choice) Select(ctx context.Context, j *Job, src *Source, o *selection.Options) (*Choice, error) {
	o, err := j.Settle(ctx, src, o)
	if err != nil {
		return nil, err
	}
	other := *c
	return &other, other.prepare(ctx, o)
}

// Within returns the options for records of the choice that are also in the selection within. It
// uses the context of within if it is non-nil.
func (c *Choice) Within(within record.Options) record.Options {
	return intersection(c.Records, within)
}

// prepare computes the selection of the options.
func (c *Choice) prepare(ctx context.Context, o *selection.Options) (err error) {
	c.Tasks = nil
	if err := c.Catalog.Check(o); err != nil {
		return err
	}
	if c.Records, err = o.Records(c.Form); err != nil {
		return err
	}
	c.Records = c.Shift(c.Records)
	c.Records.Context = ctx
	if c.Records.CPUs = o.CPUs.Of(c.Catalog.CPUs); c.Catalog.CPUs == nil {
		c.Records.CPUs = o.CPUs.Believed()
	}
	if len(o.Tasks) > 0 {
		ids, names, err := c.Catalog.FindTasks(o.Tasks)
		if err != nil {
			return err
		}
		if len(names) > 0 { // names that only events hold
			c.Tasks = names
			for _, id := range ids {
				c.Tasks = append(c.Tasks, strconv.Itoa(int(id)))
			}
		} else {
			c.Records.Tasks = ids
		}
	}
	c.Events, c.Filters, c.Limit = pattern.Split(o.Events), o.Filters, o.Limit
	return nil
}

// intersection returns the options that select the records that both a and b select.
func intersection(a, b record.Options) record.Options {
	a.Since = max(a.Since, b.Since)
	if a.Until == 0 || b.Until != 0 && b.Until < a.Until {
		a.Until = b.Until
	}
	if a.Until != 0 && a.Until <= a.Since { // an empty window
		a.Since, a.Until = selection.NoEnd, 1
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
