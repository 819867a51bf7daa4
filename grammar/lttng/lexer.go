package lttng

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The kinds of tokens.
const (
	tokText lexer.TokenType = iota + 1
	tokDouble
	tokHash
	tokAttributes
	tokQualifier
	tokLetter
	tokSwallowed
	tokPercent
	tokFlags
	tokBad
)

// formatLexer cuts a format into tokens. The meaning of a character depends on the text before it,
// so a list of patterns is not enough.
type formatLexer struct{}

// Symbols implements lexer.Definition.
func (formatLexer) Symbols() map[string]lexer.TokenType {
	return map[string]lexer.TokenType{
		"EOF": lexer.EOF, "Text": tokText, "Double": tokDouble, "Hash": tokHash, "Attributes": tokAttributes,
		"Qualifier": tokQualifier, "Letter": tokLetter, "Swallowed": tokSwallowed, "Percent": tokPercent,
		"Flags": tokFlags, "Bad": tokBad,
	}
}

// Lex implements lexer.Definition.
func (d formatLexer) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return d.LexString(name, string(text))
}

// LexString implements lexer.StringDefinition.
func (formatLexer) LexString(name, text string) (lexer.Lexer, error) {
	return &tokens{text: text, pos: lexer.Position{Filename: name, Line: 1, Column: 1}}, nil
}

// letters are the letters of conversions.
const letters = "diuoxXcsp"

// tokens is one pass over a format.
type tokens struct {
	text string // the unread text
	pos  lexer.Position
	part byte // '#' or '%' within such a part, else 0
	// stage is the progress within a part: 1 after attributes or flags, 2 after a qualifier, if
	// there is one.
	stage int
}

// Next implements lexer.Lexer.
func (t *tokens) Next() (lexer.Token, error) {
	switch {
	case t.text == "" && t.part == '%': // the grammar requires a letter
		t.part = 0
		return lexer.Token{Type: tokBad, Pos: t.pos}, nil
	case t.text == "":
		return lexer.Token{Type: lexer.EOF, Pos: t.pos}, nil
	case t.part != 0:
		return t.inPart(), nil
	case strings.HasPrefix(t.text, "##"), strings.HasPrefix(t.text, "%%"):
		return t.take(tokDouble, 2), nil
	case t.text[0] == '#':
		t.part, t.stage = '#', 0
		return t.take(tokHash, 1), nil
	case t.text[0] == '%':
		t.part, t.stage = '%', 0
		return t.take(tokPercent, 1), nil
	}
	n := strings.IndexAny(t.text, "#%")
	if n < 0 {
		n = len(t.text)
	}
	return t.take(tokText, n), nil
}

// inPart reads the text after # or %: attributes or flags, a qualifier and a letter, each of which
// may be missing.
func (t *tokens) inPart() lexer.Token {
	first, kind, qualifiers := "nb", tokAttributes, "hlLZzt1248"
	if t.part == '%' {
		first, kind, qualifiers = "-+ #0", tokFlags, "hlLZzt"
	}
	if t.stage < 1 {
		t.stage = 1
		if n := len(t.text) - len(strings.TrimLeft(t.text, first)); n > 0 {
			return t.take(kind, n)
		}
	}
	if t.stage < 2 {
		if n := qualifier(t.text, qualifiers); n > 0 {
			t.stage = 2
			return t.take(tokQualifier, n)
		}
	}
	trace := t.part == '#'
	t.part = 0
	_, size := utf8.DecodeRuneInString(t.text)
	switch {
	case strings.IndexByte(letters, t.text[0]) >= 0:
		return t.take(tokLetter, 1)
	case !trace:
		return t.take(tokBad, size)
	case t.text[0] == '%' && t.stage < 2: // only attributes: `#n%u`
		t.part, t.stage = '%', 0
		return t.take(tokPercent, 1)
	}
	return t.take(tokSwallowed, 1) // a byte, as in readers that use C strings
}

// qualifier returns the length of the qualifier at the beginning of s: a letter of set, or ll. hh
// does not exist.
func qualifier(s, set string) int {
	switch {
	case s == "" || strings.IndexByte(set, s[0]) < 0:
		return 0
	case strings.HasPrefix(s, "ll"):
		return 2
	}
	return 1
}

// take makes a token from the next n bytes.
func (t *tokens) take(kind lexer.TokenType, n int) lexer.Token {
	tok := lexer.Token{Type: kind, Value: t.text[:n], Pos: t.pos}
	t.pos.Advance(tok.Value)
	t.text = t.text[n:]
	return tok
}
