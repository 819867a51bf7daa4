package filter

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// precedence of the binary operators. As in trace-cmd, && and || have the same precedence and group
// from the left: `a || b && c` is `(a || b) && c`. Arithmetic binds tighter than comparisons.
// Unlike in C, this includes & ^ |, so `flags & 4 == 4` is `(flags & 4) == 4`.
var precedence = map[string]int{
	"&&": 1, "||": 1,
	"==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "=~": 2, "!~": 2, "~": 2,
	"|": 3, "^": 4, "&": 5, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7,
}

// maxDepth limits the nesting of parentheses and signs.
const maxDepth = 200

type parser struct {
	lexer
	tok   token
	depth int
}

func (p *parser) parse() (n Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			n, err = nil, e
		}
	}()
	p.advance()
	n = p.expr(1)
	if p.tok.kind != tokEnd {
		p.fail("unexpected " + p.tok.String())
	}
	p.condition(n)
	return n, nil
}

func (p *parser) advance() { p.tok = p.next() }

func (p *parser) fail(msg string) {
	panic(&SyntaxError{Source: p.src, Offset: p.tok.pos, Msg: msg})
}

// expr parses operators that bind at least as tight as level.
func (p *parser) expr(level int) Node {
	x := p.operand()
	for p.tok.kind == tokOp && precedence[p.tok.text] >= level {
		op := p.tok
		p.advance()
		switch op.text {
		case "=~", "!~", "~":
			x = p.match(x, op)
			continue
		}
		y := p.expr(precedence[op.text] + 1)
		p.check(op, x, y)
		x = &Binary{op.text, x, y}
	}
	return x
}

// check rejects texts where numbers are required, and bit operations on numbers that are not
// integers.
func (p *parser) check(op token, x, y Node) {
	_, xt := x.(Text)
	_, yt := y.(Text)
	if (xt || yt) && (op.text != "==" && op.text != "!=" || !isField(x) && !isField(y)) {
		p.tok = op
		p.fail("a text can only be compared with a field, by ==, !=, =~, !~ or ~")
	}
	_, xr := x.(Real)
	_, yr := y.(Real)
	if (xr || yr) && strings.Contains("&|^%", op.text) {
		p.tok = op
		p.fail(op.text + " needs whole numbers")
	}
}

func isField(n Node) bool {
	_, ok := n.(Field)
	return ok
}

// condition rejects an expression that is not a condition.
func (p *parser) condition(n Node) {
	if _, ok := n.(Text); ok {
		p.fail("a text is not a condition")
	}
}

func (p *parser) match(x Node, op token) Node {
	of, ok := x.(Field)
	if !ok {
		p.tok = op
		p.fail("left of " + op.text + " there must be a field")
	}
	if p.tok.kind != tokText {
		what := "regular expression"
		if op.text == "~" {
			what = "glob"
		}
		p.fail("right of " + op.text + " there must be a quoted " + what)
	}
	expr := "(?i)" + p.tok.text
	if op.text == "~" {
		if expr = globExpr(p.tok.text); expr == "" {
			p.fail("bad glob " + p.tok.String() + ": the bracket is not closed")
		}
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		p.fail("bad regular expression: " + faultOf(err))
	}
	n := &Match{of, re, p.tok.text, op.text}
	p.advance()
	return n
}

func (p *parser) operand() Node {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested more than " + strconv.Itoa(maxDepth) + " levels deep")
	}
	defer func() { p.depth-- }()
	tok := p.tok
	switch {
	case tok.kind == tokNumber:
		p.advance()
		if tok.real {
			return Real{tok.float}
		}
		return Number{Value: tok.value, Above: tok.value < 0}
	case tok.kind == tokText:
		p.advance()
		return Text{tok.text}
	case tok.kind == tokName:
		p.advance()
		return Field{tok.text, tok.pos}
	case tok.kind == tokOp && tok.text == "(":
		p.advance()
		x := p.expr(1)
		if p.tok.kind != tokOp || p.tok.text != ")" {
			p.fail("expected ), found " + p.tok.String())
		}
		p.advance()
		return x
	case tok.kind == tokOp && tok.text == "!":
		p.advance()
		x := p.expr(2) // negates a whole comparison, as in trace-cmd
		p.condition(x)
		return &Unary{"!", x}
	case tok.kind == tokOp && (tok.text == "-" || tok.text == "~"):
		p.advance()
		literal := p.tok.kind == tokNumber // otherwise it is arithmetic, which wraps
		x := p.operand()
		switch n := x.(type) {
		case Number:
			if tok.text == "-" {
				if n.Above && n.Value != math.MinInt64 && literal {
					p.tok = tok
					p.fail("the number has more than 64 bits with its sign")
				}
				return Number{Value: -n.Value, Above: n.Value == math.MinInt64 && !n.Above}
			}
		case Real:
			if tok.text == "~" {
				p.fail("~ needs whole numbers")
			}
			return Real{-n.Value}
		case Text:
			p.fail("a text has no sign")
		}
		return &Unary{tok.text, x}
	}
	p.fail("expected a field, a number or a text, found " + tok.String())
	return nil
}
