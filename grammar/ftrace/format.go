package ftrace

import (
	"strings"
	"unicode/utf8"
)

// Format prints an expression as C with as few parentheses as possible. For every x that ParseExpr
// or Parse returned, ParseExpr of the result equals x except for positions.
func Format(x Expr) string {
	var w writer
	w.expr(x, rankComma)
	return w.String()
}

// FormatPrint prints the text after `print fmt:`. ParsePrint of the result equals print except for
// positions.
func FormatPrint(print *Print) string {
	var w writer
	w.quote(print.Format, '"')
	for _, x := range print.Args {
		w.WriteString(", ")
		w.expr(x, rankAssign)
	}
	return w.String()
}

type writer struct{ strings.Builder }

// rankOf returns the precedence of the outermost operator of x.
func rankOf(x Expr) rank {
	switch x := x.(type) {
	case *Binary:
		return infixRank[opKinds[x.Op]]
	case *Cond:
		return rankCond
	case *Unary, *Cast, *Sizeof:
		return rankUnary
	}
	return rankPostfix
}

// expr prints x as an operand that must bind at least as tight as min.
func (w *writer) expr(x Expr, min rank) {
	if r := rankOf(x); r != 0 && r < min {
		w.WriteByte('(')
		w.bare(x)
		w.WriteByte(')')
		return
	}
	w.bare(x)
}

// bare prints x without parentheses around it.
func (w *writer) bare(x Expr) {
	switch x := x.(type) {
	case nil:
		// Nothing to print: the tree was truncated by hand.
	case *Ident:
		w.WriteString(x.Name)
	case *Number:
		w.WriteString(x.Text)
	case *Char:
		w.quote(string([]byte{x.Value}), '\'')
	case *String:
		w.quote(x.Value, '"')
	case *Unary:
		w.WriteString(x.Op)
		w.operand(x)
	case *Postfix:
		w.expr(x.X, rankPostfix)
		w.WriteString(x.Op)
	case *Binary:
		w.binary(x)
	case *Cond:
		w.expr(x.If, rankCond+1)
		if x.Then == nil {
			w.WriteString(" ?: ")
		} else {
			w.WriteString(" ? ")
			w.expr(x.Then, rankComma)
			w.WriteString(" : ")
		}
		w.expr(x.Else, rankCond)
	case *Cast:
		w.cast(x)
	case *Sizeof:
		w.sizeof(x)
	case *Index:
		w.notType(x.X, rankPostfix) // `sizeof (u8[1])`
		w.WriteByte('[')
		w.expr(x.I, rankComma)
		w.WriteByte(']')
	case *Member:
		w.member(x)
	case *Call:
		w.call(x)
	case *InitList:
		w.initList(x)
	case *CompoundLit:
		w.parenType(x.Type, inLiteral, "")
		w.initList(x.Init)
	case *StmtExpr:
		w.WriteString("({ ")
		w.stmts(x.Stmts)
		w.WriteString("})")
	case *TypeExpr:
		w.typeName(x.Type, inArgument, "")
	case *Generic:
		w.generic(x)
	}
}

func (w *writer) cast(x *Cast) {
	if x.Type != nil && x.Type.isClear(inCast, "(") {
		w.parenType(x.Type, inMember, "")
		w.expr(x.X, rankUnary)
		return
	}
	var operand writer
	operand.expr(x.X, rankUnary)
	w.parenType(x.Type, inCast, operand.String())
	w.WriteString(operand.String())
}

// operand prints the operand of a prefix operator. If both would become one token, it separates
// them.
func (w *writer) operand(x *Unary) {
	if len(x.Op) == 1 && strings.Contains("+-&", x.Op) && startsWith(x.X, x.Op) {
		w.WriteByte(' ')
	}
	w.expr(x.X, rankUnary)
}

// startsWith reports whether x as the operand of a prefix operator is printed with op in front.
func startsWith(x Expr, op string) bool {
	u, ok := x.(*Unary)
	return ok && strings.HasPrefix(u.Op, op)
}

func (w *writer) binary(x *Binary) {
	k := opKinds[x.Op]
	r := infixRank[k]
	left, right := r, r+1
	if k == tAssign {
		left, right = r+1, r
	}
	w.expr(x.X, left)
	if k != tComma {
		w.WriteByte(' ')
	}
	w.WriteString(x.Op)
	w.WriteByte(' ')
	w.expr(x.Y, right)
}

func (w *writer) sizeof(x *Sizeof) {
	word := "sizeof"
	if x.Alignof {
		word = "__alignof__"
	}
	w.WriteString(word)
	if x.Type != nil {
		w.parenType(x.Type, inSizeof, "")
		return
	}
	w.WriteByte(' ')
	if _, ok := x.X.(*Cast); ok {
		// The parenthesis of the cast would be taken for the parenthesis of sizeof.
		w.expr(x.X, rankPostfix)
		return
	}
	w.expr(x.X, rankUnary)
}

func (w *writer) member(x *Member) {
	op := "."
	if x.Arrow {
		op = "->"
	}
	if _, ok := x.X.(*Number); ok && !x.Arrow {
		// `1.x` would be one token.
		w.WriteByte('(')
		w.bare(x.X)
		w.WriteByte(')')
	} else {
		w.expr(x.X, rankPostfix)
	}
	w.WriteString(op)
	w.WriteString(x.Name)
}

func (w *writer) call(x *Call) {
	w.expr(x.Fun, rankPostfix)
	w.WriteByte('(')
	fun, _ := x.Fun.(*Ident)
	for i, a := range x.Args {
		if i > 0 {
			w.WriteString(", ")
		}
		t, isType := a.(*TypeExpr)
		switch types := fun != nil && takesType(fun.Name); {
		case types && isType:
			w.typeName(t.Type, inTypeArgument, "")
		case types:
			w.notType(a, rankAssign)
		default:
			w.expr(a, rankAssign)
		}
	}
	w.WriteByte(')')
}

func (w *writer) initList(x *InitList) {
	if x == nil || len(x.Elems) == 0 {
		w.WriteString("{}")
		return
	}
	for i, e := range x.Elems {
		if i == 0 {
			w.WriteString("{ ")
		} else {
			w.WriteString(", ")
		}
		switch {
		case e.Field != "":
			w.WriteString("." + e.Field + " = ")
		case e.Index != nil:
			w.WriteByte('[')
			w.expr(e.Index, rankCond)
			if e.Last != nil {
				w.WriteString(" ... ")
				w.expr(e.Last, rankCond)
			}
			w.WriteString("] = ")
		}
		w.expr(e.Value, rankAssign)
	}
	w.WriteString(" }")
}

func (w *writer) generic(x *Generic) {
	w.WriteString("_Generic(")
	w.expr(x.X, rankAssign)
	for _, arm := range x.Arms {
		w.WriteString(", ")
		if arm.Type == nil {
			w.WriteString("default")
		} else {
			w.typeName(arm.Type, inMember, "")
		}
		w.WriteString(": ")
		w.expr(arm.Value, rankAssign)
	}
	w.WriteByte(')')
}

// quote prints a literal. Bytes beyond ASCII stay as they are when they are valid UTF-8.
func (w *writer) quote(s string, mark byte) {
	w.WriteByte(mark)
	for i := 0; i < len(s); i++ {
		switch b := s[i]; {
		case b == mark || b == '\\':
			w.WriteByte('\\')
			w.WriteByte(b)
		case b == '\n':
			w.WriteString(`\n`)
		case b == '\t':
			w.WriteString(`\t`)
		case b < ' ' || b == 0x7f:
			w.octal(b)
		case b >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				w.octal(b)
				continue
			}
			w.WriteString(s[i : i+n])
			i += n - 1
		default:
			w.WriteByte(b)
		}
	}
	w.WriteByte(mark)
}

// octal prints an escape with exactly three digits, so that a following digit does not become part
// of it.
func (w *writer) octal(b byte) {
	w.WriteByte('\\')
	w.WriteByte('0' + b>>6)
	w.WriteByte('0' + b>>3&7)
	w.WriteByte('0' + b&7)
}
