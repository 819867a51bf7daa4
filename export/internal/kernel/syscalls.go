package kernel

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/syscalls"
)

// A Syscall describes the system call of an event.
type Syscall struct {
	// Name is the name of the call, "" where a number tells it: of raw_syscalls and of markers.
	Name   string
	Begins bool
	Marker bool   // of LTTng, which has the number, and no arguments
	Other  string // the system and name of the event for the other half of the call
}

// SyscallEvents returns patterns of all events of system calls.
func SyscallEvents() (list []string) {
	for _, p := range syscalls.Pairs {
		each := ""
		if p.ByName {
			each = "*"
		}
		list = append(list, p.System+":"+p.Begin+each, p.System+":"+p.End+each)
	}
	return list
}

// SyscallOf returns the system call of an event type.
func SyscallOf(t *tracec.Type) (s Syscall, ok bool) {
	p, begins, call := syscalls.PairOf(t.System, t.Name)
	if p == nil {
		return Syscall{}, false
	}
	other := p.Begin
	if begins {
		other = p.End
	}
	return Syscall{Name: call, Begins: begins, Marker: p.Marker, Other: p.System + ":" + other + call}, true
}

// NumberField returns the field with the number of the call, or -1. It is the first one of Linux's
// events, under the name nr until 4.5. An argument may also have such a name.
func NumberField(t *tracec.Type) int {
	first := true
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Common {
			continue
		}
		switch f.Name {
		case "syscall_id", "__syscall_nr", "_syscall_nr": // the last one of perf, in CTF
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
