package ftrace

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// parseField parses the text after `field:`:
//
//	DECL;\toffset:N;\tsize:N;\tsigned:0|1;
//
// Columns after signed: are skipped, in case a later kernel adds some. For `field special:` the
// text still begins with the word special (lineKind).
func parseField(pos lexer.Position, s string) (*Field, *diag.Diagnostic) {
	f := &Field{Pos: pos}
	text := s
	if rest, ok := strings.CutPrefix(text, "special:"); ok {
		f.Special = true
		text = strings.TrimLeft(rest, " \t")
		skipped := len(s) - len(text)
		f.Pos.Offset += skipped
		f.Pos.Column += skipped
	}
	fail := func(at string, format string, args ...any) (*Field, *diag.Diagnostic) {
		p := pos
		off := len(s) - len(at)
		p.Offset += off
		p.Column += utf8.RuneCountInString(s[:off])
		return nil, &diag.Diagnostic{Pos: p, Code: CodeField, Msg: fmt.Sprintf(format, args...)}
	}
	end := declEnd(text)
	if end < 0 {
		return fail(text, "expected `; offset:` after the declaration %s", quote(text))
	}
	rest := text[end+1:]
	if msg := f.takeDecl(strings.TrimSpace(text[:end])); msg != "" {
		return fail(text, "%s", msg)
	}
	var ok bool
	if f.Offset, rest, ok = column(rest, "offset:"); !ok {
		return fail(rest, "expected offset: and a number, found %s", quote(rest))
	}
	if f.Size, rest, ok = column(rest, "size:"); !ok {
		return fail(rest, "expected size: and a number, found %s", quote(rest))
	}
	if rest = strings.TrimLeft(rest, " \t"); rest == "" {
		return f, nil
	}
	signed, _, ok := column(rest, "signed:")
	if !ok || signed > 1 {
		return fail(rest, "expected signed: and 0 or 1, found %s", quote(rest))
	}
	f.HasSigned, f.Signed = true, signed == 1
	return f, nil
}

// declEnd finds the semicolon between declaration and offset: a declaration may hold semicolons
// itself (a struct with a body).
func declEnd(s string) int {
	for at := 0; ; {
		i := strings.IndexByte(s[at:], ';')
		if i < 0 {
			return -1
		}
		at += i + 1
		if strings.HasPrefix(strings.TrimLeft(s[at:], " \t"), "offset:") {
			return at - 1
		}
	}
}

// column parses `key:N;` and returns the rest. The semicolon of the last column may be missing. If
// the column has another key, it returns the text from there.
func column(s, key string) (n int, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	v, ok := strings.CutPrefix(s, key)
	if !ok {
		return 0, s, false
	}
	digits, rest, _ := strings.Cut(v, ";")
	u, err := strconv.ParseUint(strings.TrimSpace(digits), 10, 31)
	if err != nil {
		return 0, s, false
	}
	return int(u), rest, true
}

// takeDecl splits a declaration (ftrace.md 3.2) and returns a message if it is wrong.
//
// A declaration is not parsed as C. The last name counts, and the brackets around it are
// dimensions. The rest is a label, because width and sign come from the columns. Dimensions are not
// evaluated.
func (f *Field) takeDecl(decl string) string {
	f.Decl = foldBlanks(decl)
	s := f.Decl
	if rest, ok := strings.CutPrefix(s, "__data_loc "); ok {
		f.Loc, s = LocData, rest
	} else if rest, ok := strings.CutPrefix(s, "__rel_loc "); ok {
		f.Loc, s = LocRel, rest
	}
	if i := strings.LastIndexByte(s, ':'); i >= 0 && isNumber(strings.TrimSpace(s[i+1:])) {
		s = strings.TrimRight(s[:i], " ") // a bit-field, which kernels do not write: it has no offset
	}
	if msg, ok := f.takeFuncPointer(s); ok {
		return msg
	}
	s, nameDims, ok := cutDims(s)
	if !ok {
		return "brackets of " + quote(f.Decl) + " do not match"
	}
	at := len(s)
	for at > 0 && (isIdent(s[at-1]) || s[at-1] == '.') { // `rt.period` in old kernels
		at--
	}
	f.Name = s[at:]
	if f.Name == "" {
		return "declaration " + quote(f.Decl) + " has no name"
	}
	typ, typeDims, ok := cutDims(strings.TrimRight(s[:at], " "))
	if !ok {
		return "brackets of " + quote(f.Decl) + " do not match"
	}
	if typ == "" {
		return "expected a type before the name " + quote(f.Name)
	}
	f.Type = spaceStar(typ)
	if len(typeDims) > 0 {
		f.Dims = append(nameDims, typeDims...)
	} else {
		f.Dims = nameDims
	}
	return ""
}

// takeFuncPointer parses `void (*name)(int)`. ok is false if s has another form.
func (f *Field) takeFuncPointer(s string) (msg string, ok bool) {
	if !strings.HasSuffix(s, ")") {
		return "", false
	}
	open := strings.Index(s, "(*")
	if open < 0 {
		return "", false
	}
	at := open + 2
	for at < len(s) && (s[at] == '*' || s[at] == ' ') {
		at++
	}
	end := at
	for end < len(s) && isIdent(s[end]) {
		end++
	}
	if end == at || end == len(s) || s[end] != ')' {
		return "declaration " + quote(f.Decl) + " has no name", true
	}
	f.Name = s[at:end]
	f.Type = s[:at] + s[end:]
	return "", true
}

// cutDims takes the bracket pairs off the end of s and returns their texts in the order written.
func cutDims(s string) (rest string, dims []string, ok bool) {
	for strings.HasSuffix(s, "]") {
		depth, at := 0, len(s)
		for at > 0 {
			at--
			if s[at] == ']' {
				depth++
			} else if s[at] == '[' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		if depth != 0 {
			return s, nil, false
		}
		dims = append(dims, strings.TrimSpace(s[at+1:len(s)-1]))
		s = strings.TrimRight(s[:at], " ")
	}
	for i, j := 0, len(dims)-1; i < j; i, j = i+1, j-1 {
		dims[i], dims[j] = dims[j], dims[i]
	}
	return s, dims, !strings.HasSuffix(s, "[")
}

// foldBlanks replaces runs of white space by one blank.
func foldBlanks(s string) string {
	if !strings.ContainsAny(s, "\t\r\v\f") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// spaceStar writes `struct urb*` as `struct urb *`, as most kernels do.
func spaceStar(s string) string {
	i := strings.IndexByte(s, '*')
	if i <= 0 || s[i-1] == ' ' || s[i-1] == '(' {
		return s
	}
	return s[:i] + " " + s[i:]
}

func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
