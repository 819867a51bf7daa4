package tsdl

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// Most statements are settings, or fields that begin like settings. The parts of settings therefore
// have their own parsers, which avoid the alternatives that participle would try.

// A Target is the path to which a setting assigns a value or a type.
type Target struct{ Path []string }

// Parse implements participle.Parseable: Word ( ('.' | '->') Word )*, in front of = or :=. Any
// other text after a path is an error. The error has its place, and is reported only if no other
// production matches.
func (t *Target) Parse(l *lexer.PeekingLexer) error {
	if l.Peek().Type != tokWord {
		return participle.NextMatch
	}
	if !t.path(l) {
		return &participle.UnexpectedTokenError{Unexpected: *l.Peek(), Expect: "<word>"}
	}
	if mark := l.Peek(); mark.Type != tokMark || mark.Value != "=" && mark.Value != ":=" {
		return &participle.UnexpectedTokenError{Unexpected: *mark, Expect: `"=" | ":="`}
	}
	return nil
}

// path reads a path of words. It returns false if a word is missing.
func (t *Target) path(l *lexer.PeekingLexer) bool {
	for {
		if l.Peek().Type != tokWord {
			return false
		}
		t.Path = append(t.Path, l.Next().Value)
		if !arrow(l) {
			return true
		}
	}
}

// arrow reads a mark between the words of a path, if there is one.
func arrow(l *lexer.PeekingLexer) bool {
	t := l.Peek()
	if t.Type != tokMark || t.Value != "." && t.Value != "->" {
		return false
	}
	l.Next()
	return true
}

// A Value is a number, a text or a path.
type Value struct {
	Pos    lexer.Position
	Sign   string
	Number string
	Text   *Text
	Path   []string
}

// Parse implements participle.Parseable: ('+' | '-')? ( Integer | String | Char | PATH ). Keywords
// may be parts of a path.
func (v *Value) Parse(l *lexer.PeekingLexer) error {
	t := l.Peek()
	v.Pos = t.Pos
	if t.Type == tokMark && (t.Value == "+" || t.Value == "-") {
		v.Sign = l.Next().Value
		t = l.Peek()
	}
	switch t.Type {
	case tokInteger:
		v.Number = l.Next().Value
		return nil
	case tokString, tokChar:
		text := Text(unquote(l.Next().Value))
		v.Text = &text
		return nil
	}
	for {
		switch t = l.Peek(); {
		case t.Type == tokWord, t.Type == tokReserved, t.Type == tokScalar:
			v.Path = append(v.Path, l.Next().Value)
		case v.Sign == "" && v.Path == nil:
			return participle.NextMatch
		default:
			return &participle.UnexpectedTokenError{Unexpected: *t, Expect: "Value"}
		}
		if !arrow(l) {
			return nil
		}
	}
}
