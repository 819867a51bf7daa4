package trcfmt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

// Limits for untrusted files.
const (
	MaxFileBytes = 16 << 20 // /etc/trcfmt of a full system has about one MiB
	MaxErrors    = 1000     // of each severity
	MaxNesting   = 100      // braces, functions and brackets open at one point
)

// Parse parses a template file or an update file. The file is never nil: it includes stanzas with
// errors, marked Broken. The name is used for positions only.
func Parse(name string, src []byte) (*File, diag.List) {
	f := &fileParser{places: places{file: name, src: string(src), line: 1}}
	file := &File{Pos: lexer.Position{Filename: name, Line: 1, Column: 1}}
	if len(src) > MaxFileBytes {
		f.src = ""
		f.report(diag.Diagnostic{Pos: file.Pos, Code: CodeLimit,
			Msg: fmt.Sprintf("file of %d bytes: at most %d are read", len(src), MaxFileBytes)})
		return file, f.errs
	}
	if mark(f.src) > 0 {
		f.report(diag.Diagnostic{Pos: file.Pos, Severity: diag.Warning, Code: CodeLine,
			Msg: "the file begins with a byte order mark, which trcrpt may not accept: save it without one"})
	}
	f.update = isUpdate(f.src)
	file.IsUpdate = f.update
	tree, err := grammar().ParseString(name, f.src)
	if err != nil { // the grammar accepts all tokens of the lexer, which never fails
		f.report(asError(err, file.Pos))
	}
	f.functions = make(map[string]bool)
	if tree != nil {
		for _, t := range tree.Items {
			if t.Stanza != nil {
				f.scanDeclared(t.Stanza.Value, f.functions, nil)
			}
		}
		f.items(file, tree.Items)
	}
	slices.SortStableFunc(f.errs, func(a, b diag.Diagnostic) int { return a.Pos.Offset - b.Pos.Offset })
	return file, f.errs
}

// asError turns an error of participle into ours.
func asError(err error, at lexer.Position) diag.Diagnostic {
	e := diag.Diagnostic{Pos: at, Code: CodeLine, Msg: err.Error()}
	if pe, ok := err.(participle.Error); ok {
		e.Pos, e.Msg = pe.Position(), pe.Message()
	}
	return e
}

// fileParser is the state that the stanzas of a file share.
type fileParser struct {
	places
	update    bool
	functions map[string]bool // defined anywhere in the file (aix.md 3.5)
	errs      diag.List
	count     [2]int // by severity
}

func (f *fileParser) report(e diag.Diagnostic) {
	if f.count[e.Severity]++; f.count[e.Severity] <= MaxErrors {
		f.errs = append(f.errs, e)
	}
}

func (f *fileParser) items(file *File, items []*itemTree) {
	var open *Stanza // the last stanza, if its last line ends in a backslash
	line := 0        // the line that could continue it
	for _, t := range items {
		var item Item
		switch {
		case t.Comment != nil:
			item = f.comment(t.Comment)
			line++
		case t.Delete != nil:
			item = f.deletion(t.Delete)
		case t.Junk != nil:
			f.report(diag.Diagnostic{Pos: t.Junk.Pos, Code: CodeLine, Msg: fmt.Sprintf(
				"expected a hook id of three or four hexadecimal digits, found %s", quote(firstField(t.Junk.Value)))})
			item = &Junk{Pos: t.Junk.Pos, Text: t.Junk.Value}
		case t.Stanza != nil:
			s := f.stanza(t.Stanza)
			file.Stanzas = append(file.Stanzas, s)
			item = s
		}
		file.Items = append(file.Items, item)
		if t.Comment != nil {
			continue
		}
		if open != nil && item.Position().Line == line {
			f.report(diag.Diagnostic{Pos: item.Position(), Code: CodeLine, Msg: fmt.Sprintf(
				"hook %s: its last line ends in a backslash, but no continuation follows", open.Hook.Text)})
			open.Broken, open.Source = true, f.src[open.Pos.Offset:open.End.Offset]
		}
		open = nil
		if s, ok := item.(*Stanza); ok && continues(t.Stanza.Value) {
			open, line = s, s.End.Line+1
		}
	}
}

func (f *fileParser) comment(t *lexer.Token) *Comment {
	if t.Value[0] == '*' && !f.update {
		f.report(diag.Diagnostic{Pos: t.Pos, Severity: diag.Warning, Code: CodeComment,
			Msg: "* starts a comment only in update files, whose first line is `* /etc/trcfmt`: write #"})
	}
	return &Comment{Pos: t.Pos, Text: t.Value}
}

// deletion reads `- id`. The rest of a template's first line may follow, but only the id counts
// (trcupdate, Examples).
func (f *fileParser) deletion(t *lexer.Token) Item {
	d := &Delete{Pos: t.Pos}
	fail := func(msg string) Item {
		f.report(diag.Diagnostic{Pos: t.Pos, Code: CodeUpdate, Msg: msg})
		return &Junk{Pos: t.Pos, Text: t.Value}
	}
	id := strings.TrimLeft(t.Value[1:], blanks)
	n := hexDigits(id)
	var ok bool
	if d.Hook, ok = hookID(id[:n]); !ok || n < len(id) && !isBlank(id[n]) {
		return fail("expected a hook id of three or four hexadecimal digits after -, found " + quote(firstField(id)))
	}
	d.Rest = strings.Trim(id[n:], blanks)
	if !f.update {
		fail("`- " + d.Hook.Text + "` is an operator of update files, whose first line is `* /etc/trcfmt`")
	}
	return d
}

// firstField returns s up to its first white space, but no more than fits in a message.
func firstField(s string) string {
	s = s[:min(len(s), diag.MaxQuote+1)]
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
