package syscalls

import "testing"

// TestNames compares names with the headers of each machine.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		machine string
		number  uint64
		want    string
	}{
		{"x86_64", 0, "read"}, {"x86_64", 61, "wait4"}, {"x86_64", 231, "exit_group"}, {"x86_64", 270, "pselect6"},
		{"x86_64", 1 << 40, ""}, {"i686", 1, "exit"}, {"i686", 252, "exit_group"}, {"armv7l", 248, "exit_group"},
		{"aarch64", 93, "exit"}, {"aarch64", 94, "exit_group"}, {"riscv64", 94, "exit_group"},
		{"s390x", 248, "exit_group"},
		{"ppc64le", 234, "exit_group"}, {"mips64", 5205, "exit_group"}, {"mips64", 4246, "exit_group"},
		{"pdp11", 1, ""}, {"", 1, ""},
	} {
		if got := Of(c.machine)[c.number]; got != c.want {
			t.Errorf("%s %d: %q, want %q", c.machine, c.number, got, c.want)
		}
	}
	for machine := range tables {
		if n := len(Of(machine)); n < 300 {
			t.Errorf("%s: %d names", machine, n)
		}
	}
}
