package docs

import (
	"go/scanner"
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

// Widths in columns, with tabs of four.
const (
	maxComment = 100
	maxCode    = 120
	leastCode  = 50 // of a line before a break that TestCodeWidth asks for
)

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
			if n := columns(line); strings.HasPrefix(comment, "// ") && !output && n > maxComment {
				t.Errorf("%s:%d: a comment of %d columns", name, number, n)
			}
		}
	})
}

// columns returns the width of a line.
func columns(line string) int {
	return utf8.RuneCountInString(strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    "))
}

// TestCodeWidth: a line of code fits 120 columns if it can be broken after a comma or an operator
// of conditions. A comment after wider code is on a line of its own. Texts may be wider.
func TestCodeWidth(t *testing.T) {
	goFiles(t, func(name string, text []byte) {
		if strings.HasPrefix(string(text), "// Code generated") {
			return
		}
		lines := strings.SplitAfter(string(text), "\n")
		file := token.NewFileSet().AddFile(name, -1, len(text))
		var s scanner.Scanner
		s.Init(file, text, nil, scanner.ScanComments)
		told := 0 // the last line with an error
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				return
			}
			at := file.Position(pos)
			line := lines[at.Line-1]
			if at.Line == told || columns(line) <= maxCode {
				continue
			}
			before := line[:at.Column-1]
			breaks := tok == token.COMMA || tok == token.LAND || tok == token.LOR
			if n := columns(before); breaks && n >= leastCode && n+len(tok.String()) <= maxCode ||
				tok == token.COMMENT && !strings.HasPrefix(lit, "//nolint") && strings.Trim(before, "\t}) {") != "" {
				told = at.Line
				t.Errorf("%s:%d: a line of %d columns", name, at.Line, columns(line))
			}
		}
	})
}
