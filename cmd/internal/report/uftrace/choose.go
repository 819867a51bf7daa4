package uftrace

import (
	"context"
	"strings"

	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/uftrace"
)

// functionCatalog is what tracec report chooses from: functions, and all threads.
func functionCatalog(rec *Recording) *report.Catalog {
	c := &report.Catalog{Recording: rec.Name(), Noun: "function", NoOthers: true, NoSystems: true}
	for s := range play.Functions(rec.Recording) {
		c.Events = append(c.Events, report.Name{System: moduleName(s), Name: s.Simple})
	}
	c.Matches = func(pattern string) (func(report.Name) bool, error) {
		if _, err := report.ParsePattern(pattern); err != nil {
			return nil, err
		}
		function, _, _ := strings.Cut(strings.TrimPrefix(pattern, "!"), "@")
		match := uftrace.Match(function, true)
		return func(n report.Name) bool { return match(n.Name) }, nil
	}
	for _, t := range rec.Tasks() {
		c.Tasks = append(c.Tasks, report.Task{ID: t.TID, Name: t.Comm})
	}
	return c
}

func moduleName(s *uftrace.Symbol) string {
	if s.Module == nil {
		return ""
	}
	return s.Module.Name
}

// listCatalog is what tracec list prints: functions with specs, and events.
func listCatalog(rec *Recording) *report.Catalog {
	c := &report.Catalog{Recording: rec.Name(), Noun: "function with specs and no event"}
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			c.Events = append(c.Events, report.Name{System: moduleName(s), Name: s.Simple})
		}
	}
	for _, name := range rec.Events() {
		sys, event, _ := strings.Cut(name, ":")
		c.Events = append(c.Events, report.Name{System: sys, Name: event})
	}
	return c
}

// catalogOf opens a recording for one of its catalogs.
func catalogOf(of func(*Recording) *report.Catalog) func(context.Context, *report.Job, []string) (*report.Catalog, error) {
	return func(ctx context.Context, job *report.Job, _ []string) (*report.Catalog, error) {
		rec, err := open(ctx, job)
		if err != nil {
			return nil, err
		}
		defer rec.Close()
		return of(rec), nil
	}
}

// choose makes filters of what is chosen, and checks it before anything is printed.
func choose(rec *Recording, o *report.Options) (f play.Options, err error) {
	c := functionCatalog(rec)
	if err := c.Check(o); err != nil {
		return f, err
	}
	if f.TIDs, _, err = c.FindTasks(o.Tasks); err != nil {
		return f, err
	}
	for _, list := range o.Events {
		f.Filters = append(f.Filters, strings.ReplaceAll(list, ",", ";"))
	}
	f.Glob = len(f.Filters) > 0
	f.Range, err = window(o)
	return f, err
}

// check refuses options that have no meaning for recordings of uftrace.
func check(o *report.Options) error {
	switch {
	case o.CPUs != nil:
		return report.Usagef("--cpu: recordings of uftrace do not tell the processor of a call")
	case len(o.Templates) > 0:
		return report.Usagef("--template: recordings of uftrace need none")
	}
	_, err := window(o)
	return err
}

// window reads the bounds of the time.
func window(o *report.Options) (r play.Range, err error) {
	if r.From, err = moment("--since", o.Since); err != nil {
		return r, err
	}
	if r.To, err = moment("--until", o.Until); err != nil {
		return r, err
	}
	return r, report.CheckWindow(o, r.From, r.To)
}
