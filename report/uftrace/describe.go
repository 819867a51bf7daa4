package uftrace

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/layout"
)

// describe returns the functions that have argument specs.
func describe(r record.Recording, events pattern.List) *report.Description {
	rec := r.(*uftrace.Recording)
	events = functionCatalog(rec).In(events)
	unit, errs := recorded.Unit(rec, func(module, name string) bool { return events.Matches(module, name, "") })
	return &report.Description{
		Recorded: layout.Source(rec),
		Unit:     unit, LeftOut: errs, Catalog: callCatalog(rec, unit, errs), Noun: "functions", Parts: "values",
		Nothing: fmt.Errorf("%s: no function has argument specs: record with -A, -R or -a", rec.Name()),
	}
}

// callCatalog returns what can be chosen of a description: functions that are in it, and, when some
// are left out, all with specs: a message names those.
func callCatalog(rec *uftrace.Recording, unit *ir.Unit, errs []error) *report.Catalog {
	c := &report.Catalog{Recording: rec.Name(), Noun: "function with argument specs and records"}
	made := map[string]bool{}
	for _, ev := range unit.Events {
		made[ev.Name] = true
	}
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			c.Events = append(c.Events, report.Name{System: s.Module.Name, Name: s.Shown(), Alias: s.Name})
		}
	}
	c.Matches = func(p pattern.Pattern) (func(report.Name) bool, error) {
		return func(n report.Name) bool { return p.Matches(n.System, n.Name, "") && (made[n.Alias] || len(errs) > 0) }, nil
	}
	return c
}
