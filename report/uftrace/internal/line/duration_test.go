package line

import "testing"

// TestAppendDuration has the table of uftrace.md 2.1.
func TestAppendDuration(t *testing.T) {
	const minute = 60_000_000_000
	for _, test := range []struct {
		ns   uint64
		want string
	}{
		{0, "          "},
		{1, "  0.001 us"},
		{999, "  0.999 us"},
		{1902, "  1.902 us"},
		{999_999, "999.999 us"},
		{1_000_000, "  1.000 ms"},
		{59_000_000_007, " 59.000  s"},
		{minute, "  1.000  m"},
		{23*minute + 59_000_000_000, " 23.059  m"},
		{24 * minute, "  1.000  h"},
		{30 * minute, "  1.006  h"},
		{60 * minute, "  2.012  h"},
		{^uint64(0), "999.999  h"},
	} {
		if got := string(AppendDuration(nil, test.ns)); got != test.want {
			t.Errorf("%d: %q, want %q", test.ns, got, test.want)
		}
	}
}
