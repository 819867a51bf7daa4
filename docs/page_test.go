package docs

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A page is Markdown. What a test does with it is in comments and in what follows the language of a
// fenced block, neither of which a reader sees:
//
//	<!-- files: trace.dat=testdata/ftrace/amd64-extract.dat -->    files and directories that are copied to the scratch folder; X= unpacks an archive
//	<!-- module: example.com/x -->                                 the scratch folder is a Go module with this one as a requirement
//	<!-- picture: bars x.csv -->                                   the picture that follows is made of a file, see picture_test.go
//	```go file=main.go                                             a file of the scratch folder
//	```console                                                     commands, each after "$ ", and what they print; a line … stands for any lines
//	```console needs=duckdb                                        not run where there is no such program
//	```console not-run=REASON                                      not run: the reason is one word such as root, network
type page struct {
	name   string
	lines  []string
	files  map[string]string // scratch name to repository name
	module string
	blocks []*block
}

type block struct {
	kind    string // console, file or picture
	line    int    // of what follows the opening
	end     int    // the closing line
	options map[string]string
}

// command is one of a block of commands.
type command struct {
	text   string
	line   int      // of the page
	output []string // that the page shows
	first  int      // line of the first of them
}

var comment = regexp.MustCompile(`^<!-- (files|module|picture): (.*) -->$`)

// readPage reads a page.
func readPage(t *testing.T, name string) *page {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{name: name, lines: strings.Split(string(text), "\n"), files: map[string]string{}}
	for i := 0; i < len(p.lines); i++ {
		if m := comment.FindStringSubmatch(p.lines[i]); m != nil {
			p.comment(t, i, m[1], m[2])
			continue
		}
		info, ok := strings.CutPrefix(p.lines[i], "```")
		if !ok {
			continue
		}
		b := &block{line: i + 1, options: map[string]string{}}
		words := strings.Fields(info)
		for _, w := range words[min(1, len(words)):] {
			key, value, _ := strings.Cut(w, "=")
			b.options[key] = value
		}
		for i++; i < len(p.lines) && p.lines[i] != "```"; i++ {
		}
		if b.end = i; i == len(p.lines) {
			t.Fatalf("%s:%d: a block without an end", name, b.line)
		}
		switch {
		case len(words) == 0:
			t.Errorf("%s:%d: a block without a language", name, b.line)
		case b.options["file"] != "":
			b.kind = "file"
			p.blocks = append(p.blocks, b)
		case words[0] == "console":
			b.kind = "console"
			p.blocks = append(p.blocks, b)
		case words[0] == "sh", words[0] == "shell", words[0] == "bash":
			t.Errorf("%s:%d: commands are in blocks of console, which are run", name, b.line)
		}
	}
	return p
}

func (p *page) comment(t *testing.T, line int, kind, value string) {
	switch kind {
	case "files":
		for _, pair := range strings.Fields(value) {
			name, from, ok := strings.Cut(pair, "=")
			if !ok {
				t.Errorf("%s:%d: %q is not NAME=PATH", p.name, line+1, pair)
			}
			p.files[name] = from
		}
	case "module":
		p.module = value
	case "picture":
		words := strings.Fields(value)
		link := regexp.MustCompile(`^!\[.+\]\((\S+)\)$`)
		for line++; line < len(p.lines) && p.lines[line] == ""; line++ {
		}
		m := link.FindStringSubmatch(p.lines[line])
		if len(words) != 2 || m == nil {
			t.Fatalf("%s:%d: a picture is KIND FILE before a line that shows it", p.name, line+1)
		}
		p.blocks = append(p.blocks, &block{kind: "picture", line: line, end: line,
			options: map[string]string{"kind": words[0], "from": words[1], "to": m[1]}})
	}
}

// commands returns those of a block.
func (p *page) commands(b *block) (list []command, err error) {
	for i := b.line; i < b.end; i++ {
		line := p.lines[i]
		text, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			if len(list) == 0 {
				return nil, fmt.Errorf("%s:%d: output before a command", p.name, i+1)
			}
			c := &list[len(list)-1]
			c.output = append(c.output, line)
			continue
		}
		c := command{line: i + 1}
		for strings.HasSuffix(text, `\`) && i+1 < b.end {
			i++
			text += "\n" + p.lines[i]
		}
		c.text, c.first = text, i+1
		list = append(list, c)
	}
	return list, nil
}

// same reports whether lines are those that a page shows, in which … stands for any number of
// lines.
func same(shown, got []string) bool {
	if len(shown) == 0 {
		return len(got) == 0
	}
	if shown[0] == "…" {
		for n := 0; n <= len(got); n++ {
			if same(shown[1:], got[n:]) {
				return true
			}
		}
		return false
	}
	return len(got) > 0 && strings.TrimRight(shown[0], " ") == strings.TrimRight(got[0], " ") &&
		same(shown[1:], got[1:])
}
