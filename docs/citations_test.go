package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	// cited matches `aix.md 3.4`, `aix.md section 3.4`, and `aix.md 3.1, 3.4 and 6` as a whole.
	cited = regexp.MustCompile(`\b(ftrace|aix|uftrace|lttng|ctf|tables)\.md (?:sections? )?` +
		`(\d+(?:\.\d+)*(?:(?:,? and |, | to )\d+(?:\.\d+)*\b)*)`)
	number  = regexp.MustCompile(`\d+(?:\.\d+)*`)
	chapter = regexp.MustCompile(`^(?:## (\d+)\.|### (\d+(?:\.\d+)+)) `)
	wrapped = regexp.MustCompile(`\n\s*// *`) // a comment goes on in the next line
)

// sections returns the numbers of the headings of a page.
func sections(text string) map[string]bool {
	set := map[string]bool{}
	for _, line := range prose(text) {
		if m := chapter.FindStringSubmatch(line); m != nil {
			set[m[1]+m[2]] = true
		}
	}
	return set
}

// citations returns the sections that a Go file cites, as `aix.md 3.4`.
func citations(text string) (list []string) {
	for _, m := range cited.FindAllStringSubmatch(wrapped.ReplaceAllString(text, " "), -1) {
		for _, n := range number.FindAllString(m[2], -1) {
			list = append(list, m[1]+".md "+n)
		}
	}
	return list
}

// TestCitations: every section that a Go file cites is in docs/spec.
func TestCitations(t *testing.T) {
	there := map[string]bool{}
	for _, name := range []string{"ftrace.md", "aix.md", "uftrace.md", "lttng.md", "ctf.md", "tables.md"} {
		text, err := os.ReadFile(filepath.Join("spec", name))
		if err != nil {
			t.Error(err)
		}
		for n := range sections(string(text)) {
			there[name+" "+n] = true
		}
	}
	found := 0
	goFiles(t, func(path string, text []byte) {
		if path == "docs/citations_test.go" {
			return
		}
		for _, c := range citations(string(text)) {
			if found++; !there[c] {
				t.Errorf("%s: docs/spec has no %s", path, c)
			}
		}
	})
	if found < 200 {
		t.Fatalf("%d citations", found)
	}
}

// TestCitationForms: citations are found however they are written.
func TestCitationForms(t *testing.T) {
	text := "// (aix.md 3.1, 3.4): 5 of lttng.md 3 to 5\n\t// and 7 (uftrace.md\n\t// 2.10). ftrace.md 1. tables.md section 2, tables.md sections 4 and 9."
	want := "aix.md 3.1|aix.md 3.4|lttng.md 3|lttng.md 5|lttng.md 7|uftrace.md 2.10|" +
		"ftrace.md 1|tables.md 2|tables.md 4|tables.md 9"
	if have := strings.Join(citations(text), "|"); have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	set := sections("# 9. a\n## 1. b\n### 2.3 c\n## 4 d\n```\n## 5. e\n```\n")
	if len(set) != 2 || !set["1"] || !set["2.3"] {
		t.Errorf("sections %v", set)
	}
}
