package textdump

import (
	"fmt"
	"github.com/tracec/tracec/runtime/lttng/layout"

	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// describe returns the markers.
func describe(r record.Recording, match func(channel, name string) bool) *report.Description {
	rec := r.(*lttng.Recording)
	unit, errs := recorded.Unit(rec, match)
	return &report.Description{
		Recorded: layout.Source(rec),
		Unit:     unit, LeftOut: errs, Catalog: Catalog(rec), Noun: "markers", Parts: "fields",
		Nothing: fmt.Errorf("%s: the trace describes no marker", rec.Name()),
	}
}
