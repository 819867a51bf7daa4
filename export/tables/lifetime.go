package tables

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// lifetimeEvents are the events about the begin and the end of threads.
var lifetimeEvents = append([]string{"sched:sched_process_exec", "sched:sched_process_free", "task:task_rename"},
	kernel.BirthEvents...)

// birth returns the rule for events of new threads and new names. It runs before the rules of
// collectors.
func (w *Walk) birth(t *tracec.Type) rule {
	if pid, comm, ok := kernel.BirthOf(t); ok {
		return w.begins(pid, comm)
	}
	switch {
	case kernel.Is(t, "sched:sched_wakeup_new"):
		return w.begins(kernel.Index(t, "pid"), t.Index("comm"))
	case kernel.Is(t, "task:task_rename"):
		pid, comm := t.Index("pid"), t.Index("newcomm")
		if pid < 0 || comm < 0 {
			return nil
		}
		return func(ev *tracec.Event) { w.thread(ev, pid).named(ev, comm) }
	}
	return nil
}

// begins returns the rule for events of a new thread. There may be several such events: the fork,
// and the first wakeup.
func (w *Walk) begins(pid, comm int) rule {
	if pid < 0 {
		return nil
	}
	return func(ev *tracec.Event) {
		th := w.thread(ev, pid)
		if th == nil || th.Idle() {
			return
		}
		if th.ran {
			w.end(th, ev.Time)
			th = w.thread(ev, pid)
		}
		th.named(ev, comm)
		th.inherited = true
	}
}

// death returns the rule for events of threads that have ended. It runs after the rules of
// collectors. An exec by a thread other than the first of its process gives it the number of the
// first one.
func (w *Walk) death(t *tracec.Type) rule {
	pid, from := kernel.Index(t, "pid"), -1
	switch {
	case kernel.Is(t, "sched:sched_process_free"):
		from = pid
	case kernel.Is(t, "sched:sched_process_exec"):
		from = kernel.Index(t, "old_pid")
	}
	if pid < 0 || from < 0 {
		return nil
	}
	return func(ev *tracec.Event) {
		bits, ok := ev.Bits(from)
		if to, _ := ev.Bits(pid); !ok || from != pid && to == bits {
			return
		}
		if th := w.threads.find(int32(bits)); th != nil && !th.Idle() {
			w.end(th, ev.Time)
		}
	}
}

// end removes a thread that never runs again.
func (w *Walk) end(th *Thread, time uint64) {
	for _, c := range w.collectors {
		c.ended(th, time)
	}
	w.threads.end(th)
}

// named sets the name of a thread from a field of an event. t may be nil.
func (t *Thread) named(ev *tracec.Event, field int) {
	if t == nil || field < 0 || ev.TextIs(field, t.Name) {
		return
	}
	if v, ok := ev.At(field); ok {
		t.name(v.Bytes())
	}
}
