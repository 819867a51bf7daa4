package trcrpt

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// placed prints one event.
func placed(o *Options, l *line, level int, s string) string {
	c := newColumns(o)
	l.code = idCode(l.id)
	dst := c.append(nil, l, levelWidth*level)
	at := len(dst)
	dst = append(dst, s...)
	dst, _ = area{margin: c.margin + levelWidth*level, firstTab: tabWidth}.finish(dst, 0, at, new([]byte))
	return string(dst)
}

// The published lines of aix.md 5.1 and 4.6, byte for byte.
func TestPublishedLines(t *testing.T) {
	for _, c := range []struct {
		name  string
		o     Options
		l     line
		level int
		text  string
		want  string
	}{
		{
			"1B1 with exec and pid", Options{Settings: Settings{Exec: true, PID: true}},
			line{id: "1B1", state: state{process: "ksh", pid: 8525}, elapsed: 3109888, delta: 162816}, 2,
			"VMM page delete:",
			"1B1 ksh            8525          0.003109888       0.162816                   VMM page delete:\n",
		},
		{
			"006 with tid", Options{Settings: Settings{TID: true}},
			line{id: "006", tid: 1929377, state: state{pid: -1}, elapsed: 7160342830, delta: 826}, 2,
			"TRACEBUFFER WRAPAROUND 5D88 C77A missed entries",
			"006 1929377     7.160342830       0.000826                   TRACEBUFFER WRAPAROUND 5D88 C77A missed entries\n",
		},
	} {
		if diff := cmp.Diff(c.want, placed(&c.o, &c.l, c.level, c.text)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// The heading of aix.md 5.1.
func TestTitles(t *testing.T) {
	want := "ID  PROCESS NAME   PID      I    ELAPSED_SEC     DELTA_MSEC   APPL    SYSCALL KERNEL  INTERRUPT"
	if diff := cmp.Diff(want, string(newColumns(&Options{Settings: Settings{Exec: true,
		PID: true}}).titles())); diff != "" {
		t.Error(diff)
	}
	want = "ID  TID         ELAPSED_SEC     DELTA_MSEC   APPL    SYSCALL KERNEL  INTERRUPT"
	if diff := cmp.Diff(want, string(newColumns(&Options{Settings: Settings{TID: true}}).titles())); diff != "" {
		t.Error(diff)
	}
}

// A script in the field reads exec,svc,timestamp=1,pid by counting characters (aix.md 5.1):
// 4+14+1+9+1+1, 14, 1, 10.
func TestFieldScript(t *testing.T) {
	o := Options{Settings: Settings{Exec: true, SVC: true, PID: true, Timestamp: timeShort}}
	got := placed(&o, &line{id: "3F4", state: state{process: "dfsd", pid: 8525, svc: "kioctl"}, elapsed: 12345678901},
		0, "x")
	want := "3F4 dfsd           8525       kioctl        12.345678   x\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got[30:36] != "kioctl" || got[45:53] != "2.345678" {
		t.Errorf("columns moved: %q %q", got[30:36], got[45:53])
	}
}

// TestWide: only names of processes are cut. Wide values first use the blanks after them.
func TestWide(t *testing.T) {
	o := Options{Settings: Settings{Exec: true, PID: true, TID: true, CPUID: true}}
	l := line{id: "F5F1", tid: 1 << 40, state: state{process: "a_process_of_20_chars", cpu: 1234, pid: 12345678901,
		depth: 2},
		elapsed: 1234567_123456789, delta: -5}
	want := "F5F1 a_process_of_2 1234 12345678901 1099511627776 2 1234567.123456789 -0.000005 x\n"
	if diff := cmp.Diff(want, placed(&o, &l, 0, "x")); diff != "" {
		t.Error(diff)
	}
	o = Options{Settings: Settings{Exec: true, PID: true, TID: true, CPUID: true, NoIDs: true, Timestamp: timeNone}}
	l = line{tid: 1<<64 - 1, state: state{cpu: -1, pid: -1}}
	want = "                            -1         APPL\n"
	if diff := cmp.Diff(want, placed(&o, &l, 0, "APPL")); diff != "" {
		t.Error(diff)
	}
	l = line{state: state{pid: 77}}
	if got := placed(&Options{Settings: Settings{Exec: true, Timestamp: timeNone}}, &l, 1,
		"x"); got != "    -77-                     x\n" {
		t.Errorf("%q", got)
	}
}

func TestTimes(t *testing.T) {
	l := line{id: "010", elapsed: 105984, delta: 7936, state: state{purr: 0xABC, hasPURR: true}}
	for want, o := range map[string]Settings{
		"010    0.000105984       0.007936   x\n": {},
		"010    0.000105   x\n":                   {Timestamp: timeShort},
		"010        105.984          7.936   x\n": {Timestamp: timeMicro},
		"010 x\n":                    {Timestamp: timeNone},
		"010 0000000000000ABC   x\n": {Timestamp: timeNone, PURR: true},
		"010    0.000105984       0.007936   0000000000000ABC   x\n": {PURR: true},
		"010                        0.000105   x\n":                  {Timestamp: timeShort, FileName: true},
		"010 0      0.000105984       0.007936   x\n":                {CPUID: true},
		"010 0       0.000105984       0.007936   x\n":               {ReportedCPUs: true},
	} {
		if diff := cmp.Diff(want, placed(&Options{Settings: o}, &l, 0, "x")); diff != "" {
			t.Error(diff)
		}
	}
}

// Tab stops and margins of aix.md 4.9 and 4.10.
func TestPlace(t *testing.T) {
	for in, want := range map[string]string{
		"":                   "\n",
		"a  ":                "    a\n",
		"a \nb":              "    a\n    b\n",
		"a\n\n  c \t\n":      "    a\n\n      c\n\n",
		"\tx":                "            x\n",
		"ab\tx\tlonglong\ty": "    ab      x       longlong        y\n",
		"a\nb\tc":            "    a\n    b       c\n",
	} {
		got, _ := area{margin: 4, firstTab: tabWidth}.finish([]byte("    "+in), 0, 4, new([]byte))
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
	got, n := area{firstTab: firstTabZero}.finish([]byte("\ta\tb\n12345\tc"), 0, 0, new([]byte))
	if want := "   a       b\n12345      c\n"; string(got) != want || n != 2 {
		t.Errorf("%q, %d lines", got, n)
	}
}

func TestNoAllocation(t *testing.T) {
	c := newColumns(&Options{Settings: Settings{Exec: true, PID: true, TID: true, SVC: true}})
	l := line{id: "1B1", tid: 77, state: state{process: "ksh", pid: 8525, svc: "read"}, elapsed: 3109888, delta: 162816}
	var dst, scratch []byte
	one := func() {
		dst = c.append(dst[:0], &l, 0)
		at := len(dst)
		dst = append(dst, "one\ttwo\nthree"...)
		dst, _ = area{margin: 40, firstTab: tabWidth}.finish(dst, 0, at, &scratch)
	}
	one()
	if n := testing.AllocsPerRun(100, one); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkLine(b *testing.B) {
	c := newColumns(&Options{})
	l := line{id: "1B1", elapsed: 3109888123, delta: 162816}
	var dst, scratch []byte
	for b.Loop() {
		dst = c.append(dst[:0], &l, 0)
		dst = reach(dst, 0, c.base+16)
		at := len(dst)
		dst = append(dst, "VMM page delete: V.S=0000.150E"...)
		dst, _ = area{margin: 40, firstTab: tabWidth}.finish(dst, 0, at, &scratch)
	}
}
