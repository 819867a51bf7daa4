package command

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/shlex"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// inDocuments matches a command line of tracec in a document.
var inDocuments = regexp.MustCompile("(?m)(?:^\\$ |^//go:generate go tool |`|\\| |^)(tracec [a-z][^`\n]*)")

// TestDocuments: the commands in README and docs use only flags and commands that help lists.
func TestDocuments(t *testing.T) {
	names := []string{"../../README.md"}
	err := filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inDocuments.FindAllStringSubmatch(string(text), -1) {
			words, err := shlex.Split(m[1])
			if err != nil {
				words = strings.Fields(m[1]) // part of a line
			}
			if hidden := hiddenIn(words[1:]); hidden != "" {
				t.Errorf("%s: %s: %s is an old name", name, m[1], hidden)
			}
			n++
		}
	}
	if n < 50 {
		t.Errorf("only %d commands", n)
	}
}

// hiddenIn returns the first word of a command line that names a hidden flag or command, or a
// command by an old name.
func hiddenIn(words []string) string {
	words = oneDash(words)
	c, rest, err := newRoot().Find(words)
	if err != nil || !c.HasParent() {
		return ""
	}
	if c.Hidden || oldName(c, words) {
		return words[0]
	}
	for _, w := range rest {
		if w == "|" || w == "--" || w == ">" || w == "&&" {
			return ""
		}
		var f *pflag.Flag
		switch name, _, _ := strings.Cut(strings.TrimLeft(w, "-"), "="); {
		case strings.HasPrefix(w, "--"):
			f = c.Flag(name)
		case len(w) == 2 && w[0] == '-':
			f = c.Flags().ShorthandLookup(w[1:])
		}
		if f != nil && f.Hidden && f.Name != "short-help" {
			return w
		}
	}
	return ""
}

// oldName reports whether words name a command by an alias.
func oldName(c *cobra.Command, words []string) bool {
	for _, w := range words {
		if w == c.Name() {
			return false
		}
		if c.HasAlias(w) {
			return true
		}
	}
	return false
}
