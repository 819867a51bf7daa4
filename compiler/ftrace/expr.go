package ftrace

import (
	"maps"

	grammar "github.com/tracec/tracec/grammar/ftrace"

	"github.com/tracec/tracec/compiler/ir"
)

// expr lowers a C expression. It never fails: values that a recording does not hold become an
// unknown operand, which shows the C text with the known parts evaluated.
func (l *lowerer) expr(e grammar.Expr) operand {
	l.spent++
	if l.spent > maxNodes {
		return named("…")
	}
	switch e := e.(type) {
	case *grammar.Ident:
		return l.ident(e)
	case *grammar.Number:
		return l.numberLiteral(e)
	case *grammar.Char:
		return l.konst(typeInt, uint64(e.Value))
	case *grammar.String:
		return literalOperand(e.Value)
	case *grammar.Unary:
		return l.unary(e)
	case *grammar.Postfix:
		return l.step(e.X, e.Op, true)
	case *grammar.Binary:
		return l.binary(e)
	case *grammar.Cond:
		return l.cond(e)
	case *grammar.Cast:
		return l.convert(l.expr(e.X), l.typeOf(e.Type))
	case *grammar.Sizeof:
		return l.sizeof(e)
	case *grammar.Index:
		return l.index(e)
	case *grammar.Member:
		return l.member(e)
	case *grammar.Call:
		return l.call(e)
	case *grammar.CompoundLit:
		return l.compound(e)
	case *grammar.InitList:
		return l.initList(e, nil)
	case *grammar.StmtExpr:
		return l.stmtExpr(e)
	}
	return l.cannot(e, "an expression")
}

// cannot returns the unknown operand for e: its C text, and a note for the log.
func (l *lowerer) cannot(e grammar.Expr, what string, of ...operand) operand {
	for _, o := range of {
		if o.isUnknown() { // already reported
			return named(grammar.Format(e))
		}
	}
	l.note(e.Position(), "unknowable", "%s refers to %s, which is not in a recording", grammar.Format(e), what)
	return named(grammar.Format(e))
}

// quiet lowers e only to find its type: no diagnostics, no effects on field layouts, no output.
func (l *lowerer) quiet(e grammar.Expr) operand {
	vars, dry, out, seq := l.vars, l.dry, l.out, l.seq
	l.vars, l.dry = maps.Clone(l.vars), true
	if out != nil {
		l.out = &[]ir.Stmt{}
	}
	o := l.expr(e)
	l.vars, l.dry, l.out, l.seq = vars, dry, out, seq
	return o
}

func (l *lowerer) numberLiteral(e *grammar.Number) operand {
	word := l.target.WordSize
	size, signed := 4, !e.Unsigned
	switch {
	case e.Long >= 2:
		size = 8
	case e.Long == 1:
		size = word
	}
	// C99 6.4.4.1: the first type of the list that can hold the value.
	fits := func(size int) bool {
		if size == 8 {
			return !signed || e.Value>>63 == 0
		}
		limit := uint(8 * size)
		if signed {
			limit--
		}
		return e.Value>>limit == 0
	}
	for !fits(size) {
		switch {
		case signed && !e.Decimal:
			signed = false
			if fits(size) {
				return l.konst(intType(size, false), e.Value)
			}
			if size == 8 {
				return l.konst(typeU64, e.Value)
			}
			size, signed = size*2, !e.Unsigned
		case size < 8:
			size *= 2
		default:
			return l.konst(typeU64, e.Value)
		}
	}
	return l.konst(intType(size, signed), e.Value)
}

func (l *lowerer) ident(e *grammar.Ident) operand {
	if v, ok := l.vars[e.Name]; ok {
		return v.operand
	}
	switch e.Name {
	case "true":
		return l.konst(typeInt, 1)
	case "false", "NULL":
		return l.konst(typeInt, 0)
	case "mem_map", "vmemmap", "vmemmap_base":
		l.note(e.Position(), "unknown-name", "%s, where the kernel keeps its page structs, is not in a recording",
			e.Name)
		return operand{t: pointerTo(structType("struct page")), unknown: []ir.Stmt{&ir.Lit{S: e.Name}}, missing: true}
	case "REC":
		return operand{t: pointerTo(typeOpaque), unknown: []ir.Stmt{&ir.Lit{S: "REC"}}}
	}
	if v, ok := constants()[e.Name]; ok {
		return l.konst(typeS64, uint64(v))
	}
	if l.target.Names != nil {
		if v, ok := l.target.Names.Enumerator(e.Name); ok {
			return l.konst(typeS64, uint64(v))
		}
	}
	if v, ok := enumerator(e.Name, Version(l.target.Kernel)); ok {
		return l.konst(typeS64, uint64(v))
	}
	l.note(e.Position(), "unknown-name", "%s is a name that only the kernel knows", e.Name)
	o := named(e.Name)
	o.named = true
	return o
}

func (l *lowerer) unary(e *grammar.Unary) operand {
	switch e.Op {
	case "&":
		return l.address(e)
	case "*":
		return l.deref(e)
	case "++", "--":
		return l.step(e.X, e.Op, false)
	}
	x := l.expr(e.X)
	if e.Op == "!" {
		x = l.truth(x)
	}
	if x = l.number(x); x.isUnknown() {
		return l.wrap(e.Op, x)
	}
	v := l.promote(x.v)
	switch e.Op {
	case "-":
		return l.ofValue(l.unaryValue(ir.OpNeg, v))
	case "~":
		return l.ofValue(l.unaryValue(ir.OpCompl, v))
	case "!":
		return l.ofValue(l.unaryValue(ir.OpNot, v))
	}
	return l.ofValue(v)
}

// wrap puts an operator before an unknown operand.
func (l *lowerer) wrap(op string, x operand) operand {
	stmts := append([]ir.Stmt{&ir.Lit{S: op}}, x.unknown...)
	return operand{t: typeInt, unknown: stmts}
}

func (l *lowerer) address(e *grammar.Unary) operand {
	x := l.expr(e.X)
	if x.region != nil {
		t := x.t
		if t.kind == kArray {
			t = t.elem
		}
		return operand{t: pointerTo(t), region: x.region, at: x.at}
	}
	if x.isUnknown() {
		return l.wrap("&", x)
	}
	return l.cannot(e, "an address")
}

func (l *lowerer) deref(e *grammar.Unary) operand {
	x := l.decay(l.expr(e.X))
	if x.region != nil && x.v == nil && x.t.kind == kPointer {
		return l.lvalue(x, pointee(x.t))
	}
	if x.t.kind == kPointer && (x.v != nil || x.isUnknown()) {
		// Only the type matters to the callers in this case: sizeof(*(…)).
		return l.cannot(e, "kernel memory", x).retype(pointee(x.t))
	}
	return l.cannot(e, "kernel memory", x)
}

// pointee returns the target type of t; bytes for void.
func pointee(t *ctype) *ctype {
	if t.elem == nil || t.elem.kind == kVoid {
		return typeByte
	}
	return t.elem
}

func (l *lowerer) sizeof(e *grammar.Sizeof) operand {
	t := (*ctype)(nil)
	switch {
	case e.Type != nil:
		t = l.typeOf(e.Type)
	case e.X != nil:
		o := l.quiet(e.X)
		if s, ok := o.literal(); ok {
			return l.size(len(s) + 1)
		}
		t = o.t
	default:
		t = typeInt
	}
	if t.kind == kStruct && !t.known {
		return l.cannot(e, "the layout of "+t.name)
	}
	if e.Alignof {
		return l.size(min(max(t.sizeof(l.target), 1), l.target.WordSize))
	}
	return l.size(t.sizeof(l.target))
}

func (l *lowerer) size(n int) operand {
	return l.konst(intType(l.target.WordSize, false), uint64(n))
}

func (l *lowerer) compound(e *grammar.CompoundLit) operand {
	t := l.typeOf(e.Type)
	o := l.initList(e.Init, t)
	if t.kind == kInt && len(o.list) == 1 && o.names[0] == "" {
		return l.convert(o.list[0], t)
	}
	return o
}

func (l *lowerer) initList(e *grammar.InitList, t *ctype) operand {
	o := operand{t: typeOpaque, list: []operand{}}
	if t != nil {
		o.t = t
	}
	for _, el := range e.Elems {
		if el.Index != nil {
			if c, ok := l.expr(el.Index).constant(); ok && c < 1<<12 {
				for uint64(len(o.list)) < c {
					o.list, o.names = append(o.list, l.konst(typeInt, 0)), append(o.names, "")
				}
			}
		}
		o.list, o.names = append(o.list, l.expr(el.Value)), append(o.names, el.Field)
	}
	return o
}
