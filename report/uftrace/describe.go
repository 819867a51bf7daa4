package uftrace

import (
	"fmt"
	"github.com/tracec/tracec/runtime/uftrace/layout"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// describe returns the functions that have argument specs.
func describe(r record.Recording, match func(module, name string) bool) *report.Description {
	rec := r.(*uftrace.Recording)
	unit, errs := recorded.Unit(rec, match)
	return &report.Description{
		Recorded: layout.Source(rec),
		Unit:     unit, LeftOut: errs, Catalog: callCatalog(rec, unit, errs), Noun: "functions", Parts: "values",
		Nothing: fmt.Errorf("%s: no function has argument specs: record with -A, -R or -a", rec.Name()),
	}
}

// callCatalog returns what can be chosen of a description: functions that are in it, and, when some are left out, all with specs: a
// message names those.
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
	c.Matches = func(pattern string) (func(report.Name) bool, error) {
		match, err := report.EventMatcher([]string{pattern})
		return func(n report.Name) bool { return match(n.System, n.Name) && (made[n.Alias] || len(errs) > 0) }, err
	}
	return c
}
