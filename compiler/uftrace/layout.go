package uftrace

import "github.com/tracec/tracec/compiler/ir"

// The slots of a program.
const (
	slotAt  = iota // where the values behind the last string begin
	slotLen        // length of the string that is being read
	slots
)

// layout walks the values of a payload and collects the statements that reach them.
type layout struct {
	data  *ir.Field
	moved bool // a string has been passed: at counts from slotAt
	at    int  // place of the next value, a multiple of 4
	out   []ir.Stmt
}

// place is one value in the payload. Only what the format of the value has is set.
type place struct {
	value Value
	index int // in the list
	l     *layout
	at    int
}

// walk visits the values in their order. visit returns the statements that use one.
func (l *layout) walk(values []Value, visit func(place) []ir.Stmt) {
	for i := 0; i < len(values); {
		n := l.sure(values[i:])
		for ; n > 0; n-- {
			v := values[i]
			if v.isString() {
				l.begin()
			}
			l.out = append(l.out, visit(place{v, i, l, l.at})...)
			i++
			switch {
			case !v.isString():
				l.at += align4(min(v.Size, maxSize))
			case i < len(values):
				l.pass()
			}
		}
	}
}

// sure checks that the values up to the first string, and the length of that, are there, and returns their number.
func (l *layout) sure(values []Value) int {
	at, end := l.at, 0
	for i, v := range values {
		if v.isString() {
			l.require(l.offset(at + 2))
			return i + 1
		}
		size := min(v.Size, maxSize)
		end = at + size
		at += align4(size)
	}
	l.require(l.offset(end))
	return len(values)
}

// begin notes the length of the string at l.at and checks that its characters are there.
func (l *layout) begin() {
	l.out = append(l.out, &ir.Let{Slot: slotLen, V: &ir.Convert{T: ir.U64, X: l.load(ir.U16, l.at)}})
	l.require(sum(l.offset(l.at+2), length))
}

// pass moves behind the string at l.at and its padding.
func (l *layout) pass() {
	end := &ir.Binary{Op: ir.OpAnd, X: sum(l.offset(l.at+2+3), length), Y: &ir.Const{T: ir.U64, V: ^uint64(3)}}
	l.out = append(l.out, &ir.Let{Slot: slotAt, V: end})
	l.moved, l.at = true, 0
}

var length = &ir.Local{T: ir.U64, Slot: slotLen}

func (l *layout) require(bytes ir.Value) {
	l.out = append(l.out, &ir.Require{Of: l.bytes(), Bytes: bytes})
}

func (l *layout) bytes() ir.Region { return &ir.FieldBytes{Field: l.data} }

// offset is the place at of the payload.
func (l *layout) offset(at int) ir.Value {
	k := &ir.Const{T: ir.U64, V: uint64(at)}
	switch base := (&ir.Local{T: ir.U64, Slot: slotAt}); {
	case !l.moved:
		return k
	case at == 0:
		return base
	default:
		return sum(base, k)
	}
}

func (l *layout) load(t ir.Type, at int) ir.Value {
	return &ir.Load{T: t, From: l.bytes(), At: l.offset(at)}
}

// number is the value as a number of type t, which has its size.
func (p place) number(t ir.Type) ir.Value { return p.l.load(t, p.at) }

// bytes are those of the value; of a string, its characters.
func (p place) bytes() ir.Region {
	if p.value.isString() {
		return &ir.Slice{Of: p.l.bytes(), At: p.l.offset(p.at + 2), Len: length}
	}
	size := &ir.Const{T: ir.U64, V: uint64(min(p.value.Size, maxSize))}
	return &ir.Slice{Of: p.l.bytes(), At: p.l.offset(p.at), Len: size}
}

func align4(n int) int { return (n + 3) &^ 3 }

// sum adds, constants at once.
func sum(x, y ir.Value) ir.Value {
	a, ok1 := x.(*ir.Const)
	b, ok2 := y.(*ir.Const)
	if ok1 && ok2 {
		return &ir.Const{T: ir.U64, V: a.V + b.V}
	}
	return &ir.Binary{Op: ir.OpAdd, X: x, Y: y}
}
