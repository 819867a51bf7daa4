package textdump

import (
	"fmt"

	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/layout"
	"github.com/tracec/tracec/runtime/record"
)

// describe returns the markers.
func describe(r record.Recording, events pattern.List) *report.Description {
	rec := r.(*lttng.Recording)
	catalog := Catalog(rec)
	events = catalog.In(events)
	unit, errs := recorded.Unit(rec, func(channel, name string) bool { return events.Matches(channel, name, "") })
	return &report.Description{
		Recorded: layout.Source(rec),
		Unit:     unit, LeftOut: errs, Catalog: catalog, Noun: "markers", Parts: "fields",
		Nothing: fmt.Errorf("%s: the trace describes no marker", rec.Name()),
	}
}
