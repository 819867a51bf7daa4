package tsdl

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// Nearly all words of a kernel's metadata are the attributes of integers, and these have few forms.
// A scalar is therefore one token of its declaration. Each form is parsed once.

// ReadScalar parses the text of a scalar, which begins at a position.
func ReadScalar(pos lexer.Position, text string) (*Scalar, error) {
	var tokens []lexer.Token
	for s := (&scanner{text: text, pos: pos}); ; {
		t, err := s.Next()
		if err != nil || t.EOF() {
			break
		}
		tokens = append(tokens, t)
	}
	c := newCursor(tokens)
	if s := c.scalar(); c.failed < 0 {
		return s, nil
	}
	return nil, errors.New((&syntaxError{at: c.failed, tokens: tokens}).message(false))
}

// maxKnown bounds the texts of known scalars.
const maxKnown = 1 << 10

// next returns the next token. A scalar is one token with its attributes, if they have no errors.
func (p *parsing) next(s *scanner) lexer.Token {
	t, _ := s.Next() // which has no errors
	if t.Type != tokScalar {
		return t
	}
	if s.blank(); !strings.HasPrefix(s.text, "{") {
		return t
	}
	text := p.text[t.Pos.Offset:]
	n := strings.IndexByte(text[:min(len(text), maxKnown)], '}') + 1
	if !p.known[text[:n]] {
		if n = p.attributes(t, *s); n == 0 {
			return t
		}
		p.known[text[:n]] = true
	}
	t.Value = text[:n]
	s.pass(t.Pos.Offset + n - s.pos.Offset)
	return t
}

// attributes returns the length of a scalar whose keyword has been read. It returns 0 for one with
// an error, which it keeps.
func (p *parsing) attributes(keyword lexer.Token, s scanner) int {
	tokens, braces := []lexer.Token{keyword}, 0
	for braces < 2 && len(p.tokens)+len(tokens) < MaxTokens {
		t, _ := s.Next()
		if tokens = append(tokens, t); t.EOF() {
			break
		}
		if t.Type == tokMark && (t.Value == "{" || t.Value == "}") {
			braces++
		}
	}
	c := newCursor(tokens)
	if c.scalar(); c.failed >= 0 {
		if p.broken == nil {
			p.broken = &syntaxError{at: c.failed, tokens: slices.Clone(tokens), parse: func(c *cursor) { c.scalar() }}
		}
		return 0
	}
	return s.pos.Offset - keyword.Pos.Offset
}
