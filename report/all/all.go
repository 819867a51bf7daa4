// Package all lists the reports of all systems.
package all

import (
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/babeltrace"
	"github.com/tracec/tracec/report/perf"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
	"github.com/tracec/tracec/report/uftrace"
)

// Systems returns the systems.
func Systems() []report.System {
	return []report.System{
		tracecmd.System(),
		uftrace.System(),
		textdump.System(),
		babeltrace.System(),
		perf.System(),
		trcrpt.System(),
	}
}

// Of returns the system that prints recordings of a source, or nil.
func Of(src *sources.Source) *report.System {
	for _, s := range Systems() {
		if s.Name == src.Name {
			return &s
		}
	}
	return nil
}
