package ftrace

import "strings"

// A typePlace is where a type is printed. It determines how the parser recognizes a type.
type typePlace uint8

const (
	inCast         typePlace = iota // (type) operand
	inLiteral                       // (type){
	inSizeof                        // sizeof(type), typeof(type)
	inArgument                      // an argument of a call
	inTypeArgument                  // an argument where takesType
	inMember                        // a place where only a type is possible
	inStmt                          // the start of a statement
)

func (w *writer) parenType(t *TypeName, place typePlace, operand string) {
	w.WriteByte('(')
	if t != nil && !t.isClear(place, operand) {
		w.WriteString("const ")
	}
	w.typeName(t, inMember, "")
	w.WriteByte(')')
}

// isClear reports whether the parser recognizes the type without help. A qualifier that is printed
// as help is dropped by the parser. operand is the text after a cast.
func (t *TypeName) isClear(place typePlace, operand string) bool {
	if place == inMember || t.Typeof != nil || t.Body != nil {
		return true
	}
	word, _, _ := strings.Cut(t.Base, " ")
	if keyword(word) != tIdent {
		return true
	}
	known := knownType(t.Base)
	switch {
	case t.Func:
		return false
	case place == inStmt:
		return t.Pointers == 0 || known
	case place == inArgument:
		return false
	case len(t.Dims) > 0:
		return known && t.Pointers == 0 && place != inTypeArgument || place == inLiteral && (known || t.Pointers > 0)
	case known, t.Pointers > 0, place == inLiteral:
		return true
	case place == inCast:
		return operand != "" && !strings.ContainsRune("+-*&(", rune(operand[0]))
	}
	return false
}

// typeName prints a type around the name it declares, which may be empty.
func (w *writer) typeName(t *TypeName, place typePlace, name string) {
	if t == nil {
		return
	}
	if !t.isClear(place, "") {
		w.WriteString("const ")
	}
	w.specifier(t)
	if t.Pointers > 0 || t.Func || name != "" {
		w.WriteByte(' ')
	}
	w.declarator(t, name)
}

// specifier prints the part of a type before the stars.
func (w *writer) specifier(t *TypeName) {
	switch {
	case t.Typeof != nil:
		w.WriteString("typeof(")
		if x, ok := t.Typeof.(*TypeExpr); ok {
			w.typeName(x.Type, inSizeof, "")
		} else {
			w.notType(t.Typeof, rankComma)
		}
		w.WriteByte(')')
		return
	case t.Body == nil:
		w.WriteString(t.Base)
		return
	}
	w.WriteString(t.Base + " { ")
	enum := strings.HasPrefix(t.Base, "enum")
	for _, d := range t.Body {
		if enum {
			w.WriteString(d.Name)
			if d.Init != nil {
				w.WriteString(" = ")
				w.expr(d.Init, rankCond)
			}
			w.WriteString(", ")
			continue
		}
		w.typeName(d.Type, inMember, d.Name)
		if d.Type.Bits != nil {
			w.WriteString(" : ")
			w.expr(d.Type.Bits, rankCond)
		}
		w.WriteString("; ")
	}
	for _, a := range t.Asserts {
		w.staticAssert(a)
	}
	w.WriteByte('}')
}

// notType prints an expression where a type is also allowed: a variable called like a type
// needs parentheses.
func (w *writer) notType(x Expr, min rank) {
	if calledLikeType(x) {
		min = rankPostfix + 1
	}
	w.expr(x, min)
}

func calledLikeType(x Expr) bool {
	id, ok := x.(*Ident)
	return ok && knownType(id.Name)
}

// declarator prints stars, name, dimensions and an empty parameter list.
func (w *writer) declarator(t *TypeName, name string) {
	w.WriteString(strings.Repeat("*", t.Pointers))
	if t.FuncPointers > 0 {
		name = "(" + strings.Repeat("*", t.FuncPointers) + name + ")"
	}
	w.WriteString(name)
	if t.Func {
		w.WriteString("()")
		return
	}
	for _, d := range t.Dims {
		w.WriteByte('[')
		w.expr(d, rankComma)
		w.WriteByte(']')
	}
}

func (w *writer) initialiser(d *Decl) {
	if d.Init != nil {
		w.WriteString(" = ")
		w.expr(d.Init, rankAssign)
	}
}

// decls prints declarations that share their specifier, without the semicolon.
func (w *writer) decls(list []*Decl) {
	for i, d := range list {
		if i > 0 {
			w.WriteString(", ")
			w.declarator(d.Type, d.Name)
			w.initialiser(d)
			continue
		}
		place := inStmt
		if d.Static {
			w.WriteString("static ")
			place = inMember
		}
		if d.Extern {
			w.WriteString("extern ")
			place = inMember
		}
		w.typeName(d.Type, place, d.Name)
		w.initialiser(d)
	}
}

func (w *writer) staticAssert(s *StaticAssert) {
	w.WriteString("_Static_assert(")
	w.expr(s.Cond, rankAssign)
	if s.Message != nil {
		w.WriteString(", ")
		w.expr(s.Message, rankAssign)
	}
	w.WriteString("); ")
}

// stmts prints statements, a blank after each.
func (w *writer) stmts(list []Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *writer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		w.decls([]*Decl{s})
		w.WriteString("; ")
	case *StaticAssert:
		w.staticAssert(s)
	case *ExprStmt:
		w.exprStmt(s.X)
		w.WriteString("; ")
	case *Block:
		w.WriteString("{ ")
		w.stmts(s.Stmts)
		w.WriteString("} ")
	case *If:
		w.WriteString("if (")
		w.expr(s.Cond, rankComma)
		w.WriteString(") ")
		w.stmt(s.Then)
		if s.Else != nil {
			w.WriteString("else ")
			w.stmt(s.Else)
		}
	case *For:
		w.loop(s)
	case *Switch:
		w.WriteString("switch (")
		w.expr(s.X, rankComma)
		w.WriteString(") { ")
		w.stmts(s.Body)
		w.WriteString("} ")
	case *Case:
		w.label(s)
	case *Jump:
		w.WriteString(s.Word)
		if s.X != nil {
			w.WriteByte(' ')
			w.expr(s.X, rankComma)
		}
		w.WriteString("; ")
	}
}

func (w *writer) label(s *Case) {
	if s.Value == nil {
		w.WriteString("default: ")
		return
	}
	w.WriteString("case ")
	w.expr(s.Value, rankCond)
	if s.High != nil {
		w.WriteString(" ... ")
		w.expr(s.High, rankCond)
	}
	w.WriteString(": ")
}

func (w *writer) loop(s *For) {
	switch {
	case s.Do:
		w.WriteString("do ")
		w.stmt(s.Body)
		w.WriteString("while (")
		w.expr(s.Cond, rankComma)
		w.WriteString("); ")
		return
	case s.Init == nil && s.Post == nil && s.Cond != nil:
		w.WriteString("while (")
		w.expr(s.Cond, rankComma)
	default:
		w.WriteString("for (")
		w.loopInit(s.Init)
		w.WriteString("; ")
		w.expr(s.Cond, rankComma)
		w.WriteString("; ")
		w.expr(s.Post, rankComma)
	}
	w.WriteString(") ")
	w.stmt(s.Body)
}

func (w *writer) loopInit(s Stmt) {
	switch s := s.(type) {
	case *Decl:
		w.decls([]*Decl{s})
	case *ExprStmt:
		w.exprStmt(s.X)
	case *Block:
		var list []*Decl
		for _, d := range s.Stmts {
			if d, ok := d.(*Decl); ok {
				list = append(list, d)
			}
		}
		w.decls(list)
	}
}

// exprStmt prints an expression so that it is not taken for a declaration (cparser.declares).
func (w *writer) exprStmt(x Expr) {
	var own writer
	own.expr(x, rankComma)
	text := own.String()
	if looksDeclared(text) {
		text = "(" + text + ")"
	}
	w.WriteString(text)
}

// looksDeclared reports whether text begins like `type *name`.
func looksDeclared(text string) bool {
	first, rest := cutWord(text)
	starred := strings.TrimLeft(rest, "* ")
	if first == "" || starred == rest || !strings.Contains(rest[:len(rest)-len(starred)], "*") {
		return false
	}
	second, after := cutWord(starred)
	if second == "" || keyword(second) != tIdent {
		return false
	}
	return knownType(first) || strings.HasPrefix(after, " = ")
}

func cutWord(s string) (word, rest string) {
	n := 0
	for n < len(s) && isIdent(s[n]) {
		n++
	}
	if n > 0 && !isIdentStart(s[0]) {
		n = 0
	}
	return s[:n], s[n:]
}
