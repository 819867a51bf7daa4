package docs

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// documents returns the Markdown files of the repository.
func documents(t *testing.T) (names []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin" || d.Name() == "dist" || d.Name() == "mutants"):
			return fs.SkipDir
		case strings.HasSuffix(path, ".md"):
			names = append(names, path)
		}
		return nil
	})
	if err != nil || len(names) < 20 {
		t.Fatalf("%d documents, %v", len(names), err)
	}
	return names
}

var (
	inline     = regexp.MustCompile(`!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?: "[^"]*")?\)`)
	reference  = regexp.MustCompile(`^ {0,3}\[[^\]^]+\]:\s+(\S+)`)
	autolink   = regexp.MustCompile(`<(https?://[^>\s]*)>`)
	codeSpan   = regexp.MustCompile("(`+)[^`]+?`+")
	heading    = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*$`)
	anchorHTML = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

// prose returns the lines of a document outside of fenced blocks; the others are empty.
func prose(text string) []string {
	lines := strings.Split(text, "\n")
	fence := ""
	for i, line := range lines {
		mark := strings.TrimLeft(line, " ")
		switch {
		case fence == "" && strings.HasPrefix(mark, "```"):
			fence, lines[i] = "```", ""
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
			lines[i] = ""
		}
	}
	return lines
}

// anchors returns those of the headings of a document, as GitHub makes them.
func anchors(text string) map[string]bool {
	set := map[string]bool{}
	for _, line := range prose(text) {
		for _, m := range anchorHTML.FindAllStringSubmatch(line, -1) {
			set[m[1]] = true
		}
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		title := inline.ReplaceAllStringFunc(m[1],
			func(l string) string { return l[strings.Index(l, "[")+1 : strings.Index(l, "](")] })
		anchor := strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, title)
		name := anchor
		for n := 1; set[name]; n++ {
			name = fmt.Sprintf("%s-%d", anchor, n)
		}
		set[name] = true
	}
	return set
}

// check returns what is wrong with a link of a document.
func check(document, link string) error {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return err
	case u.Scheme == "http" || u.Scheme == "https":
		if !strings.Contains(u.Host, ".") && u.Hostname() != "localhost" {
			return fmt.Errorf("%q is no host", u.Host)
		}
		return nil
	case u.Scheme == "mailto":
		return nil
	case u.Scheme != "":
		return fmt.Errorf("no document has links of %s", u.Scheme)
	}
	target := document
	if u.Path != "" {
		target = filepath.Join(filepath.Dir(document), filepath.FromSlash(u.Path))
	}
	info, err := os.Stat(target)
	if err != nil || u.Fragment == "" || info.IsDir() {
		return err
	}
	text, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	if !anchors(string(text))[u.Fragment] {
		return fmt.Errorf("%s has no heading #%s", target, u.Fragment)
	}
	return nil
}

// TestLinks: each link of each document goes to a file, a directory or a heading that is there.
// Those to other hosts are looked at, not followed.
func TestLinks(t *testing.T) {
	links := 0
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range prose(string(text)) {
			line = codeSpan.ReplaceAllString(line, "")
			found := append(inline.FindAllStringSubmatch(line, -1), reference.FindAllStringSubmatch(line, -1)...)
			for _, m := range append(found, autolink.FindAllStringSubmatch(line, -1)...) {
				links++
				if err := check(name, m[1]); err != nil {
					t.Errorf("%s:%d: %s: %v", filepath.ToSlash(name[3:]), i+1, m[1], err)
				}
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links", links)
	}
}

// TestLinkFaults: links that lead nowhere are found.
func TestLinkFaults(t *testing.T) {
	for _, link := range []string{"nowhere.md", "links_test.go/x", "../README.md#nothing-of-this-name", "#nor-this",
		"http://nohost", "ftp://a.b"} {
		if check("README.md", link) == nil {
			t.Errorf("%s is taken for a link", link)
		}
	}
	set := anchors("# A `b` c, d\n## x\n## x\n```\n# not one\n```\n## [l](m.md) n\n")
	for _, want := range []string{"a-b-c-d", "x", "x-1", "l-n"} {
		if !set[want] {
			t.Errorf("no anchor %s in %v", want, set)
		}
	}
	if set["not-one"] {
		t.Error("a line of a block is an anchor")
	}
}

// TestIndex: docs/README.md has a link to every page.
func TestIndex(t *testing.T) {
	index, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"[a-z]*.md", "recipes/*.md", "tutorials/*.md"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) < 2 {
			t.Fatalf("%s: %v, %v", pattern, names, err)
		}
		for _, name := range names {
			if !strings.Contains(string(index), "]("+filepath.ToSlash(name)+")") {
				t.Errorf("%s is not in the index", name)
			}
		}
	}
}
