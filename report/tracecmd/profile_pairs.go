package tracecmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/report/tracecmd/plugin"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// Hook is a pair of events from the option -H. See trace-cmd-profile(1).
type Hook struct {
	Start, End           string // [system:]event
	StartMatch, EndMatch string // fields that must be equal
	StartPID             string // the field with the task; if empty, the task that records
	Global               bool   // not for a task
	PerCPU               bool   // both events on the same processor
}

// ParseHook parses [SYSTEM:]EVENT,FIELD[,PIDFIELD]/[SYSTEM:]EVENT,FIELD[,FLAGS].
func ParseHook(s string) (h Hook, err error) {
	first, second, ok := strings.Cut(s, "/")
	a, b := strings.Split(first, ","), strings.Split(second, ",")
	if !ok || len(a) < 2 || len(a) > 3 || len(b) < 2 || len(b) > 3 {
		return h, fmt.Errorf("%q is not [SYSTEM:]EVENT,FIELD[,PID]/[SYSTEM:]EVENT,FIELD[,FLAGS]", s)
	}
	h = Hook{Start: a[0], StartMatch: a[1], End: b[0], EndMatch: b[1]}
	if len(a) == 3 {
		h.StartPID = a[2]
	}
	if len(b) == 3 {
		for _, c := range strings.ToLower(b[2]) {
			switch c {
			case 'p':
				h.PerCPU = true
			case 'g':
				h.Global = true
			case 's': // trace-cmd profile: record a stack of the kernel
			default:
				return h, fmt.Errorf("%q has the unknown flag %q", s, c)
			}
		}
	}
	return h, nil
}

// pairing connects two events and counts the time between them.
type pairing struct {
	label                  string
	number                 int32 // of the first pairing with this label: pairings with the same label share starts
	startFormat, endFormat *ftrace.Format
	startMatch, endMatch   span
	startPID, endPID       span // if size is 0, the task that records
	value                  span // value of the start, which distinguishes entries
	global, perCPU         bool
	sleeps                 bool // ends with a wakeup: only for tasks that do not run on
	// the start counts only if it ended another pair, or the task runs
	follows bool
	format  func(v uint64) string // if nil, values are hexadecimal
}

// openKey connects an end with its starts.
type openKey struct {
	owner, pairing int32 // number of the account and of the pairing
	match          uint64
}

// start waits for the end of its pair. value is the value of its entry.
type start struct {
	value uint64
	stack []uint64
	lost  uint32 // profile.lost at the start
}

// builtin are trace-cmd's built-in pairs, found by observing its output.
var builtin = []struct {
	start, startMatch, startPID string
	end, endMatch, endPID       string
	value                       string
	irq                         bool // counts for the processor with -G
	format                      func(v uint64) string
}{
	{"sched:sched_switch", "prev_pid", "prev_pid", "sched:sched_switch", "next_pid", "next_pid", "prev_state", false,
		nil},
	{"sched:sched_switch", "prev_pid", "prev_pid", "sched:sched_wakeup", "pid", "pid", "prev_state", false, nil},
	{"sched:sched_wakeup", "pid", "pid", "sched:sched_switch", "next_pid", "next_pid", "pid", false, nil},
	{"irq:irq_handler_entry", "irq", "", "irq:irq_handler_exit", "irq", "", "irq", true, nil},
	{"irq:softirq_raise", "vec", "", "irq:softirq_entry", "vec", "", "vec", true, vectorName},
	{"irq:softirq_entry", "vec", "", "irq:softirq_exit", "vec", "", "vec", true, vectorName},
	{"raw_syscalls:sys_enter", "id", "", "raw_syscalls:sys_exit", "id", "", "id", false, decimal},
	{"ftrace:funcgraph_entry", "func", "", "ftrace:funcgraph_exit", "func", "", "func", false, nil},
}

func pairings(in *input, o *Profile) []*pairing {
	var list []*pairing
	for _, b := range builtin {
		if hooked(in, o.Hooks, b.start) || hooked(in, o.Hooks, b.end) {
			continue
		}
		p := &pairing{format: b.format, global: b.irq && o.GlobalIRQs, perCPU: true,
			sleeps: b.end == "sched:sched_wakeup", follows: b.start == "sched:sched_wakeup"}
		p.startFormat, p.endFormat = findFormat(in, b.start), findFormat(in, b.end)
		if p.startFormat == nil || p.endFormat == nil {
			continue
		}
		p.label = p.startFormat.Name
		if p.label == "funcgraph_entry" {
			p.label = "func"
		}
		p.startMatch, p.endMatch = fieldSpan(p.startFormat, b.startMatch), fieldSpan(p.endFormat, b.endMatch)
		p.value = fieldSpan(p.startFormat, b.value)
		if b.value == "prev_state" {
			p.format = stateNames(in, p.startFormat)
		}
		if b.startPID != "" {
			p.startPID, p.endPID = fieldSpan(p.startFormat, b.startPID), fieldSpan(p.endFormat, b.endPID)
		}
		list = append(list, p)
	}
	for _, h := range o.Hooks {
		if p := hookPairing(in, h); p != nil {
			list = append(list, p)
		}
	}
	for _, p := range list {
		p.number = int32(slices.IndexFunc(list, func(first *pairing) bool { return first.label == p.label }))
	}
	return list
}

// hooked reports whether a hook uses an event. As in trace-cmd, the hook then replaces the built-in
// pairs of the event.
func hooked(in *input, hooks []Hook, name string) bool {
	f := findFormat(in, name)
	return f != nil && slices.ContainsFunc(hooks, func(h Hook) bool {
		return findFormat(in, h.Start) == f || findFormat(in, h.End) == f
	})
}

// hookPairing returns the pairing of a hook, or nil if the recording lacks one of its events or
// fields.
func hookPairing(in *input, h Hook) *pairing {
	p := &pairing{startFormat: findFormat(in, h.Start), endFormat: findFormat(in, h.End), global: h.Global,
		perCPU: h.PerCPU}
	if p.startFormat == nil || p.endFormat == nil {
		return nil
	}
	p.label = p.startFormat.Name
	p.startMatch, p.endMatch = fieldSpan(p.startFormat, h.StartMatch), fieldSpan(p.endFormat, h.EndMatch)
	if p.startMatch.size == 0 || p.endMatch.size == 0 {
		return nil
	}
	p.value = p.startMatch
	if h.StartPID != "" {
		p.startPID = fieldSpan(p.startFormat, h.StartPID)
	}
	return p
}

// findFormat finds an event by [system:]name.
func findFormat(in *input, name string) *ftrace.Format {
	system, event, both := strings.Cut(name, ":")
	if !both {
		event = system
	}
	for _, f := range in.rec.Formats() {
		if f.Name == event && (!both || f.System == system) {
			return f
		}
	}
	return nil
}

// vectorName names a soft interrupt (include/linux/interrupt.h).
func vectorName(v uint64) string {
	names := [...]string{"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"}
	if v < uint64(len(names)) {
		return names[v]
	}
	return fmt.Sprint(v)
}

// stateNames returns names for the lowest bit of a task's state in the recording's kernel, and R
// for no bit. (trace-cmd has the letters of kernels before 4.14, which are wrong today.)
func stateNames(in *input, f *ftrace.Format) func(v uint64) string {
	ev := in.lower(f)
	if ev == nil {
		return nil
	}
	return plugin.StateNames(ev)
}

// decimal formats numbers of system calls, which may be -1.
func decimal(v uint64) string { return fmt.Sprint(int64(v)) }

// owner returns the account for a pair's start or end.
func (pr *profile) owner(task *account, p *pairing, pid span, r *record.Record) *account {
	switch {
	case p.global && !p.perCPU:
		return pr.account(pr.cpus, -1)
	case p.global:
		return pr.account(pr.cpus, r.CPU)
	case pid.size != 0:
		return pr.account(pr.tasks, int32(pid.uint64(r.Data, pr.in.formats.target.BigEndian)))
	}
	return task
}

func (pr *profile) start(task *account, p *pairing, r *record.Record) {
	owner := pr.owner(task, p, p.startPID, r)
	if owner == nil || !pr.room() {
		return
	}
	big := pr.in.formats.target.BigEndian
	key := openKey{owner.number, p.number, p.startMatch.uint64(r.Data, big)}
	ref := pr.open.Begin(key, r, start{value: p.value.uint64(r.Data, big), lost: pr.lost})
	task.last.starts = append(task.last.starts, ref)
}

// end ends the latest start.
func (pr *profile) end(task *account, p *pairing, r *record.Record) bool {
	owner := pr.owner(task, p, p.endPID, r)
	if owner == nil {
		return false
	}
	key := openKey{owner.number, p.number, p.endMatch.uint64(r.Data, pr.in.formats.target.BigEndian)}
	if p.sleeps {
		// Value 0 means preempted: the task waits for a processor, not for a wakeup.
		if b := pr.open.Last(key, r); b != nil && b.Value.value == 0 {
			return false
		}
	}
	b, ok := pr.open.End(key, r)
	if !ok {
		return false
	}
	pr.entries--
	if p.label == "sched_switch" && b.Value.lost != pr.lost {
		return true // the end is certain, but not the time
	}
	e := pr.entry(owner, entryKey{p.label, b.Value.value}, p)
	if e == nil {
		return true
	}
	d := r.Time - b.Time
	e.add(d, r.Time)
	if b.Value.stack != nil {
		pr.addStack(e, b.Value.stack, d, r.Time)
	}
	return true
}
