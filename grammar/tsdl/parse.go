package tsdl

import (
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

// Parse parses a text and calls each for its declarations, in their order. The name is used for
// positions only. The error is a [diag.List]: one for each declaration that is left out, at most
// MaxErrors and one that counts the others.
func Parse(name, text string, each func(*Declaration)) error {
	p := newParsing(text)
	if len(text) > MaxBytes {
		p.report(lexer.Position{Filename: name, Line: 1, Column: 1}, CodeLimit,
			"a text of %d bytes: at most %d are read", len(text), MaxBytes)
		return p.errors
	}
	for s := newScanner(name, text); p.cut(s); {
		if d := p.declaration(); d != nil {
			each(d)
		}
	}
	if len(p.tokens) > 0 {
		p.report(p.tokens[0].Pos, CodeCut, "the text ends before this declaration does")
	}
	if p.more > 0 {
		p.errors = append(p.errors, diag.New(lexer.Position{Filename: name}, diag.Error, CodeLimit,
			"%d more errors", p.more))
	}
	if p.errors == nil {
		return nil
	}
	return p.errors
}

// First returns the first block of a kind that is intact, or nil.
func First(text, kind string) *Block {
	p := newParsing(text)
	for s := newScanner("", text); p.cut(s); {
		if len(p.tokens) == 0 || p.tokens[0].Value != kind {
			continue
		}
		if d := p.declaration(); d != nil && d.Block != nil {
			return d.Block
		}
	}
	return nil
}

// parsing is one call of Parse.
type parsing struct {
	text   string
	errors diag.List
	more   int             // errors beyond MaxErrors
	tokens []lexer.Token   // of the current declaration; reused
	broken *syntaxError    // of the first broken scalar of the current declaration
	known  map[string]bool // texts of scalars without errors
}

func newParsing(text string) *parsing {
	return &parsing{text: text, known: map[string]bool{}}
}

func (p *parsing) report(pos lexer.Position, code, format string, args ...any) {
	if len(p.errors) == MaxErrors {
		p.more++
		return
	}
	p.errors = append(p.errors, diag.New(pos, diag.Error, code, format, args...))
}

// cut reads the tokens of the next declaration: up to a semicolon that is outside of braces. It
// reports false at the end of the text. A declaration beyond the limits has no tokens.
func (p *parsing) cut(s *scanner) bool {
	p.tokens, p.broken = p.tokens[:0], nil
	depth, large := 0, false
	for {
		t := p.next(s)
		if t.EOF() {
			return false
		}
		if t.Type == tokMark {
			switch t.Value {
			case "{", "[", "(":
				depth++
			case "}", "]", ")":
				depth = max(depth-1, 0)
			}
		}
		switch {
		case large:
		case depth > MaxNesting:
			large = true
			p.report(t.Pos, CodeLimit, "more than %d levels of braces: the declaration is left out", MaxNesting)
		case len(p.tokens) == MaxTokens:
			large = true
			p.report(t.Pos, CodeLimit, "a declaration of more than %d words and marks is left out", MaxTokens)
		default:
			p.tokens = append(p.tokens, t)
		}
		if t.Type == tokMark && t.Value == ";" && depth == 0 {
			if large {
				p.tokens = p.tokens[:0]
			}
			return true
		}
	}
}

// declaration parses the tokens of a declaration. It returns nil for an empty one, and for one that
// it reports.
func (p *parsing) declaration() *Declaration {
	tokens := p.tokens
	if len(tokens) == 0 || len(tokens) == 1 && tokens[0].Value == ";" {
		return nil
	}
	for _, t := range tokens {
		if t.Type == tokBad {
			p.report(t.Pos, CodeSyntax, "%s is no part of a declaration", diag.Quote(t.Value))
			return nil
		}
	}
	if p.broken == nil {
		c := newCursor(tokens)
		d := c.declaration()
		if c.failed < 0 {
			return d
		}
		p.broken = &syntaxError{at: c.failed, tokens: tokens, parse: func(c *cursor) { c.declaration() }}
	}
	p.report(p.broken.pos(), CodeSyntax, "%s", p.broken.message(len(p.errors) < mostExpected))
	return nil
}
