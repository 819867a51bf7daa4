package tables

import (
	"context"
	"slices"
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
)

// Recordings of AIX do not describe their events: the user's templates do. The template of a hook
// names its fields. docs/spec/tables.md section 11 has the names that tables use.

// A hook is a hook of AIX that a table needs, by its id. field is a required field of its template,
// or "".
type hook struct{ id, field string }

// stateHooks are the hooks of thread states and of the time on processors.
var stateHooks = []hook{{"106", "tid"}, {"10C", ""}}

// callHooks are the hooks of system calls.
var callHooks = []hook{{"101", ""}, {"104", ""}}

// handlerHooks are the hooks of interrupt handlers.
var handlerHooks = []hook{{"100", ""}, {"102", ""}, {"103", ""}, {"106", ""}, {"10C", ""}, {"200", ""}}

// modeHooks are the hooks of the modes of processors.
var modeHooks = []hook{{"100", ""}, {"101", ""}, {"102", ""}, {"103", ""}, {"104", ""}, {"106", "tid"}, {"10C", ""},
	{"200", ""}}

// breakHooks are the hooks after which events may be missing: trace was switched on or off, or a
// file or a buffer was full (docs/spec/aix.md section 2.7).
var breakHooks = []string{"aix:001", "aix:002", "aix:005", "aix:006"}

// templates holds the types of the hooks that tables read, by id. A hook has a type for each form
// of its data.
type templates map[string][]*tracec.Type

// describeHooks finds the types of the hooks.
func (w *Walk) describeHooks() error {
	r, err := w.open(context.Background(), tracec.WithEvents(patternsOf(modeHooks)...))
	if err != nil {
		return err
	}
	w.templates = templates{}
	for t := range r.Types() {
		id := strings.ToUpper(t.Name)
		w.templates[id] = append(w.templates[id], t)
	}
	return nil
}

// patternsOf returns the patterns of hooks.
func patternsOf(hooks []hook) (patterns []string) {
	for _, h := range hooks {
		patterns = append(patterns, "aix:"+h.id)
	}
	return patterns
}

// lacks lists the hooks that have no template, or whose template lacks the field, in a recording of
// AIX.
func (w *Walk) lacks(hooks []hook) (missing []string) {
	if !w.hooks {
		return nil
	}
	for _, h := range hooks {
		list := w.templates[h.id]
		switch {
		case len(list) == 0:
			missing = append(missing, h.id)
		case h.field != "" && !slices.ContainsFunc(list, func(t *tracec.Type) bool { return t.Index(h.field) >= 0 }):
			missing = append(missing, h.id+" with a field "+h.field)
		}
	}
	return missing
}

// hookID returns the id of a hook of AIX, or "" for other events.
func hookID(t *tracec.Type) string {
	if t.System != "aix" {
		return ""
	}
	return strings.ToUpper(t.Name)
}

// breaks returns the rule for hooks after which the state of all processors is unknown, since they
// may share a buffer.
func (w *Walk) breaks(t *tracec.Type) rule {
	switch hookID(t) {
	case "005", "006":
		return func(ev *tracec.Event) { w.lose(record.LostUnknown, -1, ev.Time) }
	case "002":
		return func(*tracec.Event) { w.off = true }
	case "001":
		return func(ev *tracec.Event) {
			if w.off {
				w.off = false
				w.lose(record.LostUnknown, -1, ev.Time)
			}
		}
	}
	return nil
}

// placed reports whether an event has a processor. Without it, the event cannot be attributed to
// one.
func (w *Walk) placed(ev *tracec.Event) bool {
	if ev.CPU < 0 && !w.unplaced {
		w.unplaced = true
		w.note("events without a processor make no rows: trace -C all and trace -p record it, and --layouts can describe it")
	}
	return ev.CPU >= 0
}

// dispatched holds the fields of a hook of the dispatcher for the thread that will run.
type dispatched struct{ tid, pid, process int }

func dispatchOf(t *tracec.Type) dispatched {
	return dispatched{tid: t.Index("tid"), pid: t.Index("pid"), process: t.Index("process")}
}

// thread returns the thread that will run, or nil.
func (d dispatched) thread(w *Walk, ev *tracec.Event) *Thread {
	if d.tid < 0 {
		return nil
	}
	th := w.thread(ev, d.tid)
	th.named(ev, d.process)
	if d.pid >= 0 && th != nil {
		if pid, ok := ev.Bits(d.pid); ok {
			th.PID, th.main = int32(pid), th
		}
	}
	return th
}
