package ftrace

import (
	"maps"
	"strings"

	grammar "github.com/tracec/tracec/grammar/ftrace"

	"github.com/tracec/tracec/compiler/ir"
)

// expr lowers a C expression. It never fails: what a recording cannot tell becomes an unknown operand
// that shows the C text with the known parts evaluated.
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

// cannot is the unknown operand for e: its C text, and a note for the log.
func (l *lowerer) cannot(e grammar.Expr, what string, of ...operand) operand {
	for _, o := range of {
		if o.isUnknown() { // said already
			return named(grammar.Format(e))
		}
	}
	l.note(e.Position(), "unknowable", "%s refers to %s, which a recording does not hold", grammar.Format(e), what)
	return named(grammar.Format(e))
}

// quiet lowers e for its type alone: no diagnostics, no effects on field layouts.
func (l *lowerer) quiet(e grammar.Expr) operand {
	vars, dry := l.vars, l.dry
	l.vars, l.dry = maps.Clone(l.vars), true
	o := l.expr(e)
	l.vars, l.dry = vars, dry
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
		l.note(e.Position(), "unknown-name", "%s, where the kernel keeps its page structs, is not in a recording", e.Name)
		return operand{t: pointerTo(structType("struct page")), unknown: []ir.Stmt{&ir.Lit{S: e.Name}}, missing: true}
	case "REC":
		return operand{t: pointerTo(typeOpaque), unknown: []ir.Stmt{&ir.Lit{S: "REC"}}}
	}
	if v, ok := constants[e.Name]; ok {
		return l.konst(typeS64, uint64(v))
	}
	l.note(e.Position(), "unknown-name", "%s is a name that only the kernel knows", e.Name)
	return named(e.Name)
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

// wrap shows an operator before an unknown operand.
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
	if x.region != nil && x.t.kind == kPointer {
		return l.lvalue(x, pointee(x.t))
	}
	if x.t.kind == kPointer && (x.v != nil || x.isUnknown()) {
		// Only the type matters to the callers that get here: sizeof(*(…)).
		return l.cannot(e, "kernel memory", x).retype(pointee(x.t))
	}
	return l.cannot(e, "kernel memory", x)
}

// pointee is what t points to; bytes for void.
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

// element is item i of what o points to or is.
func (l *lowerer) element(o operand, i ir.Value) operand {
	elem := pointee(o.t)
	size := elem.sizeof(l.target)
	at := l.scale(i, size)
	if o.at != nil {
		at = l.binaryValue(ir.OpAdd, o.at, at)
	}
	if c, ok := at.(*ir.Const); ok && c.V == 0 {
		at = nil
	}
	return operand{t: pointerTo(elem), region: o.region, at: at}
}

// scale is i*size as a byte offset.
func (l *lowerer) scale(i ir.Value, size int) ir.Value {
	i = l.toType(i, ir.I64)
	if size == 1 {
		return i
	}
	return l.binaryValue(ir.OpMul, i, &ir.Const{T: ir.I64, V: uint64(size)})
}

func (l *lowerer) index(e *grammar.Index) operand {
	x, i := l.decay(l.expr(e.X)), l.number(l.expr(e.I))
	switch {
	case x.list != nil:
		return l.pick(x, i, e)
	case x.region != nil && x.t.kind == kPointer && i.v != nil:
		if x.t.elem.kind == kVoid {
			x.t = pointerTo(l.declaredElem(x))
		}
		p := l.element(x, i.v)
		return l.lvalue(p, p.t.elem)
	}
	return l.cannot(e, "kernel memory", x)
}

// declaredElem is the element type that the field behind a `void *` was declared with: what
// __get_dynamic_array(x)[i] of a print fmt means by i.
func (l *lowerer) declaredElem(o operand) *ctype {
	if f, ok := o.region.(*ir.FieldBytes); ok && f.Field.Elem > 0 {
		return intType(f.Field.Elem, f.Field.Signed)
	}
	return typeByte
}

// pick is item i of a local array: a lookup by value for strings, nested conditions for numbers.
func (l *lowerer) pick(x, i operand, e grammar.Expr) operand {
	if i.isUnknown() {
		return l.cannot(e, "an unknown index")
	}
	if c, ok := i.constant(); ok {
		if c < uint64(len(x.list)) {
			return x.list[c]
		}
		return l.cannot(e, "an element past the end")
	}
	out := named("?")
	for n := len(x.list) - 1; n >= 0; n-- {
		if x.names != nil && x.names[n] != "" || x.list[n].list != nil {
			return l.cannot(e, "an array of structs")
		}
		idx, k := l.common(i.v, &ir.Const{T: ir.I32, V: uint64(n)})
		if out.isUnknown() && x.list[n].v != nil {
			out = x.list[n] // an index past the end is undefined in C
			continue
		}
		out = l.choose(l.binaryValue(ir.OpEq, idx, k), x.list[n], out)
	}
	return out
}

func (l *lowerer) member(e *grammar.Member) operand {
	if isIdent(e.X, "REC") && e.Arrow {
		return l.field(e)
	}
	if ent, ok := e.X.(*grammar.Member); ok && ent.Name == "ent" && isIdent(ent.X, "REC") {
		// struct trace_entry, by which the kernel's own struct starts: the common_ fields.
		return l.field(&grammar.Member{Node: e.Node, X: ent.X, Name: "common_" + e.Name, Arrow: true})
	}
	x := l.expr(e.X)
	if e.Arrow {
		x = l.decay(x)
	}
	t := x.t
	if e.Arrow && t.kind == kPointer {
		t = pointee(t)
	}
	if x.list != nil {
		for i, n := range x.names {
			if n == e.Name {
				return x.list[i]
			}
		}
	}
	for i := range t.members {
		if m := &t.members[i]; m.name == e.Name {
			return l.memberAt(e, x, m)
		}
	}
	return l.cannot(e, "a member of "+structName(t), x)
}

func structName(t *ctype) string {
	if t.name != "" {
		return t.name
	}
	return "kernel memory"
}

func (l *lowerer) memberAt(e *grammar.Member, x operand, m *member) operand {
	switch {
	case m.bits > 0 && x.v != nil:
		return l.bitField(operand{t: m.t, v: x.v, bits: m})
	case x.region == nil && x.v != nil && m.offset == 0:
		return l.convert(operand{t: x.t, v: x.v}, m.t)
	case x.region == nil:
		return l.cannot(e, "kernel memory")
	}
	p := l.element(operand{t: pointerTo(typeByte), region: x.region, at: x.at}, &ir.Const{T: ir.I64, V: uint64(m.offset)})
	if m.bits > 0 {
		word := l.load(p, m.t)
		return l.bitField(operand{t: m.t, v: word.v, bits: m})
	}
	return l.lvalue(p, m.t)
}

func (l *lowerer) bitField(o operand) operand {
	t := o.t.value(l.target)
	v := l.toType(o.v, t)
	v = l.binaryValue(ir.OpShr, v, &ir.Const{T: ir.I32, V: uint64(o.bits.shift)})
	mask := uint64(1)<<o.bits.bits - 1
	return l.ofValue(l.binaryValue(ir.OpAnd, v, &ir.Const{T: t, V: mask}))
}

// field is REC->name.
func (l *lowerer) field(e *grammar.Member) operand {
	f, ok := l.fieldNamed(e.Name)
	if !ok {
		return l.cannot(e, "a field that the format does not list")
	}
	return l.lvalue(operand{region: &ir.FieldBytes{Field: f.ir}}, f.t)
}

// fieldNamed finds what REC->name means: the field of that name, else the word of dynamic data.
func (l *lowerer) fieldNamed(name string) (field, bool) {
	f, ok := l.fields[name]
	if !ok {
		f, ok = l.dynamics[strings.TrimPrefix(name, "__data_loc_")]
	}
	return f, ok
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
