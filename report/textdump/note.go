package textdump

import (
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/compiler/programs"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
)

// markers returns the printer of the fields of events: ` { pid = 5, name = "x" }`. Unless plain is
// set, it adds the names after numbers that LTTV printed.
func markers(plain bool) *programs.Markers {
	if plain {
		return programs.NewMarkers(nil)
	}
	return programs.NewMarkers(func(tr *lttng.Trace) compiler.Rules {
		r := recorded.Rules(tr.Info())
		if d := tr.Info().Dialect; d >= lttng.V20 && d != lttng.Seed {
			r.Note = note
		}
		return r
	})
}

// note returns the kind of name after a field (lttng.md 8.1).
func note(m *lttng.Marker, field string) string {
	switch m.Channel + "." + m.Name + "." + field {
	case "kernel.syscall_entry.syscall_id":
		return process.NoteSyscall
	case "kernel.softirq_entry.softirq_id", "kernel.softirq_exit.softirq_id", "kernel.softirq_raise.softirq_id":
		return process.NoteSoftirq
	}
	if m.Name == "kprobe" && field == "ip" {
		return process.NoteKprobe
	}
	return ""
}
