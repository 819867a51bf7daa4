package lttng

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
)

// layout walks the fields of a payload and collects the statements that reach them. Behind a string places count from a local
// that is aligned as much as the first field there needs; where a later field needs more, the place is computed again.
type layout struct {
	sequence.Cursor
	rules Rules
	grain int // after a string: what places count from is a multiple of it
}

func newLayout(data *ir.Field, r Rules) *layout {
	return &layout{Cursor: sequence.Cursor{Data: data}, rules: r}
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
			l.At = up(l.At, x.align)
			if x.size == 0 {
				l.measure()
			}
			l.Out = append(l.Out, visit(place{x, i, l, l.At})...)
			i++
			switch {
			case x.size > 0:
				l.At += x.size
			case i < len(fields):
				l.pass(fields[i])
			}
		}
	}
}

// sure checks for all fields before the next one whose place is not known yet, and returns their
// number: up to the first string, or to a field after a string that needs more alignment than the place has.
func (l *layout) sure(fields []*field) int {
	if l.Moved && fields[0].align > l.grain {
		l.align(fields[0].align)
	}
	at, n := l.At, 0
	for _, x := range fields {
		if l.Moved && x.align > l.grain {
			break
		}
		n++
		if x.size == 0 {
			break
		}
		at = up(at, x.align) + x.size
	}
	if at > l.At {
		l.Require(l.Offset(at))
	}
	return n
}

// measure notes the length of the string at l.At and checks that it ends.
func (l *layout) measure() {
	l.Measure(&ir.ToNUL{Of: &ir.Slice{Of: l.Bytes(), At: l.Offset(l.At)}})
	l.Require(sequence.Sum(l.Offset(l.At+1), sequence.Length))
}

// pass moves after the string at l.At, to where the next field lies.
func (l *layout) pass(next *field) {
	end := sequence.Sum(l.Offset(l.At+1), sequence.Length)
	l.grain = max(1, l.rules.StringPad, next.align)
	l.Jump(sequence.RoundUp(end, l.grain))
}

// align moves to a multiple of n.
func (l *layout) align(n int) {
	l.Jump(sequence.RoundUp(l.Offset(l.At), n))
	l.grain = n
}

func up(n, align int) int { return (n + align - 1) &^ (align - 1) }

// number returns the value as it is stored. Network order is big-endian whatever the trace is.
func (p place) number() ir.Value {
	t := p.typ()
	load := p.l.Load(t, p.at)
	if !p.network || p.size == 1 || p.l.rules.BigEndian {
		return load
	}
	name := map[int]string{2: "Swab16", 4: "Swab32", 8: "Swab64"}[p.size]
	return &ir.Func{T: t, Name: name, Args: []ir.Value{load}}
}

// text returns the characters of a string.
func (p place) text() ir.Region { return p.l.Text(p.at) }
