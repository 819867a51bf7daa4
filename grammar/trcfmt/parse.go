package trcfmt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Limits on a file that nobody trusts.
const (
	MaxFileBytes = 16 << 20 // /etc/trcfmt of a full system has about one MiB
	MaxErrors    = 1000     // of each severity
	MaxNesting   = 100      // braces, functions and brackets open at one point
)

// Parse reads a template file or an update file. The file is never nil: stanzas with errors are in it, marked Broken.
// The name serves positions only.
func Parse(name string, src []byte) (*File, Errors) {
	f := &fileParser{places: places{file: name, src: string(src), line: 1}}
	file := &File{Pos: lexer.Position{Filename: name, Line: 1, Column: 1}}
	if len(src) > MaxFileBytes {
		f.src = ""
		f.report(&Error{Pos: file.Pos, Code: CodeLimit,
			Msg: fmt.Sprintf("file of %d bytes: at most %d are read", len(src), MaxFileBytes)})
		return file, f.errs
	}
	file.IsUpdate = isUpdate(f.src)
	tree, err := grammar().ParseString(name, f.src)
	if err != nil { // the grammar accepts all that the lexer makes, which fails on nothing
		f.report(asError(err, file.Pos))
	}
	f.update = file.IsUpdate
	f.functions = make(map[string]bool)
	if tree != nil {
		for _, t := range tree.Items {
			if t.Stanza != nil {
				scanDeclared(t.Stanza.Value, f.functions, nil)
			}
		}
		f.items(file, tree.Items)
	}
	slices.SortStableFunc(f.errs, func(a, b *Error) int { return a.Pos.Offset - b.Pos.Offset })
	return file, f.errs
}

// asError turns an error of participle into ours.
func asError(err error, at lexer.Position) *Error {
	e := &Error{Pos: at, Code: CodeLine, Msg: err.Error()}
	if pe, ok := err.(participle.Error); ok {
		e.Pos, e.Msg = pe.Position(), pe.Message()
	}
	return e
}

// fileParser is what the stanzas of a file have in common.
type fileParser struct {
	places
	update    bool
	functions map[string]bool // defined anywhere in the file (aix.md 3.5)
	errs      Errors
	count     [2]int // by severity
}

func (f *fileParser) report(e *Error) {
	if f.count[e.Severity]++; f.count[e.Severity] <= MaxErrors {
		f.errs = append(f.errs, e)
	}
}

func (f *fileParser) items(file *File, items []*itemTree) {
	open := 0 // line on which a stanza ended that asked for more; 0: none
	for _, t := range items {
		switch {
		case t.Comment != nil:
			file.Items = append(file.Items, f.comment(t.Comment))
			if open > 0 {
				open++
			}
			continue
		case t.Stanza != nil:
			s := f.stanza(t.Stanza)
			if open > 0 && t.Stanza.Pos.Line == open+1 {
				f.report(&Error{Pos: s.Pos, Code: CodeLine, Msg: fmt.Sprintf(
					"hook %s: a stanza starts here although the line before ends in a backslash", s.Hook.Text)})
				s.broken(t.Stanza.Value)
			}
			file.Items = append(file.Items, s)
			file.Stanzas = append(file.Stanzas, s)
		case t.Delete != nil:
			file.Items = append(file.Items, f.deletion(t.Delete))
		case t.Junk != nil:
			f.report(&Error{Pos: t.Junk.Pos, Code: CodeLine, Msg: fmt.Sprintf(
				"expected a hook id of three or four hexadecimal digits, found %s", quote(firstField(t.Junk.Value)))})
		}
		open = 0
		if t.Stanza != nil && continues(t.Stanza.Value) {
			open = t.Stanza.Pos.Line + strings.Count(t.Stanza.Value, "\n")
		}
	}
}

func (f *fileParser) comment(t *lexer.Token) *Comment {
	if t.Value[0] == '*' && !f.update {
		f.report(&Error{Pos: t.Pos, Severity: Warning, Code: CodeComment,
			Msg: "* starts a comment only in update files, whose first line is `* /etc/trcfmt`: write #"})
	}
	return &Comment{Pos: t.Pos, Text: t.Value}
}

// deletion reads `- id`.
func (f *fileParser) deletion(t *lexer.Token) *Delete {
	d := &Delete{Pos: t.Pos}
	fail := func(msg string) {
		f.report(&Error{Pos: t.Pos, Code: CodeUpdate, Msg: msg})
	}
	id := strings.TrimLeft(t.Value[1:], blanks)
	n := hexDigits(id)
	var ok bool
	if d.Hook, ok = hookID(id[:n]); !ok || n < len(id) && !isBlank(id[n]) {
		fail("expected a hook id of three or four hexadecimal digits after -, found " + quote(firstField(id)))
		return d
	}
	if rest := strings.TrimLeft(id[n:], blanks); rest != "" {
		fail("expected the end of the line after `- " + d.Hook.Text + "`, found " + quote(firstField(rest)))
	}
	if !f.update {
		fail("`- " + d.Hook.Text + "` is an operator of update files, whose first line is `* /etc/trcfmt`")
	}
	return d
}

// broken marks a stanza; text is its source.
func (s *Stanza) broken(text string) { s.Broken, s.Source = true, text }

// firstField returns s up to its first white space.
func firstField(s string) string {
	if i := strings.IndexAny(s, blanks+"\n"); i > 0 {
		return s[:i]
	}
	return s
}

// hookID reads three or four hexadecimal digits.
func hookID(text string) (HookID, bool) {
	id := HookID{Text: text}
	if len(text) != 3 && len(text) != 4 || hexDigits(text) < len(text) {
		return id, false
	}
	for i := 0; i < len(text); i++ {
		id.Value = id.Value<<4 | uint16(hexValue(text[i]))
	}
	if len(text) == 3 {
		id.Value <<= 4
	}
	return id, true
}

func hexValue(b byte) byte {
	if isDigit(b) {
		return b - '0'
	}
	return b | 0x20 - 'a' + 10
}
