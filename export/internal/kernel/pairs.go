// Package kernel identifies the events of the Linux kernel that begin and end system calls,
// interrupts and other spans. It knows their names in ftrace (include/trace/events), in
// lttng-modules, and in the kernel markers of LTTng before 2.0. The timeline and the derived tables
// use it.
package kernel

import (
	"strings"

	"github.com/tracec/tracec"
)

// A Pair is a pair of events that begin and end something on a processor or, for work, by a thread.
type Pair struct {
	System     string
	Begin, End string // names of the events; a leading * in both matches the same text
	Kind       string // irq, vector, softirq, tasklet, hrtimer, timer, ipi or work
	Key, Name  string // fields: Key distinguishes open spans, Name names one; "" for none
	// Alone is set if only one span of the kind is open at a time, instead of one for each key.
	Alone bool
}

// Pairs are the pairs with their own place in the timeline and in the table interrupts.
var Pairs = []Pair{
	{"irq", "irq_handler_entry", "irq_handler_exit", "irq", "irq", "name", false},
	{"irq", "softirq_entry", "softirq_exit", "softirq", "vec", "vec", true},
	{"irq", "tasklet_entry", "tasklet_exit", "tasklet", "tasklet", "func", true},
	{"timer", "hrtimer_expire_entry", "hrtimer_expire_exit", "hrtimer", "hrtimer", "function", false},
	{"timer", "timer_expire_entry", "timer_expire_exit", "timer", "timer", "function", true},
	{"ipi", "ipi_entry", "ipi_exit", "ipi", "reason", "reason", false},
	{"irq_vectors", "*_entry", "*_exit", "vector", "vector", "", false},
	{"workqueue", "workqueue_execute_start", "workqueue_execute_end", "work", "work", "function", false},
	{"kernel", "irq_entry", "irq_exit", "irq", "irq_id", "irq_id", false},
	{"kernel", "softirq_entry", "softirq_exit", "softirq", "softirq_id", "softirq_id", true},
}

// PairOf returns the pair of an event, with ftrace's names of its events. begins reports whether
// the event begins the span.
func PairOf(t *tracec.Type) (p Pair, begins, ok bool) {
	system, name, _ := Title(t.System, t.Name)
	for _, p := range Pairs {
		if p.System != system {
			continue
		}
		begin, any := strings.CutPrefix(p.Begin, "*")
		end := strings.TrimPrefix(p.End, "*")
		switch {
		case name == p.Begin || name == p.End:
			return p, name == p.Begin, true
		case any && strings.HasSuffix(name, begin):
			p.Begin, p.End = name, strings.TrimSuffix(name, begin)+end
			return p, true, true
		case any && strings.HasSuffix(name, end):
			p.Begin, p.End = strings.TrimSuffix(name, end)+begin, name
			return p, false, true
		}
	}
	return Pair{}, false, false
}

// GraphEvents are the events of the tracer function_graph. The last one ends a call.
var GraphEvents = [...]string{"ftrace:funcgraph_entry", "ftrace:fgraph_retaddr_entry", "ftrace:funcgraph_exit"}

// The contexts that interrupt a thread: TRACE_FLAG_HARDIRQ, TRACE_FLAG_SOFTIRQ and TRACE_FLAG_NMI
// in include/linux/trace_events.h.
const (
	HardIRQ = 8
	SoftIRQ = 16
	NMI     = 64
)

// Context returns the contexts in which an event was recorded, or 0 in a thread. flags is the place
// of the field common_flags, or -1.
func Context(ev *tracec.Event, flags int) uint8 {
	if flags < 0 {
		return 0
	}
	bits, _ := ev.Bits(flags)
	return uint8(bits & (HardIRQ | SoftIRQ | NMI))
}
