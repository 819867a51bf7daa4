package uftrace

import (
	"fmt"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// Limits for untrusted texts.
const (
	MaxTextBytes = 1 << 20 // the lists that uftrace saves have 15 KB
	MaxErrors    = 1000
)

// parser is the state that the words of a text share.
type parser struct {
	name, text string
	errs       diag.List
	count      int
}

func newParser(name, text string) *parser { return &parser{name: name, text: text} }

// ok rejects texts that are too long.
func (p *parser) ok() bool {
	if len(p.text) <= MaxTextBytes {
		return true
	}
	p.report(p.start(), CodeLimit, fmt.Sprintf("text of %d bytes: at most %d are read", len(p.text), MaxTextBytes))
	return false
}

func (p *parser) start() lexer.Position { return lexer.Position{Filename: p.name, Line: 1, Column: 1} }

func (p *parser) report(at lexer.Position, code string, msg string) {
	at.Filename = p.name
	if p.count++; p.count <= MaxErrors {
		p.errs = append(p.errs, diag.Diagnostic{Pos: at, Code: code, Msg: msg})
	}
}

// shift returns the position of a byte of a token.
func shift(t *lexer.Token, offset int) lexer.Position {
	at := t.Pos
	at.Advance(t.Value[:min(offset, len(t.Value))])
	return at
}
