package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseUses(t *testing.T) {
	for _, tt := range []struct{ value, want, err string }{
		{"k1 a=1 b=23", "[{k1/a 1} {k1/b 23}]", ""},
		{"k1 a@3.4=2 *=9", "[{k1/a@3.4 2} {k1/* 9}]", ""},
		{"k1", "", "want FOLDER"},
		{"k1 a", "", "want NAME=NUMBER"},
		{"k1 a=0", "", "want NAME=NUMBER"},
		{"k1 a=-1", "", "want NAME=NUMBER"},
		{"k1 [=1", "", "syntax error in pattern"},
	} {
		list, err := parseUses(tt.value)
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%q: error %v, want %q", tt.value, err, tt.err)
			}
		} else if got := fmt.Sprint(list); err != nil || got != tt.want {
			t.Errorf("%q: %s, %v, want %s", tt.value, got, err, tt.want)
		}
	}
}

func TestAllowed(t *testing.T) {
	r := &rule{uses: []allowance{{"k/*", 9}, {"k/a", 3}, {"k/a@3.4", 2}}}
	for _, tt := range []struct {
		mode, recording string
		want            int
	}{
		{"report", "k/a", 3}, {"report-3.3", "k/a", 3}, {"report-3.4", "k/a", 2}, {"N-3.4", "k/b", 9}, {"N", "l/a", 0},
		{"u-dump", "k/a", 3},
	} {
		if got := r.allowed(tt.mode, tt.recording); got != tt.want {
			t.Errorf("%s %s: %d, want %d", tt.mode, tt.recording, got, tt.want)
		}
	}
}

// TestBudget uses a rule twice as often as permitted, and once less often than required.
func TestBudget(t *testing.T) {
	rules, err := parseRules("table", strings.NewReader(strings.ReplaceAll(ruleTable, "id: page\n",
		"id: page\nuses: k a=2\n")))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		pairs, listed, unexplained int
		shortfalls                 string
	}{
		{1, 1, 0, "[page in k/a: 1 uses of 2]"}, {2, 2, 0, "[]"}, {4, 2, 2, "[]"},
	} {
		res, e := newTally(job{recording: "k/a", mode: mode{name: "N"}}), newExplainer(rules, "N", "k/a")
		for range tt.pairs {
			res.add(pair{&block{text: []byte("page=0x1\n"), lines: 1, event: "mm_x"},
				&block{text: []byte("page=(nil)\n"), lines: 1, event: "mm_x"}}, e)
		}
		if res.listed != tt.listed || res.unexplained != tt.unexplained {
			t.Errorf("%d pairs: %d listed, %d unexplained", tt.pairs, res.listed, res.unexplained)
		}
		if over := res.over != nil; over != (tt.unexplained > 0) {
			t.Errorf("%d pairs: over the budget: %v", tt.pairs, res.over)
		}
		if got := fmt.Sprint(shortfalls(rules, []*tally{res})); got != tt.shortfalls {
			t.Errorf("%d pairs: %s", tt.pairs, got)
		}
	}
}

func TestWriteUses(t *testing.T) {
	const doc = "Why.\n```rule\nid: a\nuses: k x=1 *=7\nuses: l y=2\nours: x\n```\nuses: of prose\n```rule\nid: b\n```\n"
	rules := []*rule{{id: "a", uses: []allowance{{"k/x", 1}, {"k/*", 7}, {"l/y", 2}}}, {id: "b"}}
	tallies := []*tally{
		{job: job{recording: "k/x", mode: mode{name: "N"}}, uses: map[string]int{"a": 4}},
		{job: job{recording: "k/x", mode: mode{name: "report"}}, uses: map[string]int{"a": 5}},
		{job: job{recording: "k/x", mode: mode{name: "report-3.4"}}, uses: map[string]int{"a": 6}},
		{job: job{recording: "k/x", mode: mode{name: "report-3.3"}}, uses: map[string]int{"a": 5}},
		{job: job{recording: "m/z", mode: mode{name: "N"}}, uses: map[string]int{"b": 1}},
	}
	lines := map[string][]string{}
	for _, r := range rules {
		lines[r.id] = usesLines(r.counted(mostUses(tallies)))
	}
	const want = "Why.\n```rule\nid: a\nours: x\nuses: k *=7 x=5 x@3.4=6\nuses: l y=2\n```\nuses: of prose\n```rule\nid: b\nuses: m z=1\n```\n"
	if d := cmp.Diff(want, string(replaceUses([]byte(doc), lines))); d != "" {
		t.Error(d)
	}
}

// TestClock: a line that only we have is between earlier and later lines.
func TestClock(t *testing.T) {
	event := func(time string) *block {
		return &block{text: fmt.Appendf(nil, "  x-1   [000]   %s: e: a\n", time)}
	}
	for _, tt := range []struct {
		times string // times of our lines; a star marks lines that the reference lacks
		want  bool
	}{
		{"1.0 2.0 3.0", true}, {"1.0 3.0 2.0", true}, {"1.0 *2.0 3.0", true}, {"9.0 *10.0 11.0", true},
		{"1.0 *4.0 3.0", false}, {"2.0 *1.0 3.0", false}, {"2.0 *2.0 2.0", true}, {"*3.0 2.0", false},
	} {
		var c clock
		got := true
		for _, time := range strings.Fields(tt.times) {
			b := event(strings.TrimPrefix(time, "*"))
			p := pair{ref: b, ours: b}
			if time[0] == '*' {
				p.ref = nil
			}
			got = c.inTime(p) && got
		}
		if got != tt.want {
			t.Errorf("%s: in time %t, want %t", tt.times, got, tt.want)
		}
	}
}
