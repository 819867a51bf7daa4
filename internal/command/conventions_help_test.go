package command

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// longHelps are help texts of more than 60 lines.
var longHelps = map[string]string{
	"tracec":           "names every command",
	"trace-cmd-report": "trace-cmd has 45 options",
	"trcrpt":           "trcrpt has 27 options, and there are rules",
	"uftrace":          "all options of all commands",
	"uftrace-replay":   "every command of uftrace takes all options",
	"uftrace-report":   "every command of uftrace takes all options",
	"uftrace-graph":    "every command of uftrace takes all options",
	"uftrace-dump":     "every command of uftrace takes all options",
	"uftrace-info":     "every command of uftrace takes all options",
}

// TestHelps checks the length and width of help texts, and the names that they must contain.
func TestHelps(t *testing.T) {
	for _, c := range everyCommand() {
		name := helpName(c)
		long, short := LongHelp(c), ShortHelp(c)
		h := HelpOf(c)
		if h.Sentence == "" || strings.Contains(h.Sentence, "\n") || !strings.HasSuffix(h.Sentence, ".") ||
			h.Usage == "" || h.Examples == "" {
			t.Errorf("%s: sentence %q, usage %q, examples %q", name, h.Sentence, h.Usage, h.Examples)
		}
		if n := strings.Count(long, "\n"); n > 60 && longHelps[name] == "" {
			t.Errorf("%s: the help has %d lines", name, n)
		}
		most := 12
		if !c.HasParent() {
			most = 25
		} else if !strings.HasSuffix(short, "\nFull help: "+c.CommandPath()+" --help\n") &&
			!strings.HasSuffix(short, " COMMAND --help\n") {
			t.Errorf("%s: where is the full help?\n%s", name, short)
		}
		if n := strings.Count(short, "\n"); n > most {
			t.Errorf("%s: the short help has %d lines", name, n)
		}
		narrow(t, name, long+short)
		_, flags, _ := strings.Cut(long, helpText(c))
		for _, s := range Options(c) {
			s.Flags.VisitAll(func(f *pflag.Flag) {
				if n := len(regexp.MustCompile(`(?m)(?:^ +|, )--`+f.Name+`(?:[ ,]|$)`).FindAllString(flags,
					-1)); n != 1 {
					t.Errorf("%s: --%s is %d times in the list of flags", name, f.Name, n)
				}
			})
		}
		for _, f := range shortFlags[name] {
			if c.Flag(f) == nil {
				t.Errorf("%s: no flag --%s for the short help", name, f)
			}
		}
	}
	for name := range shortFlags {
		if !slices.ContainsFunc(everyCommand(), func(c *cobra.Command) bool { return helpName(c) == name }) {
			t.Errorf("short help of %s, which is no command", name)
		}
	}
	for _, name := range Topics {
		narrow(t, name, Topic(name))
		if n := strings.Count(Topic(name), "\n"); n > 60 || n < 5 {
			t.Errorf("the topic %s has %d lines", name, n)
		}
	}
}

// narrow finds lines of more than 80 columns.
func narrow(t *testing.T, name, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > 80 || strings.ContainsRune(line, '\t') ||
			strings.HasSuffix(line, " ") {
			t.Errorf("%s: %q", name, line)
		}
	}
}

// TestRootHelp: the help of tracec lists each command once.
func TestRootHelp(t *testing.T) {
	short, long := ShortHelp(Tree()), LongHelp(Tree())
	_, list, _ := strings.Cut(short, "\n\nRead\n")
	list, _, _ = strings.Cut(list, "\n\n")
	var named []string
	for line := range strings.Lines(list) {
		if words, ok := strings.CutPrefix(line, "  "); ok {
			words, _, _ = strings.Cut(strings.TrimSpace(words), "  ")
			named = append(named, strings.Split(words, ", ")...)
		}
	}
	for _, c := range Tree().Commands() {
		want := 1
		if c.GroupID == "other" {
			want = 0
		}
		got := 0
		for _, n := range named {
			if n == c.Name() {
				got++
			}
		}
		if got != want {
			t.Errorf("%s is %d times in the short help", c.Name(), got)
		}
		if n := strings.Count(long, "\n  "+c.Name()+" "); n != 1 {
			t.Errorf("%s is %d times in the long help", c.Name(), n)
		}
	}
	for _, topic := range Topics {
		if n := strings.Count(long, "\n  "+topic+" "); n != 1 {
			t.Errorf("the topic %s is %d times in the long help", topic, n)
		}
	}
}

// TestAskForHelp: each of several ways to ask for help succeeds.
func TestAskForHelp(t *testing.T) {
	for _, c := range everyCommand() {
		path := strings.Fields(c.CommandPath())[1:]
		with := func(args ...string) []string { return append(slices.Clone(path), args...) }
		asked := map[string][][]string{
			LongHelp(c):  {with("--help"), append([]string{"help"}, path...)},
			ShortHelp(c): {with("-h"), with("-h", "extra")},
		}
		if f := c.Flags().ShorthandLookup("e"); f != nil && !replaces(c) {
			asked[ShortHelp(c)] = append(asked[ShortHelp(c)], with("-e", "y", "-h"))
		}
		if c.Name() == "trcrpt" { // its -h is trcrpt's -h
			delete(asked, ShortHelp(c))
		}
		for want, lines := range asked {
			for _, args := range lines {
				if c.HasSubCommands() && len(args) > 0 && args[len(args)-1] == "extra" {
					continue // the name of a command
				}
				var out, messages bytes.Buffer
				if code := run(args, nil, &out, &messages); code != 0 || messages.Len() > 0 || out.String() != want {
					t.Errorf("%q: exit code %d, %q, and prints\n%s", args, code, &messages, &out)
				}
			}
		}
	}
	for _, topic := range Topics {
		var out, messages bytes.Buffer
		if code := run([]string{"help", topic}, nil, &out, &messages); code != 0 || messages.Len() > 0 ||
			out.String() != Topic(topic) {
			t.Errorf("help %s: exit code %d, %q", topic, code, &messages)
		}
	}
	for _, command := range []string{"stat", "report", "info"} {
		var out, messages bytes.Buffer
		if code := run([]string{command, "--", "-h"}, nil, &out, &messages); code != exitFailed || out.Len() > 0 {
			t.Errorf("%s -- -h: exit code %d: %s", command, code, &messages)
		}
	}
}

// TestCompleteLists checks that flags with a closed list of words offer them, and that no message
// is printed.
func TestCompleteLists(t *testing.T) {
	kernel := []string{"live --clock", "live --tracer"} // the kernel lists them
	for _, c := range everyCommand() {
		path := strings.Fields(c.CommandPath())[1:]
		complete := func(args ...string) (words []string) {
			var out, messages bytes.Buffer
			if code := run(slices.Concat([]string{"__complete"}, path, args), nil, &out, &messages); code != 0 ||
				messages.Len() > 0 {
				t.Errorf("%s %q: exit code %d, %q", c.CommandPath(), args, code, &messages)
			}
			for line := range strings.Lines(out.String()) {
				word, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				if !strings.HasPrefix(line, ":") {
					words = append(words, word)
				}
			}
			return words
		}
		complete("")
		if words := complete("-"); !slices.Contains(words, "--help") {
			t.Errorf("%s: --help is not offered: %q", c.CommandPath(), words)
		}
		for _, s := range Options(c) {
			s.Flags.VisitAll(func(f *pflag.Flag) {
				switch words := wordsOf(f); {
				case words != nil:
					if got := complete("--"+f.Name, ""); !slices.Equal(got, words) {
						t.Errorf("%s --%s offers %q of %q", c.CommandPath(), f.Name, got, words)
					}
				case slices.Contains(closedPlaceholders, ValueOf(f)) &&
					!slices.Contains(kernel, helpName(c)+" --"+f.Name):
					if got := complete("--"+f.Name, ""); len(got) == 0 {
						t.Errorf("%s --%s %s offers %q", c.CommandPath(), f.Name, ValueOf(f), got)
					}
				}
			})
		}
	}
	for _, args := range [][]string{{"report", "-e", ""}, {"report", "nosuch", "-e", "x"},
		{"stat", "help.go", "--pid", ""}, {"nosuch", ""}} {
		var out, messages bytes.Buffer
		run(append([]string{"__complete"}, args...), nil, &out, &messages)
		if messages.Len() > 0 || !strings.HasPrefix(out.String(), ":") {
			t.Errorf("%q: %q, %q", args, &out, &messages)
		}
	}
}
