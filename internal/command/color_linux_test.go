package command

import (
	"strings"
	"testing"
)

// TestColorsOfTerminal checks that a terminal has colours unless the environment disables them, and
// that tables on it end after some rows.
func TestColorsOfTerminal(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "")
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	for _, args := range colored {
		if got := onTerminal(t, args...); !escape.MatchString(got) || strings.Contains(got, "^[") {
			t.Errorf("%q: no colours, or escapes that are shown:\n%.300q", args, got)
		}
	}
	many := []string{"stat", "../../testdata/ftrace/amd64-syscalls.dat"}
	if got := onTerminal(t, many...); !strings.Contains(got, " more (-n 0)") {
		t.Errorf("all rows are shown:\n%s", got)
	}
	if got := onTerminal(t, append(many, "-n", "0")...); strings.Contains(got, " more (") {
		t.Errorf("-n 0 does not show all:\n%s", got)
	}
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb"} {
		t.Setenv(name, value)
		if got := onTerminal(t, colored[0]...); strings.Contains(got, "\x1b") {
			t.Errorf("%s=%s: escapes", name, value)
		}
		t.Setenv("NO_COLOR", "")
		t.Setenv("TERM", "xterm")
	}
}
