package docs

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// maxComment is the width of comments in columns, with tabs of four.
const maxComment = 100

// TestCommentWidth: the prose of comments fits 100 columns. Code, tables and output in comments,
// and directives, may be wider.
func TestCommentWidth(t *testing.T) {
	goFiles(t, func(name string, text []byte) {
		if strings.HasPrefix(string(text), "// Code generated") {
			return
		}
		output := false
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			comment := strings.TrimLeft(line, "\t")
			if !strings.HasPrefix(comment, "//") {
				output = false
				continue
			}
			output = output || strings.HasPrefix(comment, "// Output:")
			line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
			if strings.HasPrefix(comment, "// ") && !output && utf8.RuneCountInString(line) > maxComment {
				t.Errorf("%s:%d: a comment of %d columns", name, number, utf8.RuneCountInString(line))
			}
		}
	})
}
