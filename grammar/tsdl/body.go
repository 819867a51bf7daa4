package tsdl

import (
	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// What is between braces and brackets parses itself, without other branches to try. An error is
// then told at its place.

var entries = parserOf[Entry]()

// A Body has the entries between braces.
type Body struct{ Entries []*Entry }

// Parse implements participle.Parseable: '{' Entry* '}'.
func (b *Body) Parse(l *lexer.PeekingLexer) error {
	if !mark(l, "{") {
		return participle.NextMatch
	}
	for !mark(l, "}") {
		if l.Peek().EOF() {
			return unexpected(l)
		}
		e, err := entries().ParseFromLexer(l, participle.AllowTrailing(true))
		if err != nil {
			return err
		}
		b.Entries = append(b.Entries, e)
	}
	return nil
}

// mark reads a mark, if it is next.
func mark(l *lexer.PeekingLexer, value string) bool {
	t := l.Peek()
	if t.Type != tokMark || t.Value != value {
		return false
	}
	l.Next()
	return true
}

// unexpected is the error of the next token.
func unexpected(l *lexer.PeekingLexer) error {
	return &participle.UnexpectedTokenError{Unexpected: *l.Peek()}
}

// Labels are the labels between braces. The last may be followed by a comma.
type Labels struct{ List []*Label }

// Parse implements participle.Parseable: '{' ( Label ( ',' Label? )* )? '}'.
func (b *Labels) Parse(l *lexer.PeekingLexer) error {
	if !mark(l, "{") {
		return participle.NextMatch
	}
	for separate := true; !mark(l, "}"); {
		switch comma := len(b.List) > 0 && mark(l, ","); {
		case comma:
			separate = true
		case !separate:
			return unexpected(l)
		default:
			label, err := labelOf(l)
			if err != nil {
				return err
			}
			b.List, separate = append(b.List, label), false
		}
	}
	return nil
}

// labelOf reads a label: ( Word | String ) ( '=' Value ( '...' Value )? )?.
func labelOf(l *lexer.PeekingLexer) (_ *Label, err error) {
	t := l.Peek()
	label := &Label{Pos: t.Pos}
	switch t.Type {
	case tokWord:
		label.Name = l.Next().Value
	case tokString:
		text := Text(unquote(l.Next().Value))
		label.Text = &text
	default:
		return nil, unexpected(l)
	}
	if mark(l, "=") {
		if label.First, err = valueOf(l); err == nil && mark(l, "...") {
			label.Last, err = valueOf(l)
		}
	}
	return label, err
}

// valueOf reads a value that must be there.
func valueOf(l *lexer.PeekingLexer) (*Value, error) {
	v := &Value{}
	err := v.Parse(l)
	if err == participle.NextMatch {
		err = unexpected(l)
	}
	return v, err
}

// between reads a value between two marks.
func between(l *lexer.PeekingLexer, open, end string) (v *Value, err error) {
	if !mark(l, open) {
		return nil, participle.NextMatch
	}
	if v, err = valueOf(l); err == nil && !mark(l, end) {
		err = unexpected(l)
	}
	return v, err
}

// A Length is the length of an array.
type Length struct{ *Value }

// Parse implements participle.Parseable: '[' Value ']'.
func (n *Length) Parse(l *lexer.PeekingLexer) (err error) {
	n.Value, err = between(l, "[", "]")
	return err
}

// A Tag names the field that selects a variant.
type Tag struct{ *Value }

// Parse implements participle.Parseable: '<' Value '>'.
func (n *Tag) Parse(l *lexer.PeekingLexer) (err error) {
	n.Value, err = between(l, "<", ">")
	return err
}

// An Alignment is the value after the word align.
type Alignment struct{ *Value }

// Parse implements participle.Parseable: '(' Value ')'.
func (n *Alignment) Parse(l *lexer.PeekingLexer) (err error) {
	n.Value, err = between(l, "(", ")")
	return err
}
