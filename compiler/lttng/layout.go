package lttng

import "github.com/tracec/tracec/compiler/ir"

// The slots of a program.
const (
	slotAt  = iota // the place behind the last string, before alignment
	slotLen        // length of the string that is being read
	slots
)

// layout walks the fields of a payload and collects the statements that reach them. Up to the first string places are
// constants. Behind it they count from slotAt, which is aligned as much as the first field there needs; where a later field
// needs more, the place is computed again.
type layout struct {
	data  *ir.Field
	rules Rules
	moved bool // a string has been passed
	at    int  // place of the next field, from slotAt when moved
	grain int  // moved: slotAt is a multiple of it
	out   []ir.Stmt
}

// place is one field in the payload.
type place struct {
	*field
	index int
	l     *layout
	at    int
}

// walk visits the fields in their order. visit returns the statements that use one.
func (l *layout) walk(fields []*field, visit func(place) []ir.Stmt) {
	for i := 0; i < len(fields); {
		n := l.sure(fields[i:])
		for ; n > 0; n-- {
			x := fields[i]
			l.at = up(l.at, x.align)
			if x.size == 0 {
				l.measure()
			}
			l.out = append(l.out, visit(place{x, i, l, l.at})...)
			i++
			switch {
			case x.size > 0:
				l.at += x.size
			case i < len(fields):
				l.pass(fields[i])
			}
		}
	}
}

// sure checks that the fields are there that stand in front of the next one whose place is not known yet, and returns their
// number: up to the first string, or to a field behind a string that wants more alignment than the place has.
func (l *layout) sure(fields []*field) int {
	if l.moved && fields[0].align > l.grain {
		l.align(fields[0].align)
	}
	at, n := l.at, 0
	for _, x := range fields {
		if l.moved && x.align > l.grain {
			break
		}
		n++
		if x.size == 0 {
			break
		}
		at = up(at, x.align) + x.size
	}
	if at > l.at {
		l.require(l.offset(at))
	}
	return n
}

// measure notes the length of the string at l.at and checks that it ends.
func (l *layout) measure() {
	l.out = append(l.out, &ir.Let{Slot: slotLen, V: &ir.ToNUL{Of: &ir.Slice{Of: l.bytes(), At: l.offset(l.at)}}})
	l.require(sum(l.offset(l.at+1), length))
}

// pass moves behind the string at l.at, to where the next field lies.
func (l *layout) pass(next *field) {
	end := sum(l.offset(l.at+1), length)
	l.grain = max(1, l.rules.StringPad, next.align)
	l.out = append(l.out, &ir.Let{Slot: slotAt, V: roundUp(end, l.grain)})
	l.moved, l.at = true, 0
}

// align moves to a multiple of n.
func (l *layout) align(n int) {
	l.out = append(l.out, &ir.Let{Slot: slotAt, V: roundUp(l.offset(l.at), n)})
	l.grain, l.at = n, 0
}

func roundUp(v ir.Value, n int) ir.Value {
	if n <= 1 {
		return v
	}
	up := sum(v, &ir.Const{T: ir.U64, V: uint64(n - 1)})
	return &ir.Binary{Op: ir.OpAnd, X: up, Y: &ir.Const{T: ir.U64, V: ^uint64(n - 1)}}
}

func up(n, align int) int { return (n + align - 1) &^ (align - 1) }

var length = &ir.Local{T: ir.U64, Slot: slotLen}

func (l *layout) require(bytes ir.Value) {
	l.out = append(l.out, &ir.Require{Of: l.bytes(), Bytes: bytes})
}

func (l *layout) bytes() ir.Region { return &ir.FieldBytes{Field: l.data} }

// offset is the place at.
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

// number is the value as it is stored. Network order is big-endian whatever the trace is.
func (p place) number() ir.Value {
	t := p.typ()
	load := &ir.Load{T: t, From: p.l.bytes(), At: p.l.offset(p.at)}
	if !p.network || p.size == 1 || p.l.rules.BigEndian {
		return load
	}
	name := map[int]string{2: "Swab16", 4: "Swab32", 8: "Swab64"}[p.size]
	return &ir.Func{T: t, Name: name, Args: []ir.Value{load}}
}

// text is the characters of a string.
func (p place) text() ir.Region {
	return &ir.Slice{Of: p.l.bytes(), At: p.l.offset(p.at), Len: length}
}

// sum adds, constants at once.
func sum(x, y ir.Value) ir.Value {
	a, ok1 := x.(*ir.Const)
	b, ok2 := y.(*ir.Const)
	if ok1 && ok2 {
		return &ir.Const{T: ir.U64, V: a.V + b.V}
	}
	return &ir.Binary{Op: ir.OpAdd, X: x, Y: y}
}
