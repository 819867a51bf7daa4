package kernel

import (
	"strings"

	"github.com/tracec/tracec"
)

// A Syscall describes the system call of an event.
type Syscall struct {
	// Name is the name of the call. It is "" for events with only a number: events of raw_syscalls
	// and markers.
	Name   string
	Begins bool
	Marker bool   // a marker of LTTng, which has the number but no arguments
	Other  string // system and name of the event at the other end of the call
}

// syscalls holds pairs of events at the begin and at the end of a system call. They record the
// number of the call. The second and third pairs are markers.
var syscalls = [...][2]string{
	{"raw_syscalls:sys_enter", "raw_syscalls:sys_exit"},
	{"kernel:syscall_entry", "kernel:syscall_exit"},
	{":kernel_arch_syscall_entry", ":kernel_arch_syscall_exit"}, // LTTng before 2.3
}

// named holds the systems and name prefixes of events for a single system call: of Linux
// (kernel/trace/trace_syscalls.c), and of lttng-modules, for 64-bit and 32-bit programs.
var named = [...]struct{ system, enter, exit string }{
	{"syscalls", "sys_enter_", "sys_exit_"},
	{"", "syscall_entry_", "syscall_exit_"},
	{"", "compat_syscall_entry_", "compat_syscall_exit_"},
}

// SyscallEvents returns patterns for all events of system calls.
func SyscallEvents() (list []string) {
	for _, n := range named {
		list = append(list, n.system+":"+n.enter+"*", n.system+":"+n.exit+"*")
	}
	for _, s := range syscalls {
		list = append(list, s[0], s[1])
	}
	return list
}

// SyscallOf returns the system call of an event type.
func SyscallOf(t *tracec.Type) (s Syscall, ok bool) {
	for _, n := range named {
		if t.System != n.system {
			continue
		}
		if name, ok := strings.CutPrefix(t.Name, n.enter); ok {
			return Syscall{Name: name, Begins: true, Other: n.system + ":" + n.exit + name}, true
		}
		if name, ok := strings.CutPrefix(t.Name, n.exit); ok {
			return Syscall{Name: name, Other: n.system + ":" + n.enter + name}, true
		}
	}
	event := t.System + ":" + t.Name
	for i, s := range syscalls {
		switch event {
		case s[0]:
			return Syscall{Begins: true, Marker: i > 0, Other: s[1]}, true
		case s[1]:
			return Syscall{Marker: i > 0, Other: s[0]}, true
		}
	}
	return Syscall{}, false
}

// NumberField returns the field with the number of the call, or -1. It is the first such field of
// Linux's events, named nr until 4.5. An argument may have the same name.
func NumberField(t *tracec.Type) int {
	first := true
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Common {
			continue
		}
		switch f.Name {
		case "syscall_id", "__syscall_nr", "_syscall_nr": // the last name is from perf, in CTF
			return i
		case "id", "nr":
			if first {
				return i
			}
		}
		first = false
	}
	return -1
}
