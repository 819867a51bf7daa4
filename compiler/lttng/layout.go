package lttng

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/lttng"
)

// layout walks the fields of a payload and collects the statements that reach them. After a string
// places count from a local that is aligned as much as the first field there needs; where a later
// field needs more, the place is computed again. Elements of an array count from a local of their
// own, which moves from one to the next.
type layout struct {
	sequence.Cursor
	visitor
	big    bool // the trace is big-endian
	grain  int  // what places count from is a multiple of it, if Moved
	slots  int  // in use, all in all
	free   int  // the first slot that is not
	budget int  // the slot that counts turns of all loops; 0 without loops
}

// visitor makes statements of what layout finds.
type visitor interface {
	// before is called for each field, in front of what it holds; i is its position in a structure
	// or the payload.
	before(f *lttng.Field, i int) []ir.Stmt
	// value is called for a field that is one value.
	value(p place) []ir.Stmt
	// between is called before each element. turn is the number of elements before it.
	between(turn ir.Value, of *lttng.Field) []ir.Stmt
	// open and close are called around members and elements; rest is 1 where some elements are left
	// over.
	open() []ir.Stmt
	close(rest ir.Value) []ir.Stmt
	// whole reports whether a sequence is one value.
	whole(f *lttng.Field) bool
}

func newLayout(data *ir.Field, big bool, v visitor) *layout {
	return &layout{Cursor: sequence.Cursor{Data: data}, visitor: v, big: big, slots: sequence.Slots, free: sequence.Slots}
}

// place is one field in the payload.
type place struct {
	*lttng.Field
	l  *layout
	at int
}

// walk visits fields in their order. after is the alignment of what follows the last one, 0 where
// nothing does.
func (l *layout) walk(fields []lttng.Field, after int) {
	for i := 0; i < len(fields); {
		if f := &fields[i]; l.isGroup(f) {
			l.add(l.before(f, i))
			l.group(f, next(fields, i, after))
			i++
			continue
		}
		for n := l.sure(fields[i:]); n > 0; n-- {
			f := &fields[i]
			l.At = up(l.At, f.Align)
			l.extent(f)
			l.add(l.before(f, i))
			l.add(l.value(place{f, l, l.At}))
			l.pass(f, next(fields, i, after))
			i++
		}
	}
}

func (l *layout) add(s []ir.Stmt) { l.Out = append(l.Out, s...) }

// next returns the alignment of what follows field i.
func next(fields []lttng.Field, i, after int) int {
	if i+1 < len(fields) {
		return fields[i+1].Align
	}
	return after
}

// isGroup reports whether a field is more than one value.
func (l *layout) isGroup(f *lttng.Field) bool {
	switch f.Kind {
	case lttng.Struct, lttng.Union, lttng.Array:
		return true
	case lttng.Sequence:
		return !l.whole(f)
	}
	return false
}

// isMeasured reports whether a value has no size of its own.
func isMeasured(f *lttng.Field) bool { return f.Kind == lttng.String || f.Kind == lttng.Sequence }

// sure checks for all fields before the next one whose place is not known yet, and returns their
// number: up to the first string, or to a field after a string that needs more alignment than the
// place has.
func (l *layout) sure(fields []lttng.Field) int {
	if l.Moved && fields[0].Align > l.grain {
		l.align(fields[0].Align)
	}
	at, n := l.At, 0
	for i := range fields {
		f := &fields[i]
		if l.isGroup(f) || l.Moved && f.Align > l.grain {
			break
		}
		n++
		if f.Kind == lttng.String {
			break
		}
		at = up(at, f.Align) + f.Size
		if isMeasured(f) {
			break
		}
	}
	if at > l.At {
		l.Require(l.Offset(at))
	}
	return n
}

// extent notes the length of a string, or of the bytes of a sequence, at l.At, and checks that a
// string ends.
func (l *layout) extent(f *lttng.Field) {
	switch f.Kind {
	case lttng.String:
		l.Measure(&ir.ToNUL{Of: &ir.Slice{Of: l.Bytes(), At: l.Offset(l.At)}})
		l.Require(sequence.Sum(l.Offset(l.At+1), sequence.Length))
	case lttng.Sequence:
		l.Measure(&ir.Convert{T: ir.U64, X: l.Load(ir.Type{Size: int8(f.Size)}, l.At)})
	}
}

// pass moves to the place of the next value, if there is one. The length of a sequence is checked
// here, after its value: a cut sequence keeps the bytes that are left.
func (l *layout) pass(f *lttng.Field, after int) {
	if f.Kind == lttng.Sequence {
		l.Require(sequence.Sum(l.Offset(l.At+f.Size), sequence.Length))
	}
	switch {
	case !isMeasured(f):
		l.At += f.Size
	case after > 0:
		size := f.Size // of a count
		if f.Kind == lttng.String {
			size = 1 // the NUL
		}
		l.moveTo(sequence.Sum(l.Offset(l.At+size), sequence.Length), max(1, f.PadAfter, after))
	}
}

// moveTo moves to the first multiple of grain from a place on.
func (l *layout) moveTo(at ir.Value, grain int) {
	l.Jump(sequence.RoundUp(at, grain))
	l.grain = grain
}

// align moves to a multiple of n.
func (l *layout) align(n int) { l.moveTo(l.Offset(l.At), n) }

// to moves to a multiple of n, by a constant where the place is known well enough.
func (l *layout) to(n int) {
	if l.Moved && n > l.grain {
		l.align(n)
	}
	l.At = up(l.At, n)
}

func up(n, align int) int {
	if align <= 1 {
		return n
	}
	return (n + align - 1) &^ (align - 1)
}

// typeOf returns the type of a number as it is stored.
func typeOf(f *lttng.Field) ir.Type { return ir.Type{Size: int8(f.Size), Signed: f.Signed} }

// number returns the value as it is stored. Network order is big-endian whatever the trace is.
func (p place) number() ir.Value {
	t := typeOf(p.Field)
	load := p.l.Load(t, p.at)
	if p.Size == 1 || !p.Swapped && (!p.Network || p.l.big) {
		return load
	}
	name := map[int]string{2: "Swab16", 4: "Swab32", 8: "Swab64"}[p.Size]
	return &ir.Func{T: t, Name: name, Args: []ir.Value{load}}
}

// bytes returns the characters of a string, the bytes of a sequence after its count, or opaque
// ones.
func (p place) bytes() ir.Region {
	switch p.Kind {
	case lttng.String:
		return p.l.Text(p.at)
	case lttng.Sequence:
		return p.l.Text(p.at + p.Size)
	}
	return &ir.Slice{Of: p.l.Bytes(), At: p.l.Offset(p.at), Len: &ir.Const{T: ir.U64, V: uint64(p.Size)}}
}
