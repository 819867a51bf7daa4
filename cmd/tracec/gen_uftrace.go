package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/report"
	native "github.com/tracec/tracec/report/uftrace"
	"github.com/tracec/tracec/runtime/uftrace"
)

// calls is gen for a recording of uftrace: the functions that have argument specs.
func (o *genOptions) calls(ctx context.Context, cmd *cobra.Command, job *report.Job) error {
	if err := o.checkRecorded("functions", "recordings of uftrace"); err != nil {
		return err
	}
	opened, err := native.Open(ctx, job, job.Path, job.Memory)
	if err != nil {
		return err
	}
	defer opened.Close()
	rec, dir := opened.Recording, job.Path
	match, err := report.EventMatcher(o.events)
	if err != nil {
		return usageError(err)
	}
	unit, errs := recorded.Unit(rec, match)
	if err := callCatalog(rec, unit, errs).CheckEvents("-events", o.events); err != nil {
		return err
	}
	o.tellCalls(cmd, rec, unit, errs)
	if len(unit.Events) == 0 {
		return fmt.Errorf("%s: no function has argument specs: record with -A, -R or -a", dir)
	}
	return o.generateRecorded(cmd, rec, dir, unit, errs)
}

// callCatalog returns what -events can choose: functions that become code, and, when some are left out, all with specs: a
// message names those.
func callCatalog(rec *uftrace.Recording, unit *ir.Unit, errs []error) *report.Catalog {
	c := &report.Catalog{Recording: rec.Name(), Noun: "function with argument specs and records"}
	made := map[string]bool{}
	for _, ev := range unit.Events {
		made[ev.Name] = true
	}
	for _, s := range rec.Symbols() {
		if len(s.Args)+len(s.Results) > 0 {
			c.Events = append(c.Events, report.Name{System: s.Module.Name, Name: s.Simple, Alias: s.Name})
		}
	}
	c.Matches = func(pattern string) (func(report.Name) bool, error) {
		match, err := report.EventMatcher([]string{pattern})
		return func(n report.Name) bool { return match(n.System, n.Name) && (made[n.Alias] || len(errs) > 0) }, err
	}
	return c
}

// tellCalls prints what was left out and, when asked for, the functions.
func (o *genOptions) tellCalls(cmd *cobra.Command, rec *uftrace.Recording, unit *ir.Unit, errs []error) {
	w := cmd.ErrOrStderr()
	o.tellRecorded(w, rec, errs)
	if !o.verbose {
		return
	}
	functions, values := 0, 0
	for i, ev := range unit.Events {
		values += len(ev.Values)
		if ev.Exit {
			functions++
			fmt.Fprintf(w, "%s: %d arguments, %d results\n", ev.Label, len(unit.Events[i-1].Values), len(ev.Values))
		}
	}
	fmt.Fprintf(w, "%d functions, %d values\n", functions, values)
}
