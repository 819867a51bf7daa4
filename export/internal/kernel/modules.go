package kernel

import (
	"strings"

	"github.com/tracec/tracec"
)

// modules lists the names of lttng-modules 2.x, whose events have no system. The event that ftrace
// calls System:OursX is TheirsX there (docs/spec/ctf.md 6.6). They are tried in this order.
var modules = [...]struct{ System, Ours, Theirs string }{
	{"sched", "sched_", "sched_"},
	{"irq", "irq_handler_", "irq_handler_"},
	{"irq", "softirq_", "irq_softirq_"},
	{"irq", "tasklet_", "irq_tasklet_"},
	{"timer", "hrtimer_", "timer_hrtimer_"},
	{"timer", "timer_", "timer_"},
	{"workqueue", "workqueue_", "workqueue_"},
	{"block", "block_", "block_"},
	{"lock", "lock_", "lock_"},
	{"exceptions", "page_fault_", "x86_exceptions_page_fault_"},
	{"irq_vectors", "", "x86_irq_vectors_"},
}

// Title returns ftrace's system and name of an event. other reports whether the recording has other
// names.
func Title(system, name string) (ftraceSystem, ftraceName string, other bool) {
	if system != "" {
		return system, name, false
	}
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(name, m.Theirs); ok && rest != "" {
			return m.System, m.Ours + rest, true
		}
	}
	return system, name, false
}

// titleOf returns ftrace's system:name of an event.
func titleOf(t *tracec.Type) string {
	system, name, _ := Title(t.System, t.Name)
	return system + ":" + name
}

// Is reports whether system:name is ftrace's name of an event.
func Is(t *tracec.Type, event string) bool { return titleOf(t) == event }

// Index returns the place of a field by its name in ftrace, or -1. ftrace's pid is tid in
// lttng-modules, where pid is the process.
func Index(t *tracec.Type, field string) int {
	if _, _, other := Title(t.System, t.Name); other {
		if who, ok := strings.CutSuffix(field, "pid"); ok {
			return t.Index(who + "tid")
		}
	}
	return t.Index(field)
}

// stateLetters holds the letters of the low bits of a thread's state
// (include/trace/events/sched.h).
const stateLetters = "SDTtXZ"

// State returns the name of a value of prev_state. lttng-modules records the kernel's own bits,
// without names or with the names of single bits. Two bits changed their meaning with Linux 4.14. A
// state with only such a bit has no name here.
func State(t *tracec.Type, field int, state uint64) (name []byte, ok bool) {
	f := &t.Fields[field]
	if _, _, other := Title(t.System, t.Name); !other {
		return f.AppendName(nil, state)
	}
	switch state {
	case 0, preempted414, 1 << 10, 1 << 11, 1 << 12: // TASK_STATE_MAX of several versions
		return []byte{'R'}, true
	case noLoad | 2: // TASK_IDLE
		return []byte{'I'}, true
	}
	for i := range len(stateLetters) {
		if state&(1<<i) != 0 {
			return []byte{stateLetters[i]}, true
		}
	}
	if name, ok = f.AppendName(nil, state); string(name) == "TASK_DEAD" {
		return []byte{'X'}, true
	}
	return name, ok
}

const (
	preempted414 = 1 << 8  // TASK_REPORT_MAX since Linux 4.14
	noLoad       = 1 << 10 // TASK_NOLOAD
)

// operations holds the letters of the bits that lttng-modules records for rwbs, in the order of
// ftrace's text (blk_fill_rwbs in kernel/trace/blktrace.c). FLUSH and PREFLUSH are from different
// versions.
var operations = [...]struct {
	bit    uint64
	letter byte
}{
	{1 << 10, 'F'}, {1 << 0, 'W'}, {1 << 1, 'D'}, {1 << 7, 'E'}, {1 << 8, 'F'}, {1 << 2, 'R'}, {1 << 9, 'F'},
	{1 << 3, 'A'}, {1 << 4, 'B'}, {1 << 5, 'S'}, {1 << 6, 'M'},
}

// Operation returns the letters of a block request's operation from its recorded bits.
func Operation(bits uint64) string {
	var text []byte
	for _, o := range operations {
		if bits&o.bit != 0 {
			text = append(text, o.letter)
		}
	}
	if bits&(1<<0|1<<1|1<<2|1<<8) == 0 {
		return "N" + string(text)
	}
	return string(text)
}
