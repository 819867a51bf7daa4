package kernel

import (
	"bytes"

	"github.com/tracec/tracec"
)

// SwitchEvents are the events of a switch between threads on a processor.
var SwitchEvents = []string{"sched:sched_switch", "kernel:sched_schedule"}

// A Switch holds the places of the fields of such an event, -1 if missing.
type Switch struct{ Prev, Next, State, PrevComm, NextComm int }

// SwitchOf returns the places of the fields of a switch.
func SwitchOf(t *tracec.Type) (s Switch, ok bool) {
	if event := titleOf(t); event != SwitchEvents[0] && event != SwitchEvents[1] {
		return Switch{}, false
	}
	return Switch{
		Prev: Index(t, "prev_pid"), Next: Index(t, "next_pid"), State: t.Index("prev_state"),
		PrevComm: t.Index("prev_comm"), NextComm: t.Index("next_comm"),
	}, true
}

// Dead reports whether a thread never runs again, by the recorded name of its state: X (dead), x
// (dead, until 4.13) or Z (zombie); include/trace/events/sched.h.
func Dead(state []byte) bool { return bytes.ContainsAny(state, "xXZ") }

// BirthEvents are the events of new threads.
var BirthEvents = []string{"sched:sched_process_fork", "kernel:process_fork", "task:task_newtask"}

// BirthOf returns the fields with the number and the name of a new thread. The name is -1 if the
// event has none.
func BirthOf(t *tracec.Type) (pid, comm int, ok bool) {
	switch titleOf(t) {
	case BirthEvents[0], BirthEvents[1]:
		pid, comm = Index(t, "child_pid"), t.Index("child_comm")
	case BirthEvents[2]:
		pid, comm = t.Index("pid"), t.Index("comm")
	default:
		return -1, -1, false
	}
	return pid, comm, pid >= 0
}

// ExitEvents are the events of threads that exit. A thread runs on for a while after its event.
var ExitEvents = []string{"sched:sched_process_exit", "kernel:process_exit"}

// ExitOf returns the field with the number of the thread that exits.
func ExitOf(t *tracec.Type) (pid int, ok bool) {
	if event := titleOf(t); event != ExitEvents[0] && event != ExitEvents[1] {
		return -1, false
	}
	pid = Index(t, "pid")
	return pid, pid >= 0
}
