package ftrace

import (
	"github.com/tracec/tracec/compiler/ir"
)

// An operand is a lowered expression. The members that are set depend on the kind of value:
//
//	v                an integer, or a pointer into kernel memory (t is then kPointer)
//	region           bytes of the record or of a literal: an array or struct, or a pointer's target
//	v and region     an integer field: its value, and its bytes for `&`
//	text             a string that some call renders
//	unknown          only its C text: it refers to kernel memory or to an unknown name
type operand struct {
	t      *ctype
	v      ir.Value
	region ir.Region
	at     ir.Value // byte offset into region, nil for 0
	text   ir.Text
	// unknown renders the expression as C text with the known parts evaluated.
	unknown []ir.Stmt
	// missing is set when an absent name is the only reason for unknown: an offset added to the
	// operand is shown (`vmemmap + pfn`).
	missing bool
	named   bool      // unknown is a name that only the kernel knows
	list    []operand // of a local array or an initialiser list
	names   []string  // designators of list, empty if it has none
	bits    *member   // a bit-field of the int in v
}

func (o operand) isUnknown() bool { return o.unknown != nil }

// constant returns the value of an integer constant.
func (o operand) constant() (uint64, bool) {
	if c, ok := o.v.(*ir.Const); ok && o.text == nil && o.unknown == nil {
		return c.V, true
	}
	return 0, false
}

// literal returns a string literal.
func (o operand) literal() (string, bool) {
	if s, ok := o.region.(*ir.Str); ok && o.at == nil {
		return s.S, true
	}
	return "", false
}

func (l *lowerer) konst(t *ctype, v uint64) operand {
	it := t.value(l.target)
	return operand{t: t, v: &ir.Const{T: it, V: it.Extend(v)}}
}

func (l *lowerer) ofValue(v ir.Value) operand { return operand{t: fromIR(v.Type()), v: v} }

func textOperand(t ir.Text) operand { return operand{t: charPointer(), text: t} }

func literalOperand(s string) operand {
	return operand{t: charPointer(), region: &ir.Str{S: s}}
}

// named returns an unknown operand shown as s.
func named(s string) operand {
	return operand{t: typeInt, unknown: []ir.Stmt{&ir.Lit{S: s}}}
}

// bytes returns the region of o, from the place that o points to up to the end.
func (o operand) bytes() ir.Region {
	if o.at == nil {
		return o.region
	}
	return &ir.Slice{Of: o.region, At: o.at}
}

// load reads an integer or pointer of type t at the place of o in its region.
func (l *lowerer) load(o operand, t *ctype) operand {
	it := t.value(l.target)
	if s, ok := o.literal(); ok {
		if len(s) == 0 && it.Size == 1 {
			return l.konst(t, 0) // the terminating NUL
		}
	}
	if f, ok := o.region.(*ir.FieldBytes); ok {
		l.accessed(f.Field, int(it.Size))
	}
	return operand{t: t, v: &ir.Load{T: it, From: o.region, At: o.at}, region: o.region, at: o.at}
}

// accessed notes that elements of size bytes are read from f. If this is not the size of f's
// elements, the array has no element order that a relocation could convert. It becomes opaque
// bytes.
func (l *lowerer) accessed(f *ir.Field, size int) {
	if l.dry {
		return
	}
	switch f.Kind {
	case ir.Array, ir.Dynamic, ir.Tail:
		if f.Elem != size {
			f.Elem = 1
		}
	}
}

// opaque notes that r is read byte by byte.
func (l *lowerer) opaque(r ir.Region) {
	switch r := r.(type) {
	case *ir.FieldBytes:
		l.accessed(r.Field, 1)
	case *ir.Slice:
		l.opaque(r.Of)
	case *ir.CondBytes:
		l.opaque(r.Then)
		l.opaque(r.Else)
	}
}

// lvalue returns the object of type t at o's place: an integer is loaded, an aggregate stays bytes.
func (l *lowerer) lvalue(o operand, t *ctype) operand {
	switch t.kind {
	case kInt, kPointer:
		return l.load(o, t)
	}
	return operand{t: t, region: o.region, at: o.at}
}

// decay turns an array into a pointer to its first element.
func (l *lowerer) decay(o operand) operand {
	if o.t.kind == kArray && o.region != nil {
		return operand{t: pointerTo(o.t.elem), region: o.region, at: o.at}
	}
	if o.bits != nil {
		return l.bitField(o)
	}
	return o
}

// number returns o as an integer operand. Strings and record bytes have no address in a recording:
// as a truth value they are not NULL, otherwise they are unknown.
func (l *lowerer) number(o operand) operand {
	o = l.decay(o)
	if o.v != nil || o.isUnknown() {
		return o
	}
	return named("&" + l.regionName(o))
}

// truth returns o as a condition.
func (l *lowerer) truth(o operand) operand {
	o = l.decay(o)
	if o.v == nil && !o.isUnknown() {
		return l.konst(typeInt, 1)
	}
	return o
}

func (l *lowerer) regionName(o operand) string {
	switch r := o.region.(type) {
	case *ir.FieldBytes:
		return r.Field.Name
	case *ir.Str:
		return "string"
	}
	return "data"
}

// convert returns the C cast of o to t.
func (l *lowerer) convert(o operand, t *ctype) operand {
	o = l.decay(o)
	switch {
	case t.kind == kVoid:
		return o
	case o.isUnknown():
		o.t = t
		return o
	case t.kind == kPointer && (o.region != nil && o.v == nil || o.text != nil):
		return operand{t: t, region: o.region, at: o.at, text: o.text}
	case t.kind == kArray || t.kind == kStruct:
		return operand{t: t, region: o.region, at: o.at, v: o.v, list: o.list, names: o.names}
	case t.kind == kInt && !t.known:
		return o
	}
	o = l.number(o)
	if o.isUnknown() {
		o.t = t
		return o
	}
	if t.name == "bool" {
		v := l.compareZero(o.v, ir.OpNe)
		return operand{t: t, v: l.toType(v, ir.U8)}
	}
	return operand{t: t, v: l.toType(o.v, t.value(l.target))}
}

// toType converts v to type t. It converts constants immediately.
func (l *lowerer) toType(v ir.Value, t ir.Type) ir.Value {
	if v.Type() == t {
		return v
	}
	switch v := v.(type) {
	case *ir.Const:
		return &ir.Const{T: t, V: t.Extend(v.V)}
	case *ir.Convert:
		// Narrowing again, or re-extending at the same width, makes the inner conversion moot.
		if t.Size <= v.T.Size {
			return l.toType(v.X, t)
		}
	}
	return &ir.Convert{T: t, X: v}
}

func (l *lowerer) compareZero(v ir.Value, op ir.Op) ir.Value {
	return l.binaryValue(op, v, &ir.Const{T: v.Type()})
}

// promote is C's integer promotion.
func (l *lowerer) promote(v ir.Value) ir.Value {
	if v.Type().Size < 4 {
		return l.toType(v, ir.I32)
	}
	return v
}

// common converts both operands to the type of C's usual arithmetic conversions.
func (l *lowerer) common(x, y ir.Value) (ir.Value, ir.Value) {
	x, y = l.promote(x), l.promote(y)
	tx, ty := x.Type(), y.Type()
	t := tx
	switch {
	case ty.Size > tx.Size:
		t = ty
	case ty.Size == tx.Size && !ty.Signed:
		t = ty
	}
	return l.toType(x, t), l.toType(y, t)
}

func (l *lowerer) binaryValue(op ir.Op, x, y ir.Value) ir.Value {
	cx, okx := x.(*ir.Const)
	cy, oky := y.(*ir.Const)
	if okx && oky {
		b := ir.NewBinary(op, x, y)
		return &ir.Const{T: b.Type(), V: ir.Eval2(op, x.Type(), cx.V, cy.V)}
	}
	return ir.NewBinary(op, x, y)
}

func (l *lowerer) unaryValue(op ir.Op, x ir.Value) ir.Value {
	if c, ok := x.(*ir.Const); ok {
		u := &ir.Unary{Op: op, X: x}
		return &ir.Const{T: u.Type(), V: ir.Eval1(op, x.Type(), c.V)}
	}
	return &ir.Unary{Op: op, X: x}
}
