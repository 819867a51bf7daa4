package tsdl

import (
	"cmp"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/participle/v2/lexer"
)

// The kinds of tokens.
const (
	tokWord     lexer.TokenType = iota + 1 // names, and keywords that are parts of names: unsigned, event
	tokReserved                            // keywords that begin a type or a declaration
	tokScalar                              // integer, floating_point and string, with their attributes in declarations
	tokInteger
	tokString
	tokChar
	tokMark // punctuation
	tokBad
)

// reserved maps the keywords that cannot be part of a name to their kinds.
var reserved = map[string]lexer.TokenType{
	"struct": tokReserved, "variant": tokReserved, "enum": tokReserved, "typedef": tokReserved,
	"typealias": tokReserved, "integer": tokScalar, "floating_point": tokScalar, "string": tokScalar,
}

// symbols maps the names in the grammar to kinds.
var symbols = map[string]lexer.TokenType{
	"EOF": lexer.EOF, "Word": tokWord, "Reserved": tokReserved, "Scalar": tokScalar,
	"Integer": tokInteger, "String": tokString, "Char": tokChar, "Mark": tokMark, "Bad": tokBad,
}

// textLexer cuts a text into tokens without comments and blanks.
type textLexer struct{}

// Symbols implements lexer.Definition.
func (textLexer) Symbols() map[string]lexer.TokenType { return symbols }

// Lex implements lexer.Definition.
func (d textLexer) Lex(name string, r io.Reader) (lexer.Lexer, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return newScanner(name, string(text)), nil
}

// scanner is one pass over a text.
type scanner struct {
	text string // the unread text
	pos  lexer.Position
}

func newScanner(name, text string) *scanner {
	return &scanner{text: text, pos: lexer.Position{Filename: name, Line: 1, Column: 1}}
}

// Next implements lexer.Lexer.
func (s *scanner) Next() (lexer.Token, error) {
	s.blank()
	if s.text == "" {
		return lexer.EOFToken(s.pos), nil
	}
	switch c := s.text[0]; {
	case c >= '0' && c <= '9':
		return s.take(tokInteger, length(s.text, digit)), nil
	case c == '"' || c == '\'':
		return s.quoted(0), nil
	case c == 'L' && len(s.text) > 1 && (s.text[1] == '"' || s.text[1] == '\''):
		return s.quoted(1), nil
	}
	if n := nameLength(s.text); n > 0 {
		return s.take(cmp.Or(reserved[s.text[:n]], tokWord), n), nil
	}
	return s.mark(), nil
}

// blank skips blanks and comments. A comment without an end is a bad token.
func (s *scanner) blank() {
	for {
		s.pass(len(s.text) - len(strings.TrimLeft(s.text, " \t\r\n\v\f")))
		switch {
		case strings.HasPrefix(s.text, "//"):
			n := strings.IndexByte(s.text, '\n')
			if n < 0 {
				n = len(s.text)
			}
			s.pass(n)
		case strings.HasPrefix(s.text, "/*"):
			n := strings.Index(s.text[2:], "*/")
			if n < 0 {
				return
			}
			s.pass(n + 4)
		default:
			return
		}
	}
}

// digit reports whether c may be in an integer after its first digit: a digit of any base, or a
// suffix.
func digit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' || strings.IndexByte("xXuUlL", c) >= 0
}

// length returns the number of bytes at the beginning of s for which is returns true.
func length(s string, is func(byte) bool) int {
	for i := range len(s) {
		if !is(s[i]) {
			return i
		}
	}
	return len(s)
}

// nameLength returns the length of the name at the beginning of s. Names are C names, including
// \uXXXX and \UXXXXXXXX.
func nameLength(s string) (n int) {
	for n < len(s) {
		c := s[n]
		switch {
		case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || n > 0 && c >= '0' && c <= '9':
			n++
		case escapedLetter(s[n:]) > 0:
			n += escapedLetter(s[n:])
		default:
			return n
		}
	}
	return n
}

// escapedLetter returns the length of \uXXXX or \UXXXXXXXX at the beginning of s.
func escapedLetter(s string) int {
	n := 0
	switch {
	case strings.HasPrefix(s, `\u`):
		n = 6
	case strings.HasPrefix(s, `\U`):
		n = 10
	}
	if n == 0 || len(s) < n || strings.Trim(s[2:n], "0123456789abcdefABCDEF") != "" {
		return 0
	}
	return n
}

// quoted reads a string or character that begins after a prefix. Its value includes the quotes.
func (s *scanner) quoted(prefix int) lexer.Token {
	kind, quote := tokString, s.text[prefix]
	if quote == '\'' {
		kind = tokChar
	}
	for i := prefix + 1; i < len(s.text); i++ {
		switch s.text[i] {
		case '\\':
			i++
		case quote:
			return s.take(kind, i+1)
		case '\n':
			return s.take(tokBad, i)
		}
	}
	return s.take(tokBad, len(s.text))
}

// marks are the marks with more than one character.
var marks = [...]string{"...", ":=", "->"}

// mark reads a mark, or a character that does not occur in metadata.
func (s *scanner) mark() lexer.Token {
	if strings.HasPrefix(s.text, "/*") {
		return s.take(tokBad, len(s.text))
	}
	for _, m := range marks {
		if strings.HasPrefix(s.text, m) {
			return s.take(tokMark, len(m))
		}
	}
	if strings.IndexByte("[](){}.*+-<>:;=,", s.text[0]) >= 0 {
		return s.take(tokMark, 1)
	}
	_, size := utf8.DecodeRuneInString(s.text)
	return s.take(tokBad, size)
}

// take makes a token from the next n bytes.
func (s *scanner) take(kind lexer.TokenType, n int) lexer.Token {
	t := lexer.Token{Type: kind, Value: s.text[:n], Pos: s.pos}
	s.pass(n)
	return t
}

// pass moves over n bytes.
func (s *scanner) pass(n int) {
	s.pos.Advance(s.text[:n])
	s.text = s.text[n:]
}
