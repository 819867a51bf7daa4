package filter

import (
	"regexp"
	"strconv"
	"strings"
)

// Node is an expression of a filter: a Number, Text, Field, *Unary, *Binary or *Match.
type Node interface{ isNode() }

// The expressions.
type (
	Number struct{ Value int64 }  // the bits of a number above the range too
	Text   struct{ Value string } // without its quotes
	Field  struct{ Name string }
	Unary  struct {
		Op string // ! - ~
		X  Node
	}
	Binary struct {
		Op   string // && || == != < <= > >= + - * / % & | ^
		X, Y Node
	}
	// Match is x =~ "text", or x !~ "text" when it is Negated.
	Match struct {
		X       Field
		Regexp  *regexp.Regexp // of Text, without regard to case
		Text    string
		Negated bool
	}
)

func (Number) isNode()  {}
func (Text) isNode()    {}
func (Field) isNode()   {}
func (*Unary) isNode()  {}
func (*Binary) isNode() {}
func (*Match) isNode()  {}

// precedence of the operators between two operands. As in trace-cmd, && and || bind equally and from
// the left: `a || b && c` is `(a || b) && c`. Arithmetic binds tighter than comparisons, unlike C also
// for & ^ |, so that `flags & 4 == 4` is what it looks like.
var precedence = map[string]int{
	"&&": 1, "||": 1,
	"==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "=~": 2, "!~": 2,
	"|": 3, "^": 4, "&": 5, "+": 6, "-": 6, "*": 7, "/": 7, "%": 7,
}

// maxDepth bounds the nesting of parentheses and signs.
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
	if _, ok := n.(Text); ok {
		p.fail("a text is not a condition")
	}
	return n, nil
}

func (p *parser) advance() { p.tok = p.next() }

func (p *parser) fail(msg string) {
	panic(&SyntaxError{p.src, p.tok.pos, msg})
}

// expr parses operators that bind at least as tight as level.
func (p *parser) expr(level int) Node {
	x := p.operand()
	for p.tok.kind == tokOp && precedence[p.tok.text] >= level {
		op := p.tok
		p.advance()
		if op.text == "=~" || op.text == "!~" {
			x = p.match(x, op)
			continue
		}
		y := p.expr(precedence[op.text] + 1)
		p.check(op, x, y)
		x = &Binary{op.text, x, y}
	}
	return x
}

// check refuses texts where only numbers make sense.
func (p *parser) check(op token, x, y Node) {
	_, xt := x.(Text)
	_, yt := y.(Text)
	if (xt || yt) && op.text != "==" && op.text != "!=" || xt && yt {
		p.tok = op
		p.fail("a text can only be compared with a field, by ==, !=, =~ or !~")
	}
}

func (p *parser) match(x Node, op token) Node {
	of, ok := x.(Field)
	if !ok {
		p.tok = op
		p.fail("left of " + op.text + " there must be a field")
	}
	if p.tok.kind != tokText {
		p.fail("right of " + op.text + " there must be a quoted regular expression")
	}
	re, err := regexp.Compile("(?i)" + p.tok.text)
	if err != nil {
		p.fail("bad regular expression: " + err.Error())
	}
	n := &Match{of, re, p.tok.text, op.text == "!~"}
	p.advance()
	return n
}

func (p *parser) operand() Node {
	if p.depth++; p.depth > maxDepth {
		p.fail("nested too deep")
	}
	defer func() { p.depth-- }()
	tok := p.tok
	switch {
	case tok.kind == tokNumber:
		p.advance()
		return Number{tok.value}
	case tok.kind == tokText:
		p.advance()
		return Text{tok.text}
	case tok.kind == tokName:
		p.advance()
		return Field{tok.text}
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
		return &Unary{"!", p.expr(2)} // of a whole comparison, as in trace-cmd
	case tok.kind == tokOp && (tok.text == "-" || tok.text == "~"):
		p.advance()
		x := p.operand()
		if n, ok := x.(Number); ok && tok.text == "-" {
			return Number{-n.Value}
		}
		if _, ok := x.(Text); ok {
			p.fail("a text has no sign")
		}
		return &Unary{tok.text, x}
	}
	p.fail("expected a field, a number or a text, found " + tok.String())
	return nil
}

type tokenKind uint8

const (
	tokEnd tokenKind = iota
	tokName
	tokNumber
	tokText
	tokOp
)

type token struct {
	kind  tokenKind
	pos   int
	text  string
	value int64
}

func (t token) String() string {
	switch t.kind {
	case tokEnd:
		return "the end"
	case tokText:
		return strconv.Quote(t.text)
	}
	return "`" + t.text + "`"
}

type lexer struct {
	src string
	pos int
}

// operators, the longer ones first.
var operators = []string{"&&", "||", "==", "!=", "<=", ">=", "=~", "!~",
	"<", ">", "&", "|", "^", "+", "-", "*", "/", "%", "(", ")", "!", "~"}

func (l *lexer) next() token {
	for l.pos < len(l.src) && strings.IndexByte(" \t\r\n", l.src[l.pos]) >= 0 {
		l.pos++
	}
	t := token{pos: l.pos}
	if l.pos == len(l.src) {
		return t
	}
	rest := l.src[l.pos:]
	c := rest[0]
	switch {
	case c == '"' || c == '\'':
		return l.quoted(t, rest)
	case isWordByte(c):
		n := 1
		for n < len(rest) && isWordByte(rest[n]) {
			n++
		}
		l.pos += n
		t.kind, t.text = tokName, rest[:n]
		if c >= '0' && c <= '9' {
			t.kind = tokNumber
			v, err := strconv.ParseUint(t.text, 0, 64)
			if err != nil {
				panic(&SyntaxError{l.src, t.pos, "`" + t.text + "` is not a number of 64 bits"})
			}
			t.value = int64(v)
		}
		return t
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			l.pos += len(op)
			t.kind, t.text = tokOp, op
			return t
		}
	}
	panic(&SyntaxError{l.src, t.pos, "unexpected " + strconv.Quote(rest[:1])})
}

// quoted reads a text in single or double quotes; a backslash keeps the byte after it from ending it.
func (l *lexer) quoted(t token, rest string) token {
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch {
		case rest[i] == rest[0]:
			l.pos += i + 1
			t.kind, t.text = tokText, b.String()
			return t
		case rest[i] == '\\' && i+1 < len(rest):
			if rest[i+1] != rest[0] {
				b.WriteByte('\\') // it belongs to a regular expression
			}
			i++
		}
		b.WriteByte(rest[i])
	}
	panic(&SyntaxError{l.src, t.pos, "the quote is not closed"})
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
