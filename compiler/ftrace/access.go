package ftrace

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// element returns item i of the array or pointer o.
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

// scale returns i*size as a byte offset.
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
	case x.region != nil && x.v == nil && x.t.kind == kPointer && i.v != nil:
		if x.t.elem.kind == kVoid {
			x.t = pointerTo(l.declaredElem(x))
		}
		p := l.element(x, i.v)
		return l.lvalue(p, p.t.elem)
	}
	return l.cannot(e, "kernel memory", x)
}

// declaredElem returns the declared element type of the field after a `void *`. It is the type of
// __get_dynamic_array(x)[i] in a print fmt.
func (l *lowerer) declaredElem(o operand) *ctype {
	if f, ok := o.region.(*ir.FieldBytes); ok && f.Field.Elem > 0 {
		return intType(f.Field.Elem, f.Field.Signed)
	}
	return typeByte
}

// pick returns item i of a local array: a lookup by value for strings, nested conditions for
// numbers.
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
		// Every event of the kernel starts with struct trace_entry, the common_ fields.
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
			if l.oldKernel && t == structs[kvmRole] {
				m = oldRole(m)
			}
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
	case e.Arrow && x.v != nil: // the recorded pointer, not its target
		return l.cannot(e, "kernel memory")
	case m.bits > 0 && x.v != nil:
		return l.bitField(operand{t: m.t, v: x.v, bits: m})
	case x.region == nil && x.v != nil && m.offset == 0:
		return l.convert(operand{t: x.t, v: x.v}, m.t)
	case x.region == nil:
		return l.cannot(e, "kernel memory")
	}
	p := l.element(operand{t: pointerTo(typeByte), region: x.region, at: x.at},
		&ir.Const{T: ir.I64, V: uint64(m.offset)})
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

// field lowers REC->name.
func (l *lowerer) field(e *grammar.Member) operand {
	f, ok := l.fieldNamed(e.Name)
	if !ok {
		return l.cannot(e, "a field that the format does not list")
	}
	return l.lvalue(operand{region: &ir.FieldBytes{Field: f.ir}}, f.t)
}

// fieldNamed resolves REC->name: the field of that name, else the word of dynamic data.
func (l *lowerer) fieldNamed(name string) (field, bool) {
	f, ok := l.fields[name]
	if !ok {
		f, ok = l.dynamics[strings.TrimPrefix(name, "__data_loc_")]
	}
	return f, ok
}
