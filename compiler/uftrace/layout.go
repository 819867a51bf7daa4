package uftrace

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
)

// layout walks the values of a payload and collects the statements that reach them. Places are
// multiples of 4 bytes.
type layout struct {
	sequence.Cursor
	bigEndian bool
}

func newLayout(data *ir.Field) *layout { return &layout{Cursor: sequence.Cursor{Data: data}} }

// place is one value in the payload. Only the members for the format of the value are set.
type place struct {
	value Value
	index int // index in the list of values
	l     *layout
	at    int
}

// walk visits the values in their order. visit returns the statements for one value.
func (l *layout) walk(values []Value, visit func(place) []ir.Stmt) {
	for i := 0; i < len(values); {
		n := l.sure(values[i:])
		for ; n > 0; n-- {
			v := values[i]
			if v.isString() {
				l.begin()
			}
			l.Out = append(l.Out, visit(place{v, i, l, l.At})...)
			i++
			switch {
			case !v.isString():
				l.At += align4(min(v.Size, maxSize))
			case i < len(values):
				l.pass()
			}
		}
	}
}

// sure checks that the values up to the first string, and the length of the string, are present. It
// returns their number.
func (l *layout) sure(values []Value) int {
	at, end := l.At, 0
	for i, v := range values {
		if v.isString() {
			l.Require(l.Offset(at + 2))
			return i + 1
		}
		size := min(v.Size, maxSize)
		end = at + size
		at += align4(size)
	}
	l.Require(l.Offset(end))
	return len(values)
}

// begin reads the length of the string at l.At and checks that its characters are present.
func (l *layout) begin() {
	l.Measure(&ir.Convert{T: ir.U64, X: l.Load(ir.U16, l.At)})
	l.Require(sequence.Sum(l.Offset(l.At+2), sequence.Length))
}

// pass moves past the string at l.At and its padding. The 3 for rounding is part of the constant,
// which saves one addition.
func (l *layout) pass() {
	end := &ir.Binary{Op: ir.OpAnd, X: sequence.Sum(l.Offset(l.At+2+3), sequence.Length),
		Y: &ir.Const{T: ir.U64, V: ^uint64(3)}}
	l.Jump(end)
}

// number returns the value as a number of type t, which has the size of the value.
func (p place) number(t ir.Type) ir.Value { return p.l.Load(t, p.at) }

// meaning returns the number, of type t, with the sign that it had in the program. In the automatic
// format, a register of 8 bytes may hold an int, with zeros in the upper half. A number that the
// text shows as negative is then negative here (uftrace.md 2.4).
func (p place) meaning(t ir.Type) ir.Value {
	n := p.number(p.value.typ())
	if t != n.Type() {
		n = &ir.Convert{T: t, X: n}
	}
	if p.value.Format != 'd' || t != ir.I64 {
		return n
	}
	return &ir.Func{T: ir.I64, Name: "RegisterInt", Args: []ir.Value{n}}
}

// extended returns a long double, rounded to the nearest double.
func (p place) extended() ir.Value {
	mantissa, head := p.at, p.at+8
	if p.l.bigEndian {
		mantissa, head = p.at+2, p.at
	}
	return &ir.Func{T: ir.U64, Name: "Float80", Args: []ir.Value{p.l.Load(ir.U64, mantissa), p.l.Load(ir.U16, head)}}
}

// bytes returns the bytes of the value, or the characters of a string.
func (p place) bytes() ir.Region {
	if p.value.isString() {
		return p.l.Text(p.at + 2)
	}
	size := &ir.Const{T: ir.U64, V: uint64(min(p.value.Size, maxSize))}
	return &ir.Slice{Of: p.l.Bytes(), At: p.l.Offset(p.at), Len: size}
}

func align4(n int) int { return (n + 3) &^ 3 }
