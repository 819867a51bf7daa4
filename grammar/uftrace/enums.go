package uftrace

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// enumTree is one declaration; the semicolons between several are optional (uftrace.md 1.8).
type (
	enumTree struct {
		Pos       lexer.Position
		Name      []string        `parser:"Enum? @( Name | Number | Minus | Equals | Other )*"`
		Constants []*constantTree `parser:"Open Comma* @@*"`
		End       *lexer.Token    `parser:"@Close Semicolon*"`
	}
	constantTree struct {
		Pos    lexer.Position
		Name   string      `parser:"@Name"`
		Number *numberTree `parser:"( Equals @@ )?"`
		Commas []string    `parser:"@Comma*"`
	}
	numberTree struct {
		Pos   lexer.Position
		Minus bool   `parser:"@Minus?"`
		Text  string `parser:"@Number"`
	}
)

var enumRules = []lexer.SimpleRule{
	{Name: "Blank", Pattern: `[ \t\r\n]+`},
	{Name: "Enum", Pattern: `enum\b`},
	{Name: "Number", Pattern: `0[xX][0-9a-fA-F]+|[0-9]+`},
	{Name: "Name", Pattern: `[A-Za-z_$][A-Za-z0-9_$:.]*`},
	{Name: "Open", Pattern: `\{`},
	{Name: "Close", Pattern: `\}`},
	{Name: "Comma", Pattern: `,`},
	{Name: "Semicolon", Pattern: `;`},
	{Name: "Equals", Pattern: `=`},
	{Name: "Minus", Pattern: `-`},
	{Name: "Other", Pattern: `(?s).`},
}

var enumGrammar = sync.OnceValue(func() *participle.Parser[enumTree] {
	return participle.MustBuild[enumTree](participle.Lexer(lexer.MustSimple(enumRules)), participle.Elide("Blank"))
})

// ParseEnums parses declarations of enums, one after another: `enum kind {food,tool=5,book};enum
// …`. Numbers are written as in C. A number that does not fit into 64 bits becomes the largest
// number, as in uftrace. A declaration with an error is skipped, and parsing continues after its
// brace.
func ParseEnums(name, text string) ([]*Enum, diag.List) {
	p := newParser(name, text)
	if !p.ok() {
		return nil, p.errs
	}
	var enums []*Enum
	for at := p.start(); ; {
		rest := text[at.Offset:]
		start := len(rest) - len(trimStart(rest))
		at.Advance(rest[:start])
		if rest = rest[start:]; rest == "" {
			return enums, p.errs
		}
		piece := lexer.Token{Pos: at, Value: rest[:enumEnd(rest)]}
		if e := p.enum(&piece); e != nil {
			enums = append(enums, e)
		}
		at.Advance(piece.Value)
	}
}

// trimStart removes blanks and semicolons.
func trimStart(s string) string {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n' || s[i] == ';') {
		i++
	}
	return s[i:]
}

// enumEnd returns the length of a declaration.
func enumEnd(s string) int {
	for i := range len(s) {
		if s[i] == '}' {
			return i + 1
		}
	}
	return len(s)
}

func (p *parser) enum(piece *lexer.Token) *Enum {
	tree, err := enumGrammar().ParseString("", piece.Value)
	if err != nil {
		at, found := piece.Pos, "a fault"
		if pe, ok := err.(participle.Error); ok {
			at = shift(piece, pe.Position().Offset)
		}
		if ue, ok := err.(*participle.UnexpectedTokenError); ok {
			if found = quote(ue.Unexpected.Value); ue.Unexpected.EOF() {
				found = "the end"
			}
		}
		p.report(at, CodeEnum, "expected an enum such as `enum kind {food,tool=5}`, found "+found)
		return nil
	}
	e := &Enum{Pos: piece.Pos, Name: strings.Join(tree.Name, "")}
	e.Pos.Filename = p.name
	at, done := e.Pos, 0 // position of the current constant: each continues from the one before
	next := int64(0)
	for i, t := range tree.Constants {
		if len(t.Commas) == 0 && i < len(tree.Constants)-1 {
			next := tree.Constants[i+1]
			p.report(shift(piece, next.Pos.Offset), CodeEnum, "expected a comma, found "+quote(next.Name))
			return nil
		}
		at.Advance(piece.Value[done:t.Pos.Offset])
		done = t.Pos.Offset
		c := &Constant{Pos: at, Name: t.Name, HasNumber: t.Number != nil}
		if t.Number != nil {
			next = constant(t.Number)
		}
		c.Value = next
		next++
		e.Constants = append(e.Constants, c)
	}
	return e
}

// constant reads a number as the C library's strtol does with base 0.
func constant(t *numberTree) int64 {
	text := t.Text
	base := 10
	switch {
	case len(text) > 2 && (text[1] == 'x' || text[1] == 'X'):
		base, text = 16, text[2:]
	case len(text) > 1 && text[0] == '0':
		base, text = 8, octalDigits(text)
	}
	v, err := strconv.ParseUint(text, base, 64)
	switch {
	case err == nil && v <= math.MaxInt64 && t.Minus:
		return -int64(v)
	case err == nil && v <= math.MaxInt64:
		return int64(v)
	case t.Minus:
		return math.MinInt64
	}
	return math.MaxInt64
}

// octalDigits returns the octal digits that text begins with.
func octalDigits(text string) string {
	for i := range len(text) {
		if text[i] > '7' {
			return text[:i]
		}
	}
	return text
}
