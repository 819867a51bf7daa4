package tsdl

import (
	"cmp"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
)

// Nearly all words of a kernel's metadata are the attributes of integers, which have few forms. A
// scalar is therefore one token of its declaration, and each form is parsed only once.

var scalars = parserOf[Scalar]()

// ReadScalar parses the text of a scalar. pos is the position at which the text begins.
func ReadScalar(pos lexer.Position, text string) (*Scalar, error) {
	return parse(scalars(), &scanner{text: text, pos: pos})
}

// maxKnown is the maximum length in bytes of the text of a known scalar.
const maxKnown = 1 << 10

// next returns the next token. A scalar with its attributes is one token, if they have no errors.
func (p *parsing) next(s *scanner) lexer.Token {
	t, _ := s.Next() // Next returns no errors
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

// attributes returns the length of a scalar whose keyword has been read. For a scalar with an
// error, it keeps the error and returns 0.
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
	if _, err := parse(scalars(), &list{tokens: tokens}); err != nil {
		p.broken = cmp.Or(p.broken, err)
		return 0
	}
	return s.pos.Offset - keyword.Pos.Offset
}
