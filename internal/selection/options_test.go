package selection

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseCPUs(t *testing.T) {
	for _, c := range []struct {
		text string
		want CPUSet
	}{
		{"0", CPUSet{{0, 0}}},
		{"0,3-5", CPUSet{{0, 0}, {3, 5}}},
		{"1:2 - 3", CPUSet{{1, 1}, {2, 3}}},
		{"", nil}, {",", nil}, {"3-1", nil}, {"-1", nil}, {"1-", nil}, {"x", nil}, {"99999999999", nil},
	} {
		got, err := ParseCPUs(c.text)
		if (err != nil) != (c.want == nil) {
			t.Errorf("%q: error %v", c.text, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
	}
	set := CPUSet{{0, 0}, {3, 5}}
	for cpu, want := range []bool{true, false, false, true, true, true, false} {
		if set.Has(cpu) != want || !CPUSet(nil).Has(cpu) {
			t.Errorf("cpu %d", cpu)
		}
	}
}

func TestEventMatcher(t *testing.T) {
	for _, c := range []struct {
		globs []string
		event string
		want  bool
	}{
		{nil, "sched:sched_switch", true},
		{[]string{"sched:*"}, "sched:sched_switch", true},
		{[]string{"sched/*"}, "sched:sched_switch", true},
		{[]string{"sched:"}, "sched:sched_switch", true},
		{[]string{"sched_switch"}, "sched:sched_switch", true},
		{[]string{"sched"}, "sched:sched_switch", false},
		{[]string{"irq:*,*_switch"}, "sched:sched_switch", true},
		{[]string{"irq:*", "*:sched_w*"}, "sched:sched_switch", false},
	} {
		match, err := EventMatcher(c.globs)
		if err != nil {
			t.Fatal(err)
		}
		sys, name, _ := strings.Cut(c.event, ":")
		if match(sys, name) != c.want {
			t.Errorf("%q: %s", c.globs, c.event)
		}
	}
	for _, bad := range []string{"[", "a:[", "", "a,,b"} {
		if _, err := EventMatcher([]string{bad}); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
