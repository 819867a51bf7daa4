package sources

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/bind"
)

// A Description holds the compiled event types of a recording or of description files.
type Description struct {
	// Unit has the selected, usable events.
	Unit *ir.Unit
	// Messages are about descriptions, with their positions. LeftOut reports selected event types
	// that are not in Unit.
	Messages diag.List
	LeftOut  []error
	// Catalog holds all event types, selected or not.
	Catalog *selection.Catalog
	// Noun and Parts are the words of Summary for event types and their contents: "markers" and
	// "fields".
	Noun, Parts string
	// Recorded is the source of event types for binding.
	Recorded bind.Source
	// Nothing explains why a recording describes no events.
	Nothing error
}

// Check reports patterns of an option that select nothing, and recordings without described events.
func (d *Description) Check(option string, patterns []string) error {
	if err := d.Catalog.CheckEvents(option, patterns); err != nil {
		return err
	}
	if len(d.Unit.Events) == 0 {
		return d.Nothing
	}
	return nil
}

// Summary returns a line for each event and a line with their numbers. Calls and returns of a
// function are one event.
func (d *Description) Summary() (lines []string) {
	events, values, before := 0, 0, 0
	for i, ev := range d.Unit.Events {
		values += len(ev.Values())
		returns := i+1 < len(d.Unit.Events) && !ev.Exit && d.Unit.Events[i+1].Exit
		if returns {
			before = len(ev.Values())
			continue
		}
		events++
		name := ev.Name
		if ev.Group != "" {
			name = ev.Group + "." + ev.Name
		}
		if ev.Exit {
			lines = append(lines, fmt.Sprintf("%s: %d arguments, %d results", ev.Label, before, len(ev.Values())))
		} else {
			lines = append(lines, fmt.Sprintf("%s: %d %s", name, len(ev.Values()), d.Parts))
		}
	}
	return append(lines, fmt.Sprintf("%d %s, %d %s", events, d.Noun, values, d.Parts))
}
