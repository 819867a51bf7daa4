package suggest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNearest(t *testing.T) {
	names := []string{"sched_switch", "sched_wakeup", "sched_wakeup_new", "sched_waking", "irq_handler_entry", "print",
		"sys_enter"}
	for _, x := range []struct {
		word string
		want []string
	}{
		{"sched_swich", []string{"sched_switch"}},
		{"sched_wakup", []string{"sched_wakeup", "sched_waking"}},
		{"SCHED_WAKEUP", []string{"sched_wakeup", "sched_waking", "sched_wakeup_new"}},
		{"sched_swtich*", []string{"sched_switch"}}, // swapped letters, and a glob
		{"switch", []string{"sched_switch"}},        // part of the name
		{"pritn", []string{"print"}},
		{"ext4_da_write_begin", nil},
		{"x", nil},
		{"*", nil},
		{"", nil},
	} {
		if diff := cmp.Diff(x.want, Nearest(x.word, names)); diff != "" {
			t.Errorf("Nearest(%q): -want +got\n%s", x.word, diff)
		}
	}
}

// TestNearestInProportion: the shorter a word is, the larger the part of it that must be right.
func TestNearestInProportion(t *testing.T) {
	for _, x := range []struct {
		word, name string
		want       bool
	}{
		{"a", "b", false},
		{"a", "ab", false},
		{"ab", "ac", false},
		{"ls", "ps", false},
		{"sl", "ls", true},
		{"b", "ab", false},
		{"ab", "abc", true},
		{"pd", "pid", true},
		{"shh", "sh", true},
		{"99", "9", true},
		{"98", "9", true},
		{"98", "99", false},
		{"99", "7", false},
		{"int", "sh", false},
		{"cpu", "gpu", false},
		{"pid", "pip", false},
		{"pdi", "pid", true},
		{"cpu", "cpus", true},
		{"cpus", "cpu", true},
		{"tid", "time", false},
		{"stat", "start", true},
		{"star", "stat", true},
		{"star", "diff", false},
		{"sink", "sort", false},
		{"report", "export", false},
		{"reprot", "report", true},
		{"pint", "print", true},
		{"printed", "print", false},
		{"sched_wk", "sched_wakeup", false},
		{"sched_wakep", "sched_wakeup", true},
		{"--to", "--tp", false},
		{"--ot", "--to", true},
		{"--evnets", "--events", true},
		{"kern", "kernel", true}, // part of the name
		{"ke", "kernel", false},
		{"abcdefghijklmnopqrst", "abcdefghijklmnop", true},
		{"abcdefghijklmnopqrstuvwx", "abcdefghijklmnopqrs", false},
	} {
		if got := Nearest(x.word, []string{x.name}); (len(got) > 0) != x.want {
			t.Errorf("Nearest(%q, %q): %v, want %v", x.word, x.name, len(got) > 0, x.want)
		}
	}
}

func TestDidYouMean(t *testing.T) {
	for _, x := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"report"}, "; did you mean report?"},
		{[]string{"report", "repork"}, "; did you mean repork or report?"},
		{[]string{"report", "repork", "repors", "reports"}, "; did you mean repork, repors or report?"},
	} {
		if got := DidYouMean("repor", x.names); got != x.want {
			t.Errorf("%q: got %q, want %q", x.names, got, x.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"kitten", "sitting", 3},
		{"ca", "abc", 3},
	} {
		if got := distance(x.a, x.b, 10); got != x.want {
			t.Errorf("distance(%q, %q) = %d, want %d", x.a, x.b, got, x.want)
		}
		if got := distance(x.a, x.b, 1); x.want > 1 && got <= 1 {
			t.Errorf("distance(%q, %q) = %d with limit 1", x.a, x.b, got)
		}
	}
}
