package tsdl

import (
	"cmp"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
)

var declarations = parserOf[Declaration]()

// Parse parses a text and calls each for its declarations, in their order. The name is used for
// positions only. The error is a [diag.List] with one error for each omitted declaration, up to
// MaxErrors, and one that counts the others.
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

// First returns the first intact block of a kind, or nil.
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
	broken error           // of the first broken scalar of the current declaration
	known  map[string]bool // texts of scalars without errors
	// explained is the number of words and marks that were parsed to explain errors.
	explained int
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

// nesting maps marks to their change of the depth.
var nesting = map[string]int{"{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1}

// cut reads the tokens of the next declaration, up to a semicolon outside of braces. It returns
// false at the end of the text. A declaration beyond the limits has no tokens.
func (p *parsing) cut(s *scanner) bool {
	p.tokens, p.broken = p.tokens[:0], nil
	depth, enums, large := 0, 0, false // enums counts nested containers that are enumerations
	for {
		t := p.next(s)
		if t.EOF() {
			return false
		}
		switch {
		case t.Type == tokReserved && t.Value == "enum":
			enums++
		case t.Type == tokMark && t.Value != ":":
			enums = 0
			depth = max(0, depth+nesting[t.Value])
		}
		switch {
		case large:
		case max(depth, enums) > MaxNesting:
			large = true
			p.report(t.Pos, CodeLimit, "more than %d levels of braces or enumerations: the declaration is left out",
				MaxNesting)
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

// declaration parses the tokens of a declaration. It returns nil for an empty declaration, and for
// a declaration whose error it reports.
func (p *parsing) declaration() *Declaration {
	tokens := p.tokens
	if len(tokens) == 0 || len(tokens) == 1 && tokens[0].Value == ";" {
		return nil
	}
	for _, t := range tokens {
		if t.Type == tokBad {
			p.report(t.Pos, CodeSyntax, "%s is not part of a declaration", diag.Quote(t.Value))
			return nil
		}
	}
	d, err := (*Declaration)(nil), p.broken
	if err == nil {
		d, err = parse(declarations(), &list{tokens: tokens})
		if err != nil && len(p.errors) < MaxErrors {
			err = cmp.Or(p.inner(tokens), err)
		}
	}
	if err == nil {
		return d
	}
	pos, message := explain(err, tokens[0].Pos)
	p.report(pos, CodeSyntax, "%s", message)
	return nil
}

// parse parses tokens.
func parse[T any](parser *participle.Parser[T], tokens lexer.Lexer) (*T, error) {
	peeking, err := lexer.Upgrade(tokens)
	if err != nil {
		return nil, err
	}
	return parser.ParseFromLexer(peeking)
}

// list is a lexer of tokens that have already been read.
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
