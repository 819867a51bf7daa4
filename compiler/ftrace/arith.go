package ftrace

import (
	"strings"

	grammar "github.com/tracec/tracec/grammar/ftrace"

	"github.com/tracec/tracec/compiler/ir"
)

var operators = map[string]ir.Op{
	"+": ir.OpAdd, "-": ir.OpSub, "*": ir.OpMul, "/": ir.OpDiv, "%": ir.OpRem,
	"&": ir.OpAnd, "|": ir.OpOr, "^": ir.OpXor, "<<": ir.OpShl, ">>": ir.OpShr,
	"&&": ir.OpLogAnd, "||": ir.OpLogOr,
	"==": ir.OpEq, "!=": ir.OpNe, "<": ir.OpLt, "<=": ir.OpLe, ">": ir.OpGt, ">=": ir.OpGe,
}

func (l *lowerer) binary(e *grammar.Binary) operand {
	switch {
	case e.Op == ",":
		l.expr(e.X)
		return l.expr(e.Y)
	case e.Op == "=":
		return l.assign(e.X, l.expr(e.Y))
	case strings.HasSuffix(e.Op, "=") && operators[e.Op] == "":
		op := operators[strings.TrimSuffix(e.Op, "=")]
		return l.assign(e.X, l.apply(op, l.expr(e.X), l.expr(e.Y)))
	case e.Op == "&&" || e.Op == "||":
		return l.logical(e)
	}
	op, ok := operators[e.Op]
	if !ok {
		return l.cannot(e, "an operator that C does not have")
	}
	if e.Op == "+" && l.out != nil && isSeqBuffer(e.X) {
		l.oldKernel = true
		return l.seqText() // p->buffer + p->len, before 3.18
	}
	return l.apply(op, l.expr(e.X), l.expr(e.Y))
}

// logical evaluates && and ||. A constant on the left decides alone, so that an arm excluded by the
// build configuration may be unknown.
func (l *lowerer) logical(e *grammar.Binary) operand {
	x := l.truth(l.expr(e.X))
	if c, ok := x.constant(); ok {
		if (c != 0) == (e.Op == "||") {
			return l.konst(typeInt, b2u(c != 0))
		}
		return l.boolean(l.truth(l.expr(e.Y)))
	}
	y := l.truth(l.expr(e.Y))
	if x.isUnknown() || y.isUnknown() {
		return l.infix(operators[e.Op], x, y)
	}
	return l.ofValue(l.binaryValue(operators[e.Op], x.v, y.v))
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (l *lowerer) boolean(o operand) operand {
	if o.isUnknown() {
		return o
	}
	return l.ofValue(l.compareZero(o.v, ir.OpNe))
}

// apply returns x op y for lowered operands, with pointer arithmetic or C's conversions.
func (l *lowerer) apply(op ir.Op, x, y operand) operand {
	x, y = l.decay(x), l.decay(y)
	if o, ok := l.pointerMath(op, x, y); ok {
		return o
	}
	x, y = l.number(x), l.number(y)
	if x.isUnknown() || y.isUnknown() {
		return l.infix(op, x, y)
	}
	switch op {
	case ir.OpShl, ir.OpShr:
		return l.ofValue(l.binaryValue(op, l.promote(x.v), l.toType(l.promote(y.v), ir.I32)))
	}
	pointer := x.t.kind == kPointer || y.t.kind == kPointer
	t := x.t
	if y.t.kind == kPointer {
		t = y.t
	}
	vx, vy := l.common(x.v, y.v)
	out := l.ofValue(l.binaryValue(op, vx, vy))
	if pointer && (op == ir.OpAdd || op == ir.OpSub) {
		out.t = t
	}
	return out
}

// pointerMath handles p+i, i+p and p-i; ok is false for everything else.
func (l *lowerer) pointerMath(op ir.Op, x, y operand) (operand, bool) {
	if op != ir.OpAdd && op != ir.OpSub {
		return operand{}, false
	}
	if y.t.kind == kPointer && x.t.kind != kPointer && op == ir.OpAdd {
		x, y = y, x
	}
	if x.t.kind == kPointer && y.t.kind == kPointer && op == ir.OpSub {
		return l.distance(x, y)
	}
	if x.t.kind != kPointer || y.t.kind == kPointer {
		return operand{}, false
	}
	y = l.number(y)
	if x.missing && y.v != nil {
		if _, fixed := y.constant(); !fixed {
			// vmemmap + pfn: the base is unknown. The page frame number is in hex, as is usual.
			o := l.infix(op, x, operand{t: x.t, v: l.toType(y.v, x.t.value(l.target))})
			o.t = x.t
			return o, true
		}
	}
	if y.isUnknown() && (x.v != nil || x.missing) {
		o := l.infix(op, l.number(x), y)
		o.t, o.missing = x.t, true
		return o, true
	}
	if y.v == nil || x.isUnknown() || x.text != nil {
		return operand{}, false
	}
	i := y.v
	if op == ir.OpSub {
		i = l.unaryValue(ir.OpNeg, l.toType(i, ir.I64))
	}
	if x.region != nil && x.v == nil {
		return l.element(operand{t: x.t, region: x.region, at: x.at}, i).retype(x.t), true
	}
	size := 1
	if x.t.elem != nil {
		size = max(x.t.elem.sizeof(l.target), 1)
	}
	word := x.t.value(l.target)
	sum := l.binaryValue(ir.OpAdd, l.toType(x.v, word), l.toType(l.scale(i, size), word))
	return operand{t: x.t, v: sum}, true
}

// distance returns p-q, the number of elements between two pointers, as a long. Old kernels compute
// a page frame number in this way from the address of its struct page.
func (l *lowerer) distance(x, y operand) (operand, bool) {
	x, y = l.number(x), l.number(y)
	size := 0
	if x.t.elem != nil {
		size = x.t.elem.sizeof(l.target)
	}
	if x.v == nil || y.v == nil || size < 2 {
		return operand{}, false
	}
	t := intType(l.target.WordSize, true)
	bytes := l.binaryValue(ir.OpSub, l.toType(x.v, t.value(l.target)), l.toType(y.v, t.value(l.target)))
	n := &ir.Const{T: t.value(l.target), V: uint64(size)}
	return operand{t: t, v: l.binaryValue(ir.OpDiv, bytes, n)}, true
}

func (o operand) retype(t *ctype) operand {
	o.t = t
	return o
}

// infix shows an operation with an unknown side.
func (l *lowerer) infix(op ir.Op, x, y operand) operand {
	stmts := []ir.Stmt{&ir.Lit{S: "("}}
	stmts = append(stmts, l.show(x)...)
	stmts = append(stmts, &ir.Lit{S: " " + string(op) + " "})
	stmts = append(stmts, l.show(y)...)
	return operand{t: typeInt, unknown: append(stmts, &ir.Lit{S: ")"})}
}

// maxShown limits the number of operands that appear evaluated in C text. Together with the limit
// on conversions, it limits the length of an event's text.
const maxShown = 64

// show renders an operand inside C text.
func (l *lowerer) show(o operand) []ir.Stmt {
	o = l.decay(o)
	if l.shown++; l.shown > maxShown {
		return []ir.Stmt{&ir.Lit{S: "…"}}
	}
	switch {
	case o.isUnknown():
		return o.unknown
	case o.text != nil:
		return []ir.Stmt{&ir.PutText{T: o.text, Spec: plainText}}
	case o.v != nil && o.t.kind == kPointer:
		return []ir.Stmt{&ir.PutText{T: &ir.Call{Name: "Pointer", Args: []ir.Arg{o.v}}, Spec: plainText}}
	case o.v != nil:
		return []ir.Stmt{&ir.PutInt{V: o.v, Spec: ir.Spec{Verb: 'd', Prec: -1}}}
	case o.region != nil && o.t.kind == kPointer && isChar(o.t.elem) && !isNumbers(o.region):
		return []ir.Stmt{&ir.PutText{T: &ir.CString{Of: o.bytes()}, Spec: plainText}}
	}
	return []ir.Stmt{&ir.Lit{S: l.regionName(o)}}
}

// isNumbers reports whether r is a field of bytes that are not text, such as a command block.
func isNumbers(r ir.Region) bool {
	f, ok := r.(*ir.FieldBytes)
	return ok && !f.Field.Text
}

var plainText = ir.Spec{Verb: 's', Prec: -1}

func isChar(t *ctype) bool { return t != nil && t.kind == kInt && t.size == 1 && t.name != "bool" }

func (l *lowerer) cond(e *grammar.Cond) operand {
	c := l.truth(l.expr(e.If))
	if v, ok := c.constant(); ok {
		then := e.Then
		if then == nil {
			then = e.If
		}
		if v == 0 {
			return l.condType(l.decay(l.expr(e.Else)), then)
		}
		if e.Then == nil {
			return l.condType(c, e.Else)
		}
		return l.condType(l.decay(l.expr(e.Then)), e.Else)
	}
	then := c
	if e.Then != nil {
		then = l.expr(e.Then)
	}
	els := l.expr(e.Else)
	if c.isUnknown() {
		stmts := append(append([]ir.Stmt{}, c.unknown...), &ir.Lit{S: " ? "})
		stmts = append(stmts, l.show(then)...)
		stmts = append(stmts, &ir.Lit{S: " : "})
		return operand{t: l.decay(then).t, unknown: append(stmts, l.show(els)...)}
	}
	return l.choose(c.v, then, els)
}

// condType gives the arm that a constant condition selects the common type of both arms. For `0 ?
// 1ull : -1` this is an unsigned long long. `8 ? (void *)0 : (int *)8` is an `int *`: the kernel
// uses this idiom to test whether an expression is constant.
func (l *lowerer) condType(then operand, els grammar.Expr) operand {
	other := l.decay(l.quiet(els)).t
	switch {
	case then.t.kind == kPointer && then.t.elem.kind == kVoid && other.kind == kPointer:
		if c, ok := then.constant(); ok && c == 0 {
			then.t = other
		}
	case then.t.kind == kInt && other.kind == kInt && then.v != nil:
		v, _ := l.common(then.v, &ir.Const{T: other.value(l.target)})
		return l.ofValue(v)
	}
	return then
}

// choose returns `c ? x : y` for lowered operands.
func (l *lowerer) choose(c ir.Value, x, y operand) operand {
	x, y = l.decay(x), l.decay(y)
	switch {
	case x.isUnknown() || y.isUnknown():
		return operand{t: x.t, unknown: []ir.Stmt{&ir.If{Cond: c, Then: l.show(x), Else: l.show(y)}}}
	case x.v != nil && y.v != nil:
		return l.chooseValue(c, x, y)
	case x.text != nil || y.text != nil || x.v != nil || y.v != nil:
		return textOperand(&ir.CondText{If: c, Then: l.asText(x), Else: l.asText(y)})
	case x.region != nil && y.region != nil:
		return operand{t: x.t, region: &ir.CondBytes{If: c, Then: x.bytes(), Else: y.bytes()}}
	}
	return named("?")
}

func (l *lowerer) chooseValue(c ir.Value, x, y operand) operand {
	if k, ok := c.(*ir.Const); ok {
		if k.V != 0 {
			return x
		}
		return y
	}
	t := (*ctype)(nil)
	vx, vy := x.v, y.v
	switch {
	case x.t.kind == kPointer:
		t = x.t
	case y.t.kind == kPointer:
		t = y.t
	}
	if t != nil {
		word := t.value(l.target)
		vx, vy = l.toType(vx, word), l.toType(vy, word)
	} else {
		vx, vy = l.common(vx, vy)
		t = fromIR(vx.Type())
	}
	return operand{t: t, v: &ir.Cond{If: c, Then: vx, Else: vy}}
}

// asText renders o as %s does.
func (l *lowerer) asText(o operand) ir.Text {
	o = l.decay(o)
	switch {
	case o.text != nil:
		return o.text
	case o.isUnknown():
		return &ir.Program{Body: o.unknown}
	case o.v != nil:
		if c, ok := o.constant(); ok && c == 0 {
			return &ir.CString{Of: &ir.Str{S: "(null)"}}
		}
		return &ir.Call{Name: "PtrString", Args: []ir.Arg{o.v}}
	case o.region != nil:
		return &ir.CString{Of: o.bytes()}
	}
	return &ir.CString{Of: &ir.Str{S: "?"}}
}
