package command

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// These tests check the tree of commands against docs/conventions.md. Tables list permitted
// exceptions with their reasons.

// everyCommand returns all commands that help lists, and tracec itself.
func everyCommand() (list []*cobra.Command) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Hidden {
			return
		}
		list = append(list, c)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(Tree())
	return list
}

// replaces reports whether a command takes the options of another tool.
func replaces(c *cobra.Command) bool {
	for ; c.HasParent(); c = c.Parent() {
		if c.GroupID == "replace" {
			return true
		}
	}
	return false
}

// ownFlags calls do for each visible flag of the commands whose options are our own.
func ownFlags(do func(c *cobra.Command, f *pflag.Flag)) {
	for _, c := range everyCommand() {
		if replaces(c) {
			continue
		}
		for _, s := range Options(c) {
			s.Flags.VisitAll(func(f *pflag.Flag) { do(c, f) })
		}
	}
}

// exceptions are permitted findings of a test, by "COMMAND --FLAG" or "--FLAG". Each must occur.
type exceptions map[string]string

// has reports whether the flag of a command is an exception. It records the exception in seen.
func (e exceptions) has(seen map[string]bool, c *cobra.Command, f *pflag.Flag) bool {
	for _, key := range []string{helpName(c) + " --" + f.Name, "--" + f.Name} {
		if e[key] != "" {
			seen[key] = true
			return true
		}
	}
	return false
}

func (e exceptions) unused(t *testing.T, seen map[string]bool) {
	t.Helper()
	for key := range e {
		if !seen[key] {
			t.Errorf("%s is no exception any more", key)
		}
	}
}

// questions are the commands that sum derived tables.
var questions = []string{"latency", "syscalls", "irq", "io", "locks", "calls", "curt"}

// TestFlagNames checks that names of flags are words, and not names of commands.
func TestFlagNames(t *testing.T) {
	like := exceptions{
		"--version":     "the flag that every program has",
		"gen --check":   "as that of fmt and index: what is there is compared",
		"index --check": "compares what is there",
		"fmt --check":   "compares what is there",
		"fmt --diff":    "of gofmt",
		"fmt --list":    "of gofmt",
	}
	for _, name := range questions {
		like[name+" --diff"] = "compares what is printed, as uftrace report --diff"
	}
	names := map[string]bool{}
	for _, c := range Tree().Commands() {
		names[c.Name()] = true
	}
	word, seen := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`), map[string]bool{}
	ownFlags(func(c *cobra.Command, f *pflag.Flag) {
		if (!word.MatchString(f.Name) || len(f.Name) < 2) && !like.has(seen, c, f) {
			t.Errorf("%s --%s: not a name of two letters or more", c.CommandPath(), f.Name)
		}
		if names[f.Name] && !like.has(seen, c, f) {
			t.Errorf("%s --%s: there is a command of that name", c.CommandPath(), f.Name)
		}
	})
	like.unused(t, seen)
}

// TestOneMeaning checks that a flag has the same meaning in all commands, and that a short form
// belongs to one flag.
func TestOneMeaning(t *testing.T) {
	differ := exceptions{
		"sql --csv":       "prints rows as they are",
		"live --event":    "chooses what the kernel records",
		"live --output":   "is a trace.dat",
		"live --to":       "not all formats can be written as events come",
		"live --delay":    "waits for CPUs, not for files",
		"gen --check":     "writes files",
		"fmt --check":     "lays out files",
		"gen --text":      "is about code, not about output",
		"gen --output":    "says the default",
		"gen --verbose":   "lists what is generated",
		"diff --verbose":  "lists what did not change",
		"check --fail-on": "a check fails by default",
		"vet --fail-on":   "is about findings, not about decoders",
	}
	for _, name := range questions {
		differ[name+" --by"] = "takes columns of a table"
		differ[name+" --filter"] = "is about rows of a table"
		differ[name+" --diff"] = "compares recordings"
	}
	seen, first, short := map[string]bool{}, map[string]string{}, map[string]string{}
	same := map[string]string{} // exceptions without a difference
	ownFlags(func(c *cobra.Command, f *pflag.Flag) {
		is := fmt.Sprintf("-%s %s %q default %q: %s", f.Shorthand, f.Value.Type(), ValueOf(f), f.DefValue, f.Usage)
		before, ok := first[f.Name]
		switch {
		case differ.has(seen, c, f):
			same[c.Name()+" --"+f.Name] = is
		case !ok:
			first[f.Name] = is
		case before != is:
			t.Errorf("%s --%s: %s\nelsewhere: %s", c.CommandPath(), f.Name, is, before)
		}
		if f.Shorthand != "" {
			if other := short[f.Shorthand]; other != "" && other != f.Name && len(f.Name) > 1 && len(other) > 1 {
				t.Errorf("%s -%s: --%s, elsewhere --%s", c.CommandPath(), f.Shorthand, f.Name, other)
			}
			short[f.Shorthand] = f.Name
		}
	})
	for key, is := range same {
		if _, name, _ := strings.Cut(key, " --"); first[name] == is || first[name] == "" {
			t.Errorf("%s is no exception any more", key)
		}
	}
	differ.unused(t, seen)
}

// TestBlocks: a command has all flags of a block or none.
func TestBlocks(t *testing.T) {
	partly := map[string]string{
		"live select": "a kernel that runs has no part before now; -e is another",
	}
	whole := map[string][]string{}
	blocks := func(c *cobra.Command) map[string][]string {
		has := map[string][]string{}
		for _, s := range Options(c) {
			if s.block != "" {
				s.Flags.VisitAll(func(f *pflag.Flag) { has[s.block] = append(has[s.block], f.Name) })
			}
		}
		return has
	}
	for _, c := range everyCommand() {
		if replaces(c) {
			continue
		}
		for b, names := range blocks(c) {
			if len(names) > len(whole[b]) {
				whole[b] = names
			}
		}
	}
	opens := map[string]bool{}
	for _, c := range everyCommand() {
		if replaces(c) {
			continue
		}
		has := blocks(c)
		opens[c.Name()] = has[recordingBlock] != nil
		for b, names := range has {
			if b != outputBlock && len(names) != len(whole[b]) && partly[c.Name()+" "+b] == "" {
				t.Errorf("%s: of the block %s %q, which are %q", c.CommandPath(), b, names, whole[b])
			}
		}
	}
	for _, name := range []string{"stat", "report", "info", "list", "view", "open", "sql", "export", "index", "gen",
		"vet", "diff", "check", "latency", "syscalls", "irq", "io", "locks", "calls", "curt"} {
		if !opens[name] {
			t.Errorf("%s opens recordings and lacks the options of opening", name)
		}
		delete(opens, name)
	}
	for name, yes := range opens {
		if yes {
			t.Errorf("%s has the options of opening and opens nothing", name)
		}
	}
}

// placeholders are the placeholders for values of our own flags.
var placeholders = strings.Fields("FILE DIR PATH NAME LIST GLOBS FILTER TIME SIZE N FORMAT WHEN NAME=VALUE FIELD " +
	"CLOCK TRACER FORM KEY WHAT HOW PACKAGE PREFIX")

// closedPlaceholders are the placeholders of closed lists.
var closedPlaceholders = strings.Fields("FORMAT WHEN CLOCK TRACER FORM KEY WHAT HOW")

// TestPlaceholders checks that placeholders are in capitals, and come from a short list of words.
func TestPlaceholders(t *testing.T) {
	ownFlags(func(c *cobra.Command, f *pflag.Flag) {
		v := ValueOf(f)
		if v == "" && f.Value.Type() != "bool" {
			t.Errorf("%s --%s takes a value, for which nothing stands", c.CommandPath(), f.Name)
		}
		if v != "" && !slices.Contains(placeholders, v) {
			t.Errorf("%s --%s %s: none of %s", c.CommandPath(), f.Name, v, placeholders)
		}
	})
	for _, c := range everyCommand() {
		for _, s := range Options(c) {
			s.Flags.VisitAll(func(f *pflag.Flag) {
				if v := ValueOf(f); v != strings.ToUpper(v) || strings.Contains(f.Usage, "`") ||
					slices.Contains(wordsOf(f), v) {
					t.Errorf("%s --%s %s: %s", c.CommandPath(), f.Name, v, f.Usage)
				}
			})
		}
	}
}

// TestSentences checks that the text of a flag is short, and begins with a verb, "only" or the name
// of the system that it is for.
func TestSentences(t *testing.T) {
	long := exceptions{"export --to": "names all formats"}
	begins := regexp.MustCompile(`^(AIX|LTTng [0-9., ]+[0-9x]|[a-z][a-z-]*)\b`)
	seen := map[string]bool{}
	for _, c := range everyCommand() {
		for _, s := range Options(c) {
			s.Flags.VisitAll(func(f *pflag.Flag) {
				u := f.Usage
				if !begins.MatchString(u) || strings.HasSuffix(u, ".") || strings.HasPrefix(u, "the ") ||
					strings.HasPrefix(u, "of ") {
					t.Errorf("%s --%s: %q", c.CommandPath(), f.Name, u)
				}
				if len([]rune(u)) > 60 && !long.has(seen, c, f) {
					t.Errorf("%s --%s: %d characters: %q", c.CommandPath(), f.Name, len([]rune(u)), u)
				}
				for _, w := range wordsOf(f) {
					if !strings.Contains(u, w) && !replaces(c) {
						t.Errorf("%s --%s takes %s, which is not said: %q", c.CommandPath(), f.Name, w, u)
					}
				}
			})
		}
	}
	long.unused(t, seen)
}
