package textdump

import (
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/compiler/programs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
)

// markers returns what prints the fields of events: `{ pid = 5, name = "x" }`, with the names after numbers that LTTV printed unless they are
// plain.
func markers(plain bool) *programs.Markers {
	if plain {
		return programs.NewMarkers(nil)
	}
	return programs.NewMarkers(func(tr *lttng.Trace) compiler.Rules {
		r := recorded.Rules(tr.Info())
		r.Note = process.NoteOf
		return r
	})
}
