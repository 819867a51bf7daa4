package syscalls

import "testing"

func TestPairOf(t *testing.T) {
	for _, c := range []struct {
		system, event string
		found, begins bool
		call          string
	}{
		{"syscalls", "sys_enter_openat", true, true, "openat"},
		{"syscalls", "sys_exit_openat", true, false, "openat"},
		{"raw_syscalls", "sys_enter", true, true, ""},
		{"raw_syscalls", "sys_exit", true, false, ""},
		{"raw_syscalls", "sys_exit_openat", false, false, ""},
		{"", "syscall_entry_openat", true, true, "openat"},
		{"", "compat_syscall_exit_openat", true, false, "openat"},
		{"kernel", "syscall_exit", true, false, ""},
		{"", "kernel_arch_syscall_entry", true, true, ""},
		{"syscalls", "sched_switch", false, false, ""},
		{"mine", "sys_enter_openat", false, false, ""},
	} {
		p, begins, call := PairOf(c.system, c.event)
		if p != nil != c.found || begins != c.begins || call != c.call {
			t.Errorf("%s:%s: pair %v, begins %v, call %q", c.system, c.event, p, begins, call)
		}
	}
}
