package ftrace

import (
	"fmt"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/tracec/tracec/grammar/diag"
)

// cparser parses C text by operator precedence.
//
// The first error is kept and moves the parser to the end of the tokens, where nothing more is
// accepted. So no function needs to return errors, and every loop that ends at tEOF ends.
type cparser struct {
	scanner
	start lexer.Position
	code  string
	pos   int // index of the current token
	nest  int // open levels, see MaxNesting
	// height is the height of the node parsed last, see MaxHeight.
	height int
	err    *diag.Diagnostic
	args   []Expr // stack of finished list elements, see list
}

var parsers = sync.Pool{New: func() any { return new(cparser) }}

// withParser runs f over the tokens of src.
func withParser(start lexer.Position, src string, code string, f func(*cparser)) *diag.Diagnostic {
	if len(src) > MaxFileBytes {
		return &diag.Diagnostic{Pos: start, Code: CodeLimit,
			Msg: fmt.Sprintf("text of %d bytes: at most %d are read", len(src), MaxFileBytes)}
	}
	p := parsers.Get().(*cparser)
	p.start, p.code, p.pos, p.nest, p.height, p.err = start, code, 0, 0, 0, nil
	p.scan(src, start, code == CodePrint)
	f(p)
	if p.kind() != tEOF {
		p.expected("the end")
	}
	err := p.err
	p.src, p.start, p.err = "", lexer.Position{}, nil
	clear(p.args[:cap(p.args)])
	p.args = p.args[:0]
	const most = 1 << 14 // tokens; larger arrays of a hostile file are not kept
	if cap(p.toks) <= most && cap(p.args) <= most && cap(p.open) <= most {
		parsers.Put(p)
	}
	return err
}

// ParseExpr parses one C expression, the comma operator included. Positions count from line 1,
// column 1.
func ParseExpr(src string) (Expr, error) {
	var x Expr
	err := withParser(lexer.Position{Line: 1, Column: 1}, src, CodeExpr, func(p *cparser) {
		x = p.expr(rankComma)
	})
	if err != nil {
		return nil, *err
	}
	return x, nil
}

// ParsePrint parses the text after `print fmt:`, a format and its arguments. Positions count from
// line 1, column 1.
func ParsePrint(src string) (*Print, error) {
	print, err := parsePrint(lexer.Position{Line: 1, Column: 1}, src)
	if err != nil {
		return nil, *err
	}
	return print, nil
}

func parsePrint(start lexer.Position, src string) (*Print, *diag.Diagnostic) {
	print := &Print{Pos: start}
	err := withParser(start, src, CodePrint, func(p *cparser) {
		if p.kind() != tString {
			p.expected("a format in quotes")
			return
		}
		print.Format = p.text()
		base := len(p.args)
		for p.accept(tComma) && p.kind() != tEOF { // some formats end after a comma
			p.args = append(p.args, p.expr(rankAssign))
		}
		print.Args = p.popArgs(base)
	})
	if err != nil {
		return nil, err
	}
	return print, nil
}

func (p *cparser) kind() kind { return p.toks[p.pos].kind }

// peek returns the kind of the n-th token from the current one.
func (p *cparser) peek(n int) kind { return p.kindAt(p.pos + n) }

func (p *cparser) kindAt(i int) kind {
	if i >= len(p.toks) {
		return tEOF
	}
	return p.toks[i].kind
}

func (p *cparser) textAt(i int) string {
	t := &p.toks[i]
	return p.src[t.off:t.end]
}

// word returns the text of the current token.
func (p *cparser) word() string { return p.textAt(p.pos) }

func (p *cparser) next() {
	if p.pos < len(p.toks)-1 {
		p.pos++
	}
}

func (p *cparser) accept(k kind) bool {
	if p.kind() != k {
		return false
	}
	p.next()
	return true
}

// expect takes a token of kind k. what describes the token in an error message.
func (p *cparser) expect(k kind, what string) bool {
	if p.accept(k) {
		return true
	}
	p.expected(what)
	return false
}

// node returns the position of the current token.
func (p *cparser) node() Node { return Node{p.position(p.pos)} }

func (p *cparser) position(i int) lexer.Position {
	t := &p.toks[i]
	return lexer.Position{
		Filename: p.start.Filename,
		Offset:   p.start.Offset + int(t.off),
		Line:     int(t.line),
		Column:   int(t.col),
	}
}

// expected records an error at the current token. what describes the expected token.
func (p *cparser) expected(what string) {
	if p.err != nil {
		return
	}
	found := "the end"
	switch p.kind() {
	case tEOF:
	case tBad:
		p.fail(p.code, p.bad)
		return
	default:
		found = quote(p.word())
	}
	p.fail(p.code, "expected "+what+", found "+found)
}

// fail records an error at the current token and gives up.
func (p *cparser) fail(code string, msg string) {
	if p.kind() == tBad && p.badCode != "" {
		code = p.badCode
	}
	p.failAt(p.position(p.pos), code, msg)
}

func (p *cparser) failAt(pos lexer.Position, code string, msg string) {
	if p.err == nil {
		p.err = &diag.Diagnostic{Pos: pos, Code: code, Msg: msg}
	}
	p.pos = len(p.toks) - 1
}

// enter opens a level and reports whether that is allowed. leave closes it.
func (p *cparser) enter() bool {
	p.nest++
	if p.nest > MaxNesting {
		p.fail(CodeLimit, fmt.Sprintf("nested more than %d levels deep", MaxNesting))
		return false
	}
	return true
}

func (p *cparser) leave() { p.nest-- }

// above sets the height of a node over the one parsed last and others of height h or less.
// Recursive walks of a tree can rely on MaxHeight.
func (p *cparser) above(h int) {
	p.height = max(p.height, h) + 1
	if p.height > MaxHeight {
		p.fail(CodeLimit, fmt.Sprintf("an expression of more than %d nodes on one path", MaxHeight))
	}
}

// popArgs removes the elements above base from the stack and returns them as a new slice.
func (p *cparser) popArgs(base int) []Expr {
	if len(p.args) == base {
		return nil
	}
	out := make([]Expr, len(p.args)-base)
	copy(out, p.args[base:])
	p.args = p.args[:base]
	return out
}
