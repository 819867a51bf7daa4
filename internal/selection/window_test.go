package selection

import "testing"

func TestParseTime(t *testing.T) {
	for _, c := range []struct {
		text string
		form TimeForm
		want uint64
		ok   bool
	}{
		{"0", Microseconds, 0, true},
		{"1", Microseconds, 999_999_500, true}, // the first time that prints as 1.000000
		{"1.5", Microseconds, 1_499_999_500, true},
		{"1.592140", Microseconds, 1_592_139_500, true},
		{"1.5921400", Microseconds, 1_592_140_000, true},
		{"1.592139731", Microseconds, 1_592_139_731, true},
		{"1.5921397319", Microseconds, 1_592_139_732, true},
		{"1", Nanoseconds, 1_000_000_000, true},
		{"1.000001", Nanoseconds, 1_000_001_000, true},
		{"1.5921397310", Nanoseconds, 1_592_139_731, true},
		{"1.5921397311", Nanoseconds, 1_592_139_732, true},
		{"1.9999999999", Nanoseconds, 2_000_000_000, true},
		{"784", Ticks, 784, true},
		{"7.5", Ticks, 0, false},
		{"1.", Nanoseconds, 0, false}, {"", Nanoseconds, 0, false}, {"x", Nanoseconds, 0, false},
		{"1.x", Nanoseconds, 0, false},
		{"1.0000000000x", Nanoseconds, 0, false}, {".5", Nanoseconds, 0, false}, {"1.+5", Nanoseconds, 0, false},
		{"-1", Nanoseconds, 0, false}, {"99999999999999", Nanoseconds, 0, false},
	} {
		got, err := ParseTime(c.text, c.form)
		if (err == nil) != c.ok || got != c.want {
			t.Errorf("%q: %d, %v; want %d", c.text, got, err, c.want)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		since, until string
		from, to     uint64
		message      string
	}{
		{"", "", 0, NoEnd, ""},
		{"1", "", 1e9, NoEnd, ""},
		{"", "0", 0, 0, ""},
		{"1", "1.000000001", 1e9, 1e9 + 1, ""},
		{"5", "4", 0, 0, "--since 5 --until 4: the time ends before it begins"},
		{"5", "5", 0, 0, "--since 5 --until 5: the time ends before it begins"},
		{"x", "", 0, 0, "--since x: want a time such as 12.5, +0.5s or -1s"},
		{"", "x", 0, 0, "--until x: want a time such as 12.5, +0.5s or -1s"},
	} {
		from, to, err := (&Options{Since: c.since, Until: c.until}).Window(Nanoseconds)
		if got := message(t, err); from != c.from || to != c.to || got != c.message {
			t.Errorf("%q to %q: %d, %d, %q", c.since, c.until, from, to, got)
		}
	}
}
