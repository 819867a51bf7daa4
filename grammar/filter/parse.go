package filter

import (
	"regexp"
	"strconv"
	"strings"
)

// Node is an expression of a filter: a Number, Real, Text, Field, *Unary, *Binary or *Match.
type Node interface{ isNode() }

// The expressions.
type (
	Number struct{ Value int64 } // the bits of a number above the range too
	Real   struct{ Value float64 }
	Text   struct{ Value string } // without its quotes
	Field  struct {
		Name string
		Pos  int // in the source, in bytes
	}
	Unary struct {
		Op string // ! - ~
		X  Node
	}
	Binary struct {
		Op   string // && || == != < <= > >= + - * / % & | ^
		X, Y Node
	}
	// Match is x =~ "text", x !~ "text" or x ~ "text".
	Match struct {
		X      Field
		Regexp *regexp.Regexp // of Text; for =~ and !~ without regard to case
		Text   string
		Op     string
	}
)

func (Number) isNode()  {}
func (Real) isNode()    {}
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
	"==": 2, "!=": 2, "<": 2, "<=": 2, ">": 2, ">=": 2, "=~": 2, "!~": 2, "~": 2,
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

// check refuses texts where only numbers make sense, and bits of numbers that have none.
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

// condition refuses what is no condition.
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
		p.fail("right of " + op.text + " there must be a quoted regular expression")
	}
	expr := "(?i)" + p.tok.text
	if op.text == "~" {
		expr = globExpr(p.tok.text)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		p.fail("bad regular expression: " + err.Error())
	}
	n := &Match{of, re, p.tok.text, op.text}
	p.advance()
	return n
}

// globExpr returns the regular expression of a glob over a whole text: * is any characters, ? is one, [a-z] and [!a-z] are one of some
// (lib/glob.c of the kernel).
func globExpr(glob string) string {
	var b strings.Builder
	b.WriteString("(?s)^")
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteByte('.')
		case '[':
			if n := setExpr(&b, glob[i:]); n > 0 {
				i += n - 1
				continue
			}
			b.WriteString(`\[`)
		case '\\':
			if i+1 < len(glob) {
				i++
			}
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		default:
			n := 1
			for i+n < len(glob) && strings.IndexByte(`*?[\`, glob[i+n]) < 0 {
				n++
			}
			b.WriteString(regexp.QuoteMeta(glob[i : i+n]))
			i += n - 1
		}
	}
	b.WriteByte('$')
	return b.String()
}

// setExpr writes the set that a glob begins with and returns its length, 0 when it has no end: the bracket means itself then.
func setExpr(b *strings.Builder, glob string) int {
	at, negated := 1, false
	if at < len(glob) && (glob[at] == '!' || glob[at] == '^') {
		at, negated = 2, true
	}
	n := -1
	if at < len(glob) { // a ] that comes first is one of the set
		n = strings.IndexByte(glob[at+1:], ']')
	}
	if n < 0 {
		return 0
	}
	set := glob[at : at+1+n]
	b.WriteByte('[')
	if negated {
		b.WriteByte('^')
	}
	for i := 0; i < len(set); i++ {
		if strings.IndexByte(`[]^\&~`, set[i]) >= 0 || set[i] == '-' && (i == 0 || i == len(set)-1) {
			b.WriteByte('\\')
		}
		b.WriteByte(set[i])
	}
	b.WriteByte(']')
	return at + 1 + n + 1
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
		if tok.real {
			return Real{tok.float}
		}
		return Number{tok.value}
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
		x := p.expr(2) // of a whole comparison, as in trace-cmd
		p.condition(x)
		return &Unary{"!", x}
	case tok.kind == tokOp && (tok.text == "-" || tok.text == "~"):
		p.advance()
		x := p.operand()
		switch n := x.(type) {
		case Number:
			if tok.text == "-" {
				return Number{-n.Value}
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
	float float64
	real  bool // float is the value
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
	case c == '`':
		n := strings.IndexByte(rest[1:], '`')
		if n < 0 {
			panic(&SyntaxError{Source: l.src, Offset: t.pos, Msg: "the quote is not closed"})
		}
		l.pos += n + 2
		t.kind, t.text = tokName, rest[1:n+1]
		return t
	case isWordByte(c):
		n := 1
		for n < len(rest) && isWordByte(rest[n]) {
			n++
		}
		l.pos += n
		t.kind, t.text = tokName, rest[:n]
		if c >= '0' && c <= '9' {
			l.number(&t)
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
	e := &SyntaxError{Source: l.src, Offset: t.pos, Msg: "unexpected " + strconv.Quote(rest[:1])}
	if rest[0] == ':' {
		e.Hint = "; a system and an event are written SYSTEM/EVENT"
	}
	panic(e)
}

// number reads a number: a whole one, or digits with a point.
func (l *lexer) number(t *token) {
	t.kind = tokNumber
	v, err := strconv.ParseUint(t.text, 0, 64)
	if t.value = int64(v); err == nil {
		return
	}
	if t.real = strings.Contains(t.text, ".") && strings.Trim(t.text, "0123456789.") == ""; t.real {
		t.float, err = strconv.ParseFloat(t.text, 64)
	}
	if err != nil {
		panic(&SyntaxError{Source: l.src, Offset: t.pos, Msg: "`" + t.text + "` is not a number of 64 bits"})
	}
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
	panic(&SyntaxError{Source: l.src, Offset: t.pos, Msg: "the quote is not closed"})
}

func isWordByte(c byte) bool {
	return c == '_' || c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
