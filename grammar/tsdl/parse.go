package tsdl

import (
	"errors"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

// The parser looks ahead as far as it must. A declaration begins with a path where it is a setting,
// and with a type where it is not, so that two or three tokens decide.
var parser = sync.OnceValue(func() *participle.Parser[Declaration] {
	return participle.MustBuild[Declaration](participle.Lexer(textLexer{}), participle.UseLookahead(participle.MaxLookahead))
})

// Parse parses a text. The name is used for positions only. The error is a [diag.List]: one for
// each declaration that is left out.
func Parse(name, text string) (*File, error) {
	f, p := &File{}, &parsing{}
	if len(text) > MaxBytes {
		p.report(lexer.Position{Filename: name, Line: 1, Column: 1}, CodeLimit, "a text of %d bytes: at most %d are read", len(text), MaxBytes)
		return f, p.errors
	}
	s := newScanner(name, text)
	for {
		tokens, ended := p.cut(s)
		if !ended {
			f.Rest = len(text)
			if len(tokens) > 0 {
				f.Rest = tokens[0].Pos.Offset
			}
			break
		}
		if d := p.declaration(tokens); d != nil {
			f.Declarations = append(f.Declarations, d)
		}
	}
	if p.errors == nil {
		return f, nil
	}
	return f, p.errors
}

// parsing is one call of Parse.
type parsing struct {
	errors diag.List
	tokens []lexer.Token // of the current declaration; reused
}

// report adds an error, up to MaxErrors.
func (p *parsing) report(pos lexer.Position, code, format string, args ...any) {
	if len(p.errors) < MaxErrors {
		p.errors = append(p.errors, diag.New(pos, diag.Error, code, format, args...))
	}
}

// cut returns the tokens of the next declaration: up to a semicolon that is outside of braces. It
// reports false at the end of the text.
func (p *parsing) cut(s *scanner) (tokens []lexer.Token, ended bool) {
	p.tokens = p.tokens[:0]
	depth, deep := 0, false
	for {
		t, _ := s.Next() // which has no errors
		if t.EOF() {
			return p.tokens, false
		}
		if t.Type == tokString || t.Type == tokChar {
			t.Value = unquote(t.Value)
			p.tokens = append(p.tokens, t)
			continue
		}
		p.tokens = append(p.tokens, t)
		switch t.Value {
		case "{", "[", "(":
			if depth++; depth > MaxNesting && !deep {
				deep = true
				p.report(t.Pos, CodeLimit, "more than %d levels of braces: the declaration is left out", MaxNesting)
			}
		case "}", "]", ")":
			depth = max(depth-1, 0)
		case ";":
			if depth > 0 {
				continue
			}
			if deep {
				p.tokens = p.tokens[:0]
			}
			return p.tokens, true
		}
	}
}

// declaration parses the tokens of a declaration. It returns nil for an empty one, and for one that
// it reports.
func (p *parsing) declaration(tokens []lexer.Token) *Declaration {
	if len(tokens) == 0 || len(tokens) == 1 && tokens[0].Value == ";" {
		return nil
	}
	for _, t := range tokens {
		if t.Type == tokBad {
			p.report(t.Pos, CodeSyntax, "%s is no part of a declaration", diag.Quote(t.Value))
			return nil
		}
	}
	peeking, err := lexer.Upgrade(&list{tokens: tokens})
	if err != nil {
		p.report(tokens[0].Pos, CodeSyntax, "%s", err)
		return nil
	}
	d, err := parser().ParseFromLexer(peeking)
	if err == nil {
		return d
	}
	pos, message := tokens[0].Pos, err.Error()
	if e := (participle.Error)(nil); errors.As(err, &e) {
		pos, message = e.Position(), e.Message()
	}
	p.report(pos, CodeSyntax, "%s", message)
	return nil
}

// list is a lexer of tokens that have been read.
type list struct {
	tokens []lexer.Token
	last   lexer.Position
}

// Next implements lexer.Lexer.
func (l *list) Next() (lexer.Token, error) {
	if len(l.tokens) == 0 {
		return lexer.EOFToken(l.last), nil
	}
	t := l.tokens[0]
	l.tokens, l.last = l.tokens[1:], t.Pos
	return t, nil
}
