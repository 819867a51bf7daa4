package uftrace

import (
	"context"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// listCatalog returns the catalog of tracec list: functions with specs, and events.
func listCatalog(rec *uftrace.Recording) *selection.Catalog {
	c := &selection.Catalog{Recording: rec.Name(), Noun: "function with specs and no event"}
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			c.Events = append(c.Events, sources.FunctionName(s))
		}
	}
	c.Events = append(c.Events, sources.EventNames(rec)...)
	return c
}

// catalogOf returns a function that opens a recording and returns one of its catalogs.
func catalogOf(
	of func(*uftrace.Recording) *selection.Catalog,
) func(context.Context, *report.Job) (*selection.Catalog, error) {
	return func(ctx context.Context, job *report.Job) (*selection.Catalog, error) {
		rec, err := open(ctx, job)
		if err != nil {
			return nil, err
		}
		defer rec.Close()
		return of(rec), nil
	}
}

// choose converts a selection to filters, and checks it against the catalog.
func choose(c *selection.Catalog, o *report.Options) (f callstack.Options, err error) {
	if err := c.Check(&o.Options); err != nil {
		return f, err
	}
	if f.Scope.TIDs, _, err = c.FindTasks(o.Tasks); err != nil {
		return f, err
	}
	matches, err := matcherOf(c, o)
	if err != nil {
		return f, err
	}
	if matches != nil {
		f.Functions.Only = func(s *uftrace.Symbol) bool { return matches(sources.FunctionName(s)) }
	}
	f.Scope.Range, err = window(o)
	return f, err
}

// matcherOf returns a function that reports whether names of functions and events are selected. It
// returns nil if all are selected.
func matcherOf(c *selection.Catalog, o *report.Options) (func(selection.Name) bool, error) {
	if len(o.Events) == 0 {
		return nil, nil
	}
	match, err := c.Matcher(o.Events)
	if err != nil {
		return nil, err
	}
	return func(n selection.Name) bool { return match(n.System, n.Name) }, nil
}

// matchOf returns a function that reports whether records pass the filters. It returns nil without
// filters.
func matchOf(rec *uftrace.Recording, o *report.Options) (func(*record.Record, *uftrace.Entry) bool, error) {
	m, err := o.Matcher(rec)
	if m == nil {
		return nil, err
	}
	return func(r *record.Record, e *uftrace.Entry) bool { return m.Match(r, e) }, nil
}

// window returns the bounds of the time. Both bounds of a Range are inclusive.
func window(o *report.Options) (r callstack.Range, err error) {
	since, until, err := o.Window(selection.Nanoseconds)
	if err != nil {
		return r, err
	}
	if until == selection.NoEnd {
		return callstack.RangeOf(since, 0), nil
	}
	return callstack.RangeOf(since, max(until, 1)), nil // 0 means no end
}
