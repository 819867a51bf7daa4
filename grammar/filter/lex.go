package filter

import (
	"strconv"
	"strings"
)

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
	real  bool // float holds the value
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

// operators, with longer ones first.
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
	if rest[0] == '=' {
		e.Msg, e.Try = `"=" compares by ==`, l.src[:t.pos]+"="+l.src[t.pos:]
	}
	panic(e)
}

// number reads an integer, or a number with a decimal point.
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

// quoted reads a text in single or double quotes. A quote after a backslash does not end it.
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
				b.WriteByte('\\') // the backslash is part of a regular expression
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
