package tables

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// A Wakeup is a row of [Wakeups]: a thread woke another thread.
type Wakeup struct {
	Row            // of the waker
	Target *Thread // the woken thread
	// TargetCPU is the processor selected for it, or -1 if not recorded.
	TargetCPU int32
	// Context is irq, softirq or idle; "" if the waker itself woke it.
	Context string
	New     bool // the thread is new
}

// Wakeups has a row for each wakeup of a thread.
var Wakeups = &Table[Wakeup]{
	name: "wakeups",
	doc:  "who woke whom",
	need: wakeEvents,
	columns: instants(func(w *Wakeup) *Row { return &w.Row },
		column[Wakeup]{
			Column{"target_tid", "the thread that was woken", Integer},
			func(w *Wakeup) Value { return w.Target.tid() },
		},
		column[Wakeup]{Column{"target", "the name of that thread", Text},
			func(w *Wakeup) Value { return w.Target.text() }},
		column[Wakeup]{
			Column{"target_cpu", "the processor selected for it", Integer},
			func(w *Wakeup) Value { return id(w.TargetCPU) },
		},
		column[Wakeup]{
			Column{"context", "irq, softirq or idle; NULL if the waker itself woke it", Text},
			func(w *Wakeup) Value { return text(w.Context) },
		},
		column[Wakeup]{Column{"new", "the thread is new", Bool}, func(w *Wakeup) Value { return boolean(w.New) }},
	),
	collect: func(w *Walk, yield func(*Wakeup) bool) collector { return &wakeups{w: w, yield: yield} },
}

// wakeups makes the rows of Wakeups.
type wakeups struct {
	none
	w     *Walk
	yield func(*Wakeup) bool
	row   Wakeup
}

// rule implements collector. The waker records sched_waking. Another processor may record
// sched_wakeup, which counts only if sched_waking is not described.
func (c *wakeups) rule(t *tracec.Type) rule {
	isNew := false
	switch t.Name {
	case "sched_waking", "sched_try_wakeup":
	case "sched_wakeup":
		if c.w.has("sched:sched_waking") {
			return nil
		}
	case "sched_wakeup_new", "sched_wakeup_new_task":
		isNew = true
	default:
		return nil
	}
	pid, comm, cpu, flags := kernel.Index(t, "pid"), t.Index("comm"), t.Index("target_cpu"), t.Index("common_flags")
	if pid < 0 {
		return nil
	}
	if cpu < 0 {
		cpu = t.Index("cpu_id")
	}
	return func(ev *tracec.Event) {
		th := c.w.thread(ev, pid)
		if th == nil {
			return
		}
		th.named(ev, comm)
		c.row = Wakeup{Row: Row{Begin: ev.Time, End: ev.Time, CPU: ev.CPU, Thread: c.w.current(ev)}, Target: th,
			TargetCPU: -1, New: isNew, Context: contextOf(ev, flags)}
		if cpu >= 0 {
			if n, ok := ev.Bits(cpu); ok {
				c.row.TargetCPU = int32(n)
			}
		}
		c.yield(&c.row)
	}
}

// none is the base of collectors without open rows.
type none struct{}

func (none) lost(int32, uint64)    {}
func (none) ended(*Thread, uint64) {}
func (none) end(uint64)            {}
