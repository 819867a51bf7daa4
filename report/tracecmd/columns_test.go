package tracecmd

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tracec/tracec/runtime/ftrace"
)

func TestLatencyColumns(t *testing.T) {
	common := []ftrace.Field{
		{Name: "common_type", Offset: 0, Size: 2},
		{Name: "common_flags", Offset: 2, Size: 1},
		{Name: "common_preempt_count", Offset: 3, Size: 1},
		{Name: "common_pid", Offset: 4, Size: 4},
	}
	l := newLatencyFields(&ftrace.Format{Fields: common}, false)
	// The output of trace-cmd 3.1.6 for all values of the flags. It repeats after 32 values, since
	// bits 5 to 7 are not shown.
	cycle := []string{
		".....", "d....", "X....", "d....", ".N...", "dN...", "XN...", "dN...",
		"..h..", "d.h..", "X.h..", "d.h..", ".Nh..", "dNh..", "XNh..", "dNh..",
		"..s..", "d.s..", "X.s..", "d.s..", ".Ns..", "dNs..", "XNs..", "dNs..",
		"..H..", "d.H..", "X.H..", "d.H..", ".NH..", "dNH..", "XNH..", "dNH..",
	}
	for flags := range 256 {
		got := string(l.append(nil, []byte{0, 0, byte(flags), 0}))
		if want := cycle[flags%32]; got != want {
			t.Errorf("flags %#x: %q, want %q", flags, got, want)
		}
	}
	// The preemption count: depth, then migration.
	for count := range 256 {
		digit := func(v int) string {
			if v == 0 {
				return "."
			}
			return fmt.Sprintf("%x", v)
		}
		got := string(l.append(nil, []byte{0, 0, 0, byte(count)}))
		if want := "..." + digit(count&15) + digit(count>>4); got != want {
			t.Errorf("count %#x: %q, want %q", count, got, want)
		}
	}
	// A record that ends before its flags.
	if got := string(l.append(nil, []byte{0, 0})); got != "....." {
		t.Errorf("short record: %q", got)
	}
	// Kernels with other fields. A value below 0 means that no lock is held.
	more := append(common, ftrace.Field{Name: "common_migrate_disable", Offset: 8, Size: 1},
		ftrace.Field{Name: "common_lock_depth", Offset: 12, Size: 4})
	l = newLatencyFields(&ftrace.Format{Fields: more}, true)
	data := []byte{0, 0, 1, 2, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 12}
	if got := string(l.append(nil, data)); got != "d..2312" {
		t.Errorf("own fields: %q", got)
	}
	copy(data[12:], []byte{255, 255, 255, 255})
	if got := string(l.append(nil, data)); got != "d..23." {
		t.Errorf("no lock: %q", got)
	}
}

func TestTaskColumn(t *testing.T) {
	for _, c := range []struct {
		comm    string
		pid     int32
		latency bool
		want    string
	}{
		{"sh", 627, false, "              sh-627  "},
		{"<idle>", 0, false, "          <idle>-0    "},
		{"<...>", 2147483647, false, "           <...>-2147483647"},
		{"<...>", -1, false, "           <...>--1   "},
		{"a-name-longer-than-it-can-be", 1, false, "a-name-longer-than-it-can-be-1    "},
		{"a-name-longer-than-the-cache-keeps-for-a-task", 1, false,
			"a-name-longer-than-the-cache-keeps-for-a-task-1    "},
		{"trace-cmd", 626, true, "trace-cm-626  "},
		{"", 5, true, "        -5    "},
	} {
		cache := newTaskCache(func(int32) string { return c.comm }, c.latency)
		for range 2 { // found, then cached
			if got := string(cache.append(nil, c.pid)); got != c.want {
				t.Errorf("%q %d: %q, want %q", c.comm, c.pid, got, c.want)
			}
		}
	}
}

func TestTaskCacheForgets(t *testing.T) {
	name := "<...>"
	c := newTaskCache(func(int32) string { return name }, false)
	c.append(nil, 5)
	name = "known"
	if got := c.append(nil, 5); !bytes.Contains(got, []byte("<...>")) {
		t.Errorf("not kept: %q", got)
	}
	c.forget(5)
	if got := c.append(nil, 5); !bytes.Contains(got, []byte("known-5")) {
		t.Errorf("not forgotten: %q", got)
	}
	if got := c.append(nil, 5+taskSlots); !bytes.Contains(got, []byte(fmt.Sprint("known-", 5+taskSlots))) {
		t.Errorf("another task in the same slot: %q", got)
	}
}

func TestTimeColumn(t *testing.T) {
	for _, c := range []struct {
		time uint64
		f    timeFormat
		want string
	}{
		{0, micros, "     0.000000"},
		{499, micros, "     0.000000"},
		{500, micros, "     0.000001"},
		{10905930055, micros, "    10.905930"},
		{999999500, micros, "     1.000000"},
		{1795228871382869854, micros, " 1795228871.382870"},
		{1795228871382869854, nanos, " 1795228871.382869854"},
		{5, nanos, "     0.000000005"},
		{3, ticks, "           3"},
		{166696364854, ticks, "166696364854"},
		{1795228871382869854, ticks, "1795228871382869854"},
		{1<<64 - 1, nanos, " 18446744073.709551615"},
	} {
		var col secondsColumn
		if got := string(col.appendTime(nil, c.time, c.f)); got != c.want {
			t.Errorf("%d: %q, want %q", c.time, got, c.want)
		}
	}
}

func TestClocks(t *testing.T) {
	for clock, want := range map[string]bool{
		"": true, "local": true, "global": true, "uptime": true, "perf": true, "mono": true, "mono_raw": true,
		"tai": true, "boot": false, "counter": false, "x86-tsc": false, "s390-tod": false,
	} {
		if got := countsTime(clock); got != want {
			t.Errorf("%s: %v", clock, got)
		}
	}
}

func TestNameColumn(t *testing.T) {
	for name, want := range map[string]string{
		"print":                      "print:                ",
		"exactly_twenty_bytes":       "exactly_twenty_bytes: ",
		"mmap_lock_acquire_returned": "mmap_lock_acquire_returned: ",
	} {
		if got := string(nameColumn(name)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
