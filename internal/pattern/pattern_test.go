package pattern_test

import (
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/pattern"
)

func TestMatches(t *testing.T) {
	type event struct{ system, name, alias string }
	tests := []struct {
		pattern string
		yes, no []event
	}{
		{"sched:sched_*", []event{{"sched", "sched_switch", ""}},
			[]event{{"sched", "other", ""}, {"power", "sched_x", ""}}},
		{"sched/sched_switch", []event{{"sched", "sched_switch", ""}}, []event{{"sched", "sched_wakeup", ""}}},
		{"sched_switch", []event{{"sched", "sched_switch", ""}, {"", "sched_switch", ""}},
			[]event{{"sched_switch", "x", ""}}},
		{"sched:", []event{{"sched", "anything", ""}}, []event{{"sched2", "anything", ""}}},
		{"kernel.sched_*", []event{{"kernel", "sched_schedule", ""}}, []event{{"kernel", "idle", ""}}},
		{"WORKER", []event{{"trcfmt", "021", "WORKER"}}, []event{{"trcfmt", "021", "OTHER"}, {"trcfmt", "021", ""}}},
		{"02[5-7]", []event{{"trcfmt", "026", ""}}, []event{{"trcfmt", "028", ""}}},
		{"a*z", []event{{"", "a/b:z", ""}}, []event{{"", "a/b", ""}}},
		{"operator*", []event{{"app", "operator/", ""}}, nil},
		{" irq:* ", []event{{"irq", "irq_handler_entry", ""}}, []event{{"net", "irq", ""}}},
	}
	for _, tt := range tests {
		p, err := pattern.Parse(tt.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if p.String() != strings.TrimSpace(tt.pattern) {
			t.Errorf("%q is %q", tt.pattern, p)
		}
		for _, e := range tt.yes {
			if !p.Matches(e.system, e.name, e.alias) {
				t.Errorf("%s does not match %+v", tt.pattern, e)
			}
		}
		for _, e := range tt.no {
			if p.Matches(e.system, e.name, e.alias) {
				t.Errorf("%s matches %+v", tt.pattern, e)
			}
		}
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"", "  ", "[", "sched:[", "[a:b", "a\\"} {
		if _, err := pattern.Parse(bad); err == nil || !strings.HasPrefix(err.Error(), strings.TrimSpace(bad)) ||
			!strings.Contains(err.Error(), "write") && !strings.Contains(err.Error(), "empty") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := pattern.ParseList([]string{"a,b", "c,["}); err == nil ||
		!strings.HasPrefix(err.Error(), "[: the bracket is not closed") {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	if !(pattern.List)(nil).Matches("any", "event", "") {
		t.Error("no pattern chooses nothing")
	}
	list, err := pattern.ParseList([]string{"irq:*,sched_switch", "timer:*"})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"irq:x": true, "sched:sched_switch": true, "timer:y": true,
		"sched:sched_wakeup": false} {
		system, event, _ := strings.Cut(name, ":")
		if list.Matches(system, event, "") != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}

func TestIn(t *testing.T) {
	events := [][2]string{{"sched", "sched_switch"}, {"irq", "irq_raise"}, {"irq", "timer"}, {"timer", "start"}}
	names := func(yield func(system, name, alias string) bool) {
		for _, e := range events {
			if !yield(e[0], e[1], "") {
				return
			}
		}
	}
	for text, want := range map[string]string{
		"sched":       "sched:sched_switch",
		"timer":       "irq:timer", // an event with that name exists
		"sche?":       "",
		"irq,sched_*": "sched:sched_switch irq:irq_raise irq:timer",
		"timer:":      "timer:start",
		"*":           "sched:sched_switch irq:irq_raise irq:timer timer:start",
	} {
		list, err := pattern.ParseList([]string{text})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range events {
			if list.In(names).Matches(e[0], e[1], "") {
				got = append(got, e[0]+":"+e[1])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s chooses %v, want %s", text, got, want)
		}
	}
}
