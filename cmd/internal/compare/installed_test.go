package main

import (
	"slices"
	"strings"
	"testing"
)

// TestRefused has commands that both tools reject. The messages must be equal, except for the name
// of the tool.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		ref, ours string
		same      bool
	}{
		{"Usage: invalid sort key: size\n", "tracec: invalid sort key: size\n", true},
		{"\x1b[91muftrace: \x1b[0mUnknown field name 'x'\n", "tracec: Unknown field name 'x'\n", true},
		{"Overriding previous field request for all events.\nSamples for 'a b' event do not have ADDR attribute set. " +
			"Cannot print 'addr' field.\n", "tracec: -F addr: no event of x samples it\n", true},
		{"Samples for 'a' event do not have ADDR attribute set. Cannot print 'addr' field.\n",
			"tracec: -F weight: no event of x samples it\n", false},
		{"CAUSED BY [cli]\n  Duplicate --clock-offset option\n", "tracec: --clock-offset 1: given twice\n", true},
		{"uftrace: cannot open 'x'\n", "tracec: open x: no such file or directory\n", false},
		{"Usage: invalid sort key: size\n", "tracec: invalid sort key: self\n", false},
		{"trace-cmd: Failed to create event filter: a\n",
			"tracec: -F: column 1: x has no event `a`\n  a\n  ^\n", true},
		{"trace-cmd: Failed to create event filter: a\n",
			"tracec: -F: column 1: x has no event `b`\n  b\n  ^\n", false},
		{"Usage: invalid sort key: size\n", "tracec: open x: no such file or directory\n", false},
		{"", "", false},
	} {
		res := newTally(job{})
		res.refused("report", &answer{said: []byte(c.ref), status: 1}, &answer{said: []byte(c.ours), status: 2})
		if got := res.bothRefuse == 1; got != c.same || got == (res.unexplained == 1) {
			t.Errorf("%q and %q: refused for the same reason: %t, unexplained: %d", c.ref, c.ours, got, res.unexplained)
		}
	}
}

// TestArguments checks the place of the recording's name for each tool.
func TestArguments(t *testing.T) {
	uftrace := installedJob{program: "uftrace", given: []string{"-d", "x"}}
	traceCmd := installedJob{program: "trace-cmd", given: []string{"-i", "x"}}
	babeltrace := installedJob{program: "babeltrace2", given: []string{"x"}}
	for _, c := range []struct {
		job        installedJob
		line, want string
	}{
		{uftrace, "graph -D 2 main", "graph -d x -D 2 main"},
		{babeltrace, "convert --no-delta", "convert --no-delta x"},
		{traceCmd, "report -F sched", "report -F sched -i x"},
		{traceCmd, "report --ts-offset 5 -F sched -t", "report -F sched -t -i x --ts-offset 5"},
	} {
		if got := strings.Join(c.job.arguments(strings.Fields(c.line)), " "); got != c.want {
			t.Errorf("%s: %s, not %s", c.line, got, c.want)
		}
	}
}

// TestFunctionsLast: a function is drawn before an option. uftrace would not read the option after
// it.
func TestFunctionsLast(t *testing.T) {
	words := []string{"{f}", "-D 2", "-f all"}
	slices.SortStableFunc(words, byPlace)
	if got := strings.Join(words, " "); got != "-D 2 -f all {f}" {
		t.Error(got)
	}
}

// graphHead is the heading of the graph of a program.
const graphHead = "# Function Call Graph for 'a' (session: 1)\n===== FUNCTION CALL GRAPH =====\n# TOTAL TIME   FUNCTION\n"

// TestShapes has lines that differ as the list allows, and lines that differ otherwise.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name         string
		shape        shape
		theirs, ours string
		holds        bool
	}{
		{"another time", shape{mask: numbers, lines: same}, "  1.2 us : main\n", " 13.1 us : main\n", true},
		{"another function", shape{mask: numbers, lines: same}, "  1.2 us : main\n", "  1.2 us : a\n", false},
		{"a line more", shape{lines: longer}, "a\nc\n", "a\nb\nc\n", true},
		{"a line less", shape{lines: longer}, "a\nb\nc\n", "a\nc\n", false},
		{"one has all", shape{lines: within}, "a\nb\nc\n", "a\nc\n", true},
		{"each has its own", shape{lines: within}, "a\nb\n", "a\nc\n", false},
		{"another order", shape{lines: reordered}, "a\nb\n", "b\na\n", true},
		{"no order", shape{lines: reordered}, "a\nb\n", "b\nb\n", false},
		{"a comma", shape{lines: punctuated}, "{\"a\":1}{\"b\":2},\n,\n{\"c\":3}\n",
			"{\"a\":1},\n{\"b\":2},\n{\"c\":3}\n", true},
		{"an element", shape{lines: punctuated}, "{\"a\":1}{\"b\":2}\n", "{\"a\":1}\n", false},
		{"an empty text", shape{lines: emptied}, "\"x\\\"\"\na \"x\\\"\", \"y\" b\n", "\"x\\\"\"\na \"\", \"y\" b\n",
			true},
		{"a text that was not there before", shape{lines: emptied}, "a \"x\" b\n", "a \"\" b\n", false},
		{"a line without a time more", shape{lines: longer, of: untimed}, "[1] a\n", "[1] a\nb: {}\n", true},
		{"a line with a time more", shape{lines: longer, of: untimed}, "[1] a\n", "[1] a\n[2] b\n", false},
		{"a text of a line that is not shown", shape{lines: emptiedBefore}, "a \"x\" b\n", "a \"\" b\n", true},
		{"a text that is another one", shape{lines: emptiedBefore}, "a \"x\" b\n", "a \"y\" b\n", false},
		{"given up", shape{lines: begun}, "a\n", "a\nb\n", true},
		{"given up elsewhere", shape{lines: begun}, "b\n", "a\nb\n", false},
		{"other frames", shape{mask: frames, lines: same},
			"x 1:\n\tffff81399e59 f+0x1\n", "   x 1:\n\tffff81399e59\n", true},
		{"another sample", shape{mask: frames, lines: same},
			"x 1:\n\tffff81399e59 f\n", "y 1:\n\tffff81399e59\n", false},
		{"labels in another order", shape{lines: emptied}, "( \"b\", \"a\" )\n", "( \"a\", \"b\" )\n", true},
		{"another text", shape{lines: emptied}, "\"b\" 1\n", "\"a\" 1\n", false},
		{"another distance", shape{mask: distances, lines: tied(moment)}, "[1] (+0.1) a\n[1] (+?.?) b\n",
			"[1] (+?.?) b\n[1] (+0.2) a\n", true},
		{"another time first", shape{lines: tied(moment)}, "[1] a\n[2] b\n", "[2] b\n[1] a\n", false},
		{"no graph", shape{mask: heading, lines: same}, "uftrace: cannot find graph for 'a'\n",
			"# Function Call Graph for 'a' (session: 1)\n", true},
		{"another tree", shape{mask: numbers, lines: functions}, " 1.2 us : (1) a\n +-(2) b\n", "a\nb\nc\n", true},
		{"functions of their own", shape{mask: numbers, lines: functions}, "a\nb\n", "a\nc\n", false},
		{"a last line less", shape{mask: numbers, lines: shorter}, "{\"a\":1},\n{\"b\":2}\n", "{\"a\":1}\n", true},
		{"an end less", shape{lines: shorter, of: lostEnd}, "a\n  | } /* mid */\n", "a\n", true},
		{"another end less", shape{lines: shorter, of: lostEnd}, "a\n  | } /* b */\n", "a\n", false},
		{"a time off the processor by number", shape{mask: openSchedule, lines: same}, "[0] <30d47>\n",
			"[0] linux:schedule (pre-empted)\n", true},
		{"another open call", shape{mask: openSchedule, lines: same}, "[0] <30d47>\n", "[0] a\n", false},
		{"a function of a library", shape{mask: plugFrame, lines: same}, " [1] <7fd> (0x7fd)\n",
			" [1] plug_entry (0x7fd)\n", true},
		{"another function of a library", shape{mask: plugFrame, lines: same}, " [1] <7fd> (0x7fd)\n",
			" [1] plug_entry (0x7fe)\n", false},
		{"given up without instances", shape{lines: begunWithout(instances)}, "a\n", "x: b\na\nc\n", true},
		{"a line of no instance more", shape{lines: begunWithout(instances)}, "a\n", "b\na\nc\n", false},
		{"an address", shape{mask: beforeExec, lines: same},
			" [1] <5c0> (0x5c0)\n", " [1] execl (0x5c0)\n", true},
		{"another address", shape{mask: beforeExec, lines: same},
			" [1] <5c0> (0x5c0)\n", " [1] execl (0x5c1)\n", false},
		{"no graph of a thread", shape{lines: unfound}, "uftrace: cannot find graph for '_start'\n", graphHead +
			" 3.5 ms : (1) a\n 3.5 ms : (1) b\n", true},
		{"a graph of a thread", shape{lines: unfound}, graphHead + " 3.5 ms : (1) a\n 3.5 ms : (1) b\n", graphHead +
			" 3.5 ms : (1) a\n 3.5 ms : (1) c\n", false},
		{"a graph without calls", shape{lines: called}, "uftrace: cannot find graph for '_start'\n",
			"# Function Call Graph for 'a' (session: 1)\n", true},
		{"a program without calls", shape{lines: called}, graphHead +
			" 3.5 ms : (1) a\n", "", true},
		{"a call less", shape{lines: called}, graphHead +
			" 3.5 ms : (1) a\n 3.5 ms : (1) b\n", "", false},
		{"the time of a program", shape{lines: calledRoots}, graphHead +
			" 3.5 ms : (1) a\n 3.5 ms : (1) b\n", graphHead +
			" 4.5 us : (1) a\n 3.5 ms : (1) b\n", true},
		{"the time of a call", shape{lines: calledRoots}, graphHead +
			" 3.5 ms : (1) a\n 3.5 ms : (1) b\n", graphHead +
			" 3.5 ms : (1) a\n 3.6 ms : (1) b\n", false},
		{"after a jump", shape{mask: numbers, lines: afterJump}, "a\ndeep\na\nb\n", "a\ndeep\nb\na\n", true},
		{"before a jump", shape{mask: numbers, lines: afterJump}, "a\na\ndeep\n", "a\ndeep\na\n", false},
		{"ends of the jumper after a jump", shape{mask: numbers, lines: afterJump}, "deep\ndeep\n", "deep\na\n", true},
		{"another function after a jump", shape{mask: numbers, lines: afterJump}, "deep\na\n", "deep\nb\n", false},
		{"entries of a library", shape{mask: plugReplay, lines: same},
			" 780.731 us [ 32666] | } /* plug_entry */\n 0.081 us [ 32666] | after() = 2;\n",
			" [ 32666] |   plug_entry() {\n 0.081 us [ 32666] |   after() = 2;\n", true},
		{"another value", shape{mask: plugReplay, lines: same},
			" 780.731 us [ 32666] | } /* plug_entry */\n 0.081 us [ 32666] | after() = 2;\n",
			" [ 32666] |   plug_entry() {\n 0.081 us [ 32666] |   after() = 3;\n", false},
		{"entries of the kernel", shape{mask: kernelTree, lines: longer},
			" 4.214 us : (1) main\n 1.011 us : (1) c\n",
			" 9.304 us : (1) main\n 1.011 us :  +-(1) c\n : |\n 2.000 us : +-(1) ksys_write\n", true},
		{"another call", shape{mask: kernelTree, lines: longer},
			" 4.214 us : (1) main\n 1.011 us : (1) c\n", " 9.304 us : (1) main\n 1.012 us : (1) c\n", false},
		{"the size of no function", shape{mask: scheduleSize, lines: reordered},
			" 5 48  linux:schedule\n 1 39  main\n", " 1 39  main\n 5  -  linux:schedule\n", true},
		{"another size", shape{mask: scheduleSize, lines: reordered},
			" 5 48  linux:schedule\n 1 39  main\n", " 1 40  main\n 5  -  linux:schedule\n", false},
		{"another order with a row less", shape{mask: numbers, lines: sorted(within)}, " 2 b\n 1 a\n", " 3 a\n", true},
		{"another order with its own row", shape{mask: numbers, lines: sorted(within)},
			" 2 b\n 1 a\n", " 3 c\n", false},
		{"a time of two blanks", shape{mask: numbers, lines: same}, " 1.020  h | a\n", " 3.846 us | a\n", true},
	} {
		if got := c.shape.holds([]byte(c.theirs), []byte(c.ours)); got != c.holds {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestKnownRefusal has rejections by tracec, for the reason in the list and for another.
func TestKnownRefusal(t *testing.T) {
	line := strings.Fields("report -F sched")
	for said, known := range map[string]bool{
		"tracec: -F: x has no event `sched`\n": true,
		"tracec: no memory\n":                  false,
	} {
		why := knownOf("installed/made-args", "report", line, &answer{text: []byte("a\n")},
			&answer{said: []byte(said)}, nil)
		if (why != "") != known {
			t.Errorf("%q: %q", said, why)
		}
	}
}
