package command

import (
	"io"
	"strings"
	"testing"
)

// TestUftraceUsage expects the options of a command before the common options, and no options of
// other commands.
func TestUftraceUsage(t *testing.T) {
	for command, own := range map[string][]string{
		"replay": {"--no-merge", "--column-offset", "--libname", "--srcline"},
		"report": {"--avg-total", "--diff", "--sort", "--srcline", "--format"},
		"graph":  {"--task", "--output-fields"},
		"dump":   {"--chrome", "--debug", "--format", "--no-args"},
		"info":   {"--symbols", "--system"},
	} {
		var out strings.Builder
		if code := run([]string{"uftrace", command, "--help"}, nil, &out, io.Discard); code != 0 {
			t.Fatalf("%s: exit code %d", command, code)
		}
		_, flags, _ := strings.Cut(out.String(), "\nFlags:\n")
		first, common, ok := strings.Cut(flags, "\nFlags of all commands:\n")
		if !ok {
			t.Fatalf("%s: no common flags:\n%s", command, out.String())
		}
		for _, name := range own {
			if !strings.Contains(first, " "+name+" ") {
				t.Errorf("%s: %s is not among its flags:\n%s", command, name, first)
			}
		}
		for _, name := range []string{"--data", "--filter", "--time-range", "--memory"} {
			if strings.Contains(first, " "+name+" ") || !strings.Contains(common, " "+name+" ") {
				t.Errorf("%s: %s is not among the common flags", command, name)
			}
		}
		if command != "report" && strings.Contains(flags, "--avg-total") {
			t.Errorf("%s: --avg-total concerns report", command)
		}
	}
}
