package tables

import (
	"bytes"
	"math/bits"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// wakeEvents are the events of wakeups: of Linux (include/trace/events/sched.h) and the kernel
// markers of LTTng before 2.0.
var wakeEvents = []string{
	"sched:sched_waking", "sched:sched_wakeup", "sched:sched_wakeup_new",
	"kernel:sched_try_wakeup", "kernel:sched_wakeup_new_task",
}

// rule implements collector.
func (s *scheduler) rule(t *tracec.Type) rule {
	if id := hookID(t); id == "106" || id == "10C" {
		return s.dispatchRule(t, id == "10C")
	}
	if f, ok := kernel.SwitchOf(t); ok {
		return s.switchRule(t, f)
	}
	switch t.Name {
	case "sched_waking", "sched_wakeup", "sched_try_wakeup":
		return s.wakeRule(t, woken)
	case "sched_wakeup_new", "sched_wakeup_new_task":
		return s.wakeRule(t, created)
	case "sched_process_exec":
		return s.execRule(t)
	}
	return nil
}

func (s *scheduler) switchRule(t *tracec.Type, f kernel.Switch) rule {
	if f.Prev < 0 || f.Next < 0 || f.State < 0 {
		s.w.note("%s has no fields prev_pid, next_pid and prev_state: its switches are not followed", t.Name)
		return nil
	}
	s.letters.field = f.State
	return func(ev *tracec.Event) {
		prev, next := s.w.thread(ev, f.Prev), s.w.thread(ev, f.Next)
		state, ok := ev.Bits(f.State)
		if !ok {
			return
		}
		s.w.current(ev)
		prev.named(ev, f.PrevComm)
		next.named(ev, f.NextComm)
		s.switched(ev, prev, next, state)
	}
}

func (s *scheduler) wakeRule(t *tracec.Type, wait string) rule {
	pid, comm, flags := kernel.Index(t, "pid"), t.Index("comm"), t.Index("common_flags")
	if pid < 0 {
		s.w.note("%s has no field pid: its wakeups are not followed", t.Name)
		return nil
	}
	return func(ev *tracec.Event) {
		th := s.w.thread(ev, pid)
		th.named(ev, comm)
		s.wakes(ev, th, wait, flags)
	}
}

// execRule handles an exec by a thread other than the first of its process, which then gets the
// number of the first one.
func (s *scheduler) execRule(t *tracec.Type) rule {
	pid, old := kernel.Index(t, "pid"), kernel.Index(t, "old_pid")
	if pid < 0 || old < 0 {
		return nil
	}
	return func(ev *tracec.Event) {
		from, to := s.w.thread(ev, old), s.w.thread(ev, pid)
		cpu := s.at(ev.CPU)
		if from == nil || to == nil || from == to || cpu == nil || *cpu != from {
			return
		}
		row := s.of(from).row
		s.of(from).phase = unseen
		s.finish(s.of(to), 0, Unpaired)
		s.begin(s.of(to), onCPU, running, 0)
		row.Thread = to
		s.of(to).row = row
		*cpu = to
	}
}

// contextOf returns the context in which an event was recorded.
func contextOf(ev *tracec.Event, flags int) string {
	switch in := kernel.Context(ev, flags); {
	case in&kernel.HardIRQ != 0:
		return "irq"
	case in&kernel.SoftIRQ != 0:
		return "softirq"
	case ev.Task == 0:
		return "idle"
	}
	return ""
}

// letter is the meaning of a value of prev_state.
type letter struct {
	text      string
	known     bool
	preempted bool
	dead      bool
}

// letters holds the meanings of prev_state, as printed by the recording's own format.
type letters struct {
	field int
	small [512]letter
	other map[uint64]*letter
}

func (l *letters) of(ev *tracec.Event, state uint64) *letter {
	if state < uint64(len(l.small)) {
		m := &l.small[state]
		if !m.known {
			*m = l.read(ev, state)
		}
		return m
	}
	m := l.other[state]
	if m == nil {
		m = new(letter)
		*m = l.read(ev, state)
		if l.other == nil {
			l.other = map[uint64]*letter{}
		}
		if len(l.other) < 1<<16 {
			l.other[state] = m
		}
	}
	return m
}

// read finds the meaning of a value. The kernel marks a preempted thread with a bit above the bits
// that have letters (TASK_REPORT_MAX, before 4.14 TASK_STATE_MAX). Without the bit, the value has
// the same letters. ftrace prints a "+" for the bit, LTTng does not.
func (l *letters) read(ev *tracec.Event, state uint64) letter {
	name, ok := kernel.State(ev.Type, l.field, state)
	if !ok {
		v, _ := ev.At(l.field)
		name = v.Append(nil)
		if state == 0 {
			name = []byte("R")
		}
		return letter{text: string(name), known: true}
	}
	m := letter{text: string(name), known: true, dead: kernel.Dead(name)}
	if state == 0 {
		return m
	}
	rest, _ := kernel.State(ev.Type, l.field, state&^(1<<(bits.Len64(state)-1)))
	bare := bytes.TrimSuffix(name, []byte("+"))
	if m.preempted = bytes.Equal(rest, bare); m.preempted {
		m.text, m.dead = string(bare)+"+", false
	}
	return m
}
