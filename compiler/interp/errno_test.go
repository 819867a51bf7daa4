package interp_test

import (
	"testing"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
)

// TestErrnoNames checks that results of system calls have the names of their errors. Other numbers
// and other events must not have them.
func TestErrnoNames(t *testing.T) {
	for _, e := range []struct {
		group, name string
		named       bool
	}{{"syscalls", "sys_exit_openat", true}, {"raw_syscalls", "sys_exit", true}, {"syscalls", "sys_enter_exit", false},
		{"kvm", "sys_exit", false},
		{"", "syscall_exit_openat", true}, {"", "syscall_entry_openat", false}, {"kernel", "syscall_exit", true}} {
		ret := &ir.Field{Name: "ret", Kind: ir.Int, Size: 8, Signed: true}
		ev := &ir.Event{Group: e.group, Name: e.name, Size: 8, Fields: []*ir.Field{ret}}
		ir.NameResult(ev)
		names := interp.FieldNames(ev, ir.Target{WordSize: 8})[ret]
		if (names != nil) != e.named {
			t.Errorf("%s:%s: %v", e.group, e.name, names)
		}
		if names == nil {
			continue
		}
		for v, want := range map[int64]string{-2: "ENOENT", -512: "ERESTARTSYS", 0: "", 3: "", -4095: "", -1 << 63: "",
			-5000: ""} {
			if got := string(names.Append(nil, uint64(v))); got != want {
				t.Errorf("%s:%s: %d is %q, want %q", e.group, e.name, v, got, want)
			}
		}
	}
}
