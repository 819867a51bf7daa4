package sources

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/layout"
)

// describeUftrace compiles the functions that have argument specs.
func describeUftrace(r record.Recording, events pattern.List) *Description {
	rec := r.(*uftrace.Recording)
	events = Functions(rec).In(events)
	unit, errs := recorded.Unit(rec, func(module, name string) bool { return events.Matches(module, name, "") })
	return &Description{
		Recorded: layout.Source(rec),
		Unit:     unit, LeftOut: errs, Catalog: callCatalog(rec, unit, errs), Noun: "functions", Parts: "values",
		Nothing: fmt.Errorf("%s: no function has argument specs: record with -A, -R or -a", rec.Name()),
	}
}

// callCatalog returns the catalog of a description: the functions in it. If some are omitted, it
// contains all functions with specs, since a message names the omitted ones.
func callCatalog(rec *uftrace.Recording, unit *ir.Unit, errs []error) *selection.Catalog {
	c := &selection.Catalog{Recording: rec.Name(), Noun: "function with argument specs and records"}
	made := map[string]bool{}
	for _, ev := range unit.Events {
		made[ev.Name] = true
	}
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			c.Events = append(c.Events, selection.Name{System: s.Module.Name, Name: s.Shown(), Alias: s.Name})
		}
	}
	c.Matches = func(p pattern.Pattern) (func(selection.Name) bool, error) {
		return func(n selection.Name) bool {
			return p.Matches(n.System, n.Name, "") && (made[n.Alias] || len(errs) > 0)
		}, nil
	}
	return c
}
