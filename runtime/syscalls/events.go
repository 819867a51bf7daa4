package syscalls

import "strings"

// A Pair names the two events of a system call: its begin and its end.
type Pair struct {
	System     string
	Begin, End string // the names of the events; with ByName, the name of the call follows them
	ByName     bool   // each call has its own events; otherwise a field is the number of the call
	Marker     bool   // the events are markers of LTTng, which lack the arguments
}

// Pairs are the events of Linux (kernel/trace/trace_syscalls.c, include/trace/events/syscalls.h),
// of lttng-modules for 64-bit and 32-bit programs, and of LTTng's markers.
var Pairs = [...]Pair{
	{System: "syscalls", Begin: "sys_enter_", End: "sys_exit_", ByName: true},
	{Begin: "syscall_entry_", End: "syscall_exit_", ByName: true},
	{Begin: "compat_syscall_entry_", End: "compat_syscall_exit_", ByName: true},
	{System: "raw_syscalls", Begin: "sys_enter", End: "sys_exit"},
	{System: "kernel", Begin: "syscall_entry", End: "syscall_exit", Marker: true},
	{Begin: "kernel_arch_syscall_entry", End: "kernel_arch_syscall_exit", Marker: true}, // before LTTng 2.3
}

// PairOf returns the pair of an event, reports whether the event is the begin, and returns the name
// of the call if the pair is ByName. It returns nil for an event that is not of a system call.
func PairOf(system, event string) (p *Pair, begins bool, call string) {
	for i := range Pairs {
		p := &Pairs[i]
		if p.System != system {
			continue
		}
		if call, ok := p.callOf(p.Begin, event); ok {
			return p, true, call
		}
		if call, ok := p.callOf(p.End, event); ok {
			return p, false, call
		}
	}
	return nil, false, ""
}

func (p *Pair) callOf(half, event string) (call string, ok bool) {
	if p.ByName {
		return strings.CutPrefix(event, half)
	}
	return "", event == half
}
