package command

import "testing"

func TestMemorySize(t *testing.T) {
	for text, want := range map[string]int64{
		"16M": 16 << 20, "64MiB": 64 << 20, "64mb": 64 << 20, "1GiB": 1 << 30, "1g": 1 << 30, "2T": 2 << 40,
		"33554432": 32 << 20, "65536K": 64 << 20,
	} {
		var m memorySize
		if err := m.Set(text); err != nil || int64(m) != want {
			t.Errorf("%s is %d bytes, want %d (%v)", text, m, want, err)
		}
	}
	for _, text := range []string{"", "M", "-1G", "1X", "1MM", "1.5G", "15M", "0", "9000000T", "99999999999999999999"} {
		m := memorySize(7)
		if m.Set(text) == nil || m != 7 {
			t.Errorf("%q is %d bytes, want an error", text, m)
		}
	}
	for n, want := range map[memorySize]string{0: "0", 256 << 20: "256MiB", 1 << 40: "1TiB", 1<<20 + 1: "1048577"} {
		if got := n.String(); got != want {
			t.Errorf("%d is printed as %s, want %s", int64(n), got, want)
		}
	}
}
