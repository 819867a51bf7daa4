package uftrace

import (
	"context"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// functionCatalog is what tracec report chooses from: functions by their name or MODULE:FUNCTION,
// and all threads.
func functionCatalog(rec *uftrace.Recording) *report.Catalog {
	c := &report.Catalog{Recording: rec.Name(), Noun: "function", NoOthers: true, NoSystems: true}
	for _, s := range rec.Symbols() {
		c.Events = append(c.Events, functionName(s))
	}
	for _, t := range rec.Tasks() {
		c.Tasks = append(c.Tasks, report.Task{ID: t.TID, Name: t.Comm})
	}
	return c
}

// eventCatalog is what those choose from who have events by themselves: events, too.
func eventCatalog(rec *uftrace.Recording) *report.Catalog {
	c := functionCatalog(rec)
	c.Noun, c.NoSystems = "function or event", false
	c.Events = append(c.Events, eventNames(rec)...)
	return c
}

func eventNames(rec *uftrace.Recording) (list []report.Name) {
	for _, name := range rec.Events() {
		list = append(list, eventName(name))
	}
	return list
}

// eventName splits the name of an event.
func eventName(name string) report.Name {
	system, event, _ := strings.Cut(name, ":")
	return report.Name{System: system, Name: event}
}

// chooseEvents opens a recording for those who read its events by themselves.
func chooseEvents(ctx context.Context, job *report.Job, _ *report.Options) (*report.Choice, error) {
	rec, err := open(ctx, job)
	if err != nil {
		return nil, err
	}
	return &report.Choice{Recording: rec, Catalog: eventCatalog(rec)}, nil
}

func functionName(s *uftrace.Symbol) report.Name {
	return report.Name{System: moduleName(s), Name: s.Shown()}
}

func moduleName(s *uftrace.Symbol) string {
	if s.Module == nil {
		return ""
	}
	return s.Module.Name
}

// listCatalog is what tracec list prints: functions with specs, and events.
func listCatalog(rec *uftrace.Recording) *report.Catalog {
	c := &report.Catalog{Recording: rec.Name(), Noun: "function with specs and no event"}
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			c.Events = append(c.Events, functionName(s))
		}
	}
	c.Events = append(c.Events, eventNames(rec)...)
	return c
}

// catalogOf opens a recording for one of its catalogs.
func catalogOf(of func(*uftrace.Recording) *report.Catalog) func(context.Context, *report.Job) (*report.Catalog, error) {
	return func(ctx context.Context, job *report.Job) (*report.Catalog, error) {
		rec, err := open(ctx, job)
		if err != nil {
			return nil, err
		}
		defer rec.Close()
		return of(rec), nil
	}
}

// choose makes filters of what is chosen from a catalog, and checks it before anything is printed.
func choose(c *report.Catalog, o *report.Options) (f callstack.Options, err error) {
	if err := c.Check(o); err != nil {
		return f, err
	}
	if f.TIDs, _, err = c.FindTasks(o.Tasks); err != nil {
		return f, err
	}
	matches, err := matcherOf(c, o)
	if err != nil {
		return f, err
	}
	if matches != nil {
		f.Only = func(s *uftrace.Symbol) bool { return matches(functionName(s)) }
	}
	f.Range, err = window(o)
	return f, err
}

// matcherOf returns what decides which functions and events are chosen by their names, nil when all
// are.
func matcherOf(c *report.Catalog, o *report.Options) (func(report.Name) bool, error) {
	if len(o.Events) == 0 {
		return nil, nil
	}
	match, err := c.Matcher(o.Events)
	if err != nil {
		return nil, err
	}
	return func(n report.Name) bool { return match(n.System, n.Name) }, nil
}

// matchOf returns what decides about records by the filters, nil when there are none.
func matchOf(rec *uftrace.Recording, o *report.Options) (func(*record.Record, *uftrace.Entry) bool, error) {
	m, err := o.Matcher(rec)
	if m == nil {
		return nil, err
	}
	return func(r *record.Record, e *uftrace.Entry) bool { return m.Match(r, e) }, nil
}

// window reads the bounds of the time. Those of a Range belong to it both.
func window(o *report.Options) (r callstack.Range, err error) {
	since, until, err := o.Window(report.Nanoseconds)
	if err != nil {
		return r, err
	}
	if until == report.NoEnd {
		return callstack.RangeOf(since, 0), nil
	}
	return callstack.RangeOf(since, max(until, 1)), nil // 0 is no end
}
