package textdump

import (
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
)

// markers returns the printers for fields of events: `{ pid = 5, name = "x" }`. Unless plain is
// set, numbers have the names that LTTV printed after them.
func markers(rec *lttng.Recording, plain bool) *programs.Markers {
	if plain {
		return programs.NewMarkers(rec.HoldFor, nil)
	}
	return programs.NewMarkers(rec.HoldFor, func(tr *lttng.Trace) compiler.Rules {
		r := recorded.Rules(tr.Info())
		r.Note = process.NoteOf
		return r
	})
}
