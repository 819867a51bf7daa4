package command

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/contract"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/sides"
)

// compared opens the inputs of a comparison. Damaged parts are reported, and excluded from the
// comparison.
type compared struct {
	cmd     *cobra.Command
	events  []string // globs of -e
	damaged bool
}

// open returns the descriptions of selected events, from a recording, description files, or
// generated packages.
func (c *compared) open(arg string) (*contract.Side, error) {
	if sides.IsPackages(arg) {
		packages, err := gen.ReadPackages(c.cmd.Context(), arg)
		if err != nil {
			return nil, err
		}
		return c.choose(sides.OfPackages(arg, packages...))
	}
	job := NewJob(c.cmd, arg)
	defer WatchSilent(c.cmd, job)()
	side, err := sides.Open(c.cmd.Context(), job)
	if errors.Is(err, report.ErrDamaged) && side != nil {
		c.damaged, err = true, nil
	}
	if err != nil {
		return nil, err
	}
	return c.choose(side)
}

// choose keeps the events of a side that -e selects.
func (c *compared) choose(side *contract.Side) (*contract.Side, error) {
	all := side.Events
	catalog := &selection.Catalog{}
	for _, e := range all {
		catalog.Events = append(catalog.Events, selection.Name{System: e.Layout.Group, Name: e.Layout.Name})
	}
	match, err := catalog.Matcher(c.events)
	if err != nil {
		return nil, err
	}
	side.Events = nil
	for _, e := range all {
		if match(e.Layout.Group, e.Layout.Name) {
			side.Events = append(side.Events, e)
		}
	}
	return side, nil
}

// nothing returns the error for globs that select no event of any side.
func (c *compared) nothing() error {
	return usagef("-e %s: neither side has such an event", strings.Join(c.events, ","))
}
