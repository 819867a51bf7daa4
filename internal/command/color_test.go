package command

import (
	"regexp"
	"strings"
	"testing"
)

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// colored are commands with colours.
var colored = [][]string{
	{"stat", "../../testdata/ftrace/amd64-extract.dat"},
	{"list", "../../testdata/ftrace/sid-zlib.dat"},
	{"diff", "../../testdata/ftrace/amd64-date.dat", "../../testdata/ftrace/sid-zlib.dat"},
	{"report", "../../testdata/ftrace/sid-zlib.dat"},
	{"report", "../../testdata/aix/shop64.trc"},
	{"report", "../../testdata/uftrace/abc-full/data.tar.gz"},
	{"report", "-R", "../../testdata/uftrace/abc-full/data.tar.gz"},
	{"report", "../../testdata/lttng/realwriter/ust26-le64-packed.tar.xz"},
	{"trace-cmd", "report", "../../testdata/ftrace/sid-zlib.dat"},
}

// TestBytesOfPipe checks that output to a pipe does not depend on the environment and has no
// colour. With --color=always only the colours differ.
func TestBytesOfPipe(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "")
	for _, args := range colored {
		t.Setenv("TERM", "xterm-256color")
		t.Setenv("COLUMNS", "40")
		_, plain, _ := tracec(nil, args...)
		if escape.MatchString(plain) || plain == "" {
			t.Errorf("%q: colours in a pipe, or nothing", args)
		}
		t.Setenv("TERM", "dumb")
		t.Setenv("COLUMNS", "")
		t.Setenv("NO_COLOR", "1")
		t.Setenv("LANG", "de_DE.UTF-8")
		if _, got, _ := tracec(nil, args...); got != plain {
			t.Errorf("%q: the environment changes what is printed", args)
		}
		_, painted, _ := tracec(nil, append(args, "--color=always")...)
		if !escape.MatchString(painted) || escape.ReplaceAllString(painted, "") != plain {
			t.Errorf("%q: with colours there is something else", args)
		}
		t.Setenv("NO_COLOR", "")
	}
	_, got, _ := tracec(nil, "trace-cmd", "report", "--color", "always", "--no-color",
		"../../testdata/ftrace/sid-zlib.dat")
	if strings.Contains(got, "\x1b") {
		t.Error("--no-color has colours")
	}
}

// TestColorForced: CLICOLOR_FORCE enables colours in pipes, and --color overrides it.
func TestColorForced(t *testing.T) {
	t.Setenv("NO_COLOR", "")
	t.Setenv("CLICOLOR_FORCE", "1")
	if _, got, _ := tracec(nil, colored[0]...); !escape.MatchString(got) {
		t.Error("no colours")
	}
	if _, got, _ := tracec(nil, append(colored[0], "--color", "never")...); escape.MatchString(got) {
		t.Error("colours with --color never")
	}
	if code, _, _ := tracec(nil, append(colored[0], "--color", "maybe")...); code != exitUsage {
		t.Error("--color maybe is taken")
	}
}
