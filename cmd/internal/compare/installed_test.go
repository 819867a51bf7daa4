package main

import (
	"slices"
	"strings"
	"testing"
)

// TestRefused has commands that both tools refuse. What they say must be the same, or of the same
// kind.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		ref, ours string
		same      bool
	}{
		{"Usage: invalid sort key: size\n", "tracec: invalid sort key: size\n", true},
		{"\x1b[91muftrace: \x1b[0mUnknown field name 'x'\n", "tracec: Unknown field name 'x'\n", true},
		{"uftrace: cannot open 'x'\n", "tracec: open x: no such file or directory\n", true},
		{"Usage: invalid sort key: size\n", "tracec: invalid sort key: self\n", false},
		{"Usage: invalid sort key: size\n", "tracec: open x: no such file or directory\n", false},
		{"cannot open\n", "cannot open\ngoroutine 1 [running]:\n", false},
		{"", "", false},
	} {
		res := newTally(job{})
		res.refused("report", &answer{said: []byte(c.ref), status: 1}, &answer{said: []byte(c.ours), status: 2})
		if got := res.bothRefuse == 1; got != c.same || got == (res.unexplained == 1) {
			t.Errorf("%q and %q: refused for the same reason: %t, unexplained: %d", c.ref, c.ours, got, res.unexplained)
		}
	}
}

// TestArguments has the places where the tools want the name of the recording.
func TestArguments(t *testing.T) {
	uftrace := installedJob{program: "uftrace", given: []string{"-d", "x"}}
	traceCmd := installedJob{program: "trace-cmd", given: []string{"-i", "x"}}
	for _, c := range []struct {
		job        installedJob
		line, want string
	}{
		{uftrace, "graph -D 2 main", "graph -d x -D 2 main"},
		{traceCmd, "report -F sched", "report -F sched -i x"},
		{traceCmd, "report --ts-offset 5 -F sched -t", "report -F sched -t -i x --ts-offset 5"},
	} {
		if got := strings.Join(c.job.arguments(strings.Fields(c.line)), " "); got != c.want {
			t.Errorf("%s: %s, not %s", c.line, got, c.want)
		}
	}
}

// TestFunctionsLast has a function drawn before an option, which uftrace would not read.
func TestFunctionsLast(t *testing.T) {
	words := []string{"{f}", "-D 2", "-f all"}
	slices.SortStableFunc(words, byPlace)
	if got := strings.Join(words, " "); got != "-D 2 -f all {f}" {
		t.Error(got)
	}
}

// TestShapes has lines that differ as the list allows, and lines that differ otherwise.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name         string
		shape        shape
		theirs, ours string
		holds        bool
	}{
		{"another time", shape{numbers, same}, "  1.2 us : main\n", " 13.1 us : main\n", true},
		{"another function", shape{numbers, same}, "  1.2 us : main\n", "  1.2 us : a\n", false},
		{"a line more", shape{nil, longer}, "a\nc\n", "a\nb\nc\n", true},
		{"a line less", shape{nil, longer}, "a\nb\nc\n", "a\nc\n", false},
		{"one has all", shape{nil, within}, "a\nb\nc\n", "a\nc\n", true},
		{"each has its own", shape{nil, within}, "a\nb\n", "a\nc\n", false},
		{"another order", shape{nil, reordered}, "a\nb\n", "b\na\n", true},
		{"no order", shape{nil, reordered}, "a\nb\n", "b\nb\n", false},
		{"a comma", shape{nil, punctuated}, "{\"a\":1}{\"b\":2},\n,\n{\"c\":3}\n", "{\"a\":1},\n{\"b\":2},\n{\"c\":3}\n", true},
		{"an element", shape{nil, punctuated}, "{\"a\":1}{\"b\":2}\n", "{\"a\":1}\n", false},
		{"no graph", shape{heading, same}, "uftrace: cannot find graph for 'a'\n", "# Function Call Graph for 'a' (session: 1)\n", true},
		{"another tree", shape{numbers, functions}, " 1.2 us : (1) a\n +-(2) b\n", "a\nb\nc\n", true},
		{"functions of their own", shape{numbers, functions}, "a\nb\n", "a\nc\n", false},
		{"a time of two blanks", shape{numbers, same}, " 1.020  h | a\n", " 3.846 us | a\n", true},
	} {
		if got := c.shape.holds([]byte(c.theirs), []byte(c.ours)); got != c.holds {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}
