package sequence

import (
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// Limits of the loops over elements. The buffers of tracers have a few megabytes, so an event can
// hardly have more elements. Elements beyond the limits are left over, and Close is called with
// rest set.
const (
	maxTurns = 1 << 16 // of one loop, by ir.Check
	maxTotal = 1 << 20 // of all loops of an event
	// mostEmpty is the maximum length of a list whose elements may have no bytes. A longer list
	// must not have more elements than the record has bytes left.
	mostEmpty = 256
)

var (
	zero = &ir.Const{T: ir.U64}
	one  = &ir.Const{T: ir.U64, V: 1}
)

// list visits the elements of f.
func (w *walk) list(f *ir.Field) {
	if w.budget == 0 {
		w.budget = w.slot()
	}
	before := w.free
	count := w.length(f)
	if f.Size > 0 {
		w.Require(w.Offset(w.At + f.Size))
		n := local(w.slot())
		w.add(&ir.Let{Slot: n.Slot, V: count})
		count = n
		w.At += f.Size
	}
	if (f.Size > 0 || f.From != nil) && !HasBytes(f.Fields[0]) { // else any length would be valid
		many := &ir.Binary{Op: ir.OpGt, X: count, Y: &ir.Const{T: ir.U64, V: mostEmpty}}
		w.Require(&ir.Cond{If: many, Then: Sum(w.Offset(w.At), count), Else: w.Offset(w.At)})
	}
	w.elements(f, count)
	w.free = before
}

// elements visits count elements from here on.
func (w *walk) elements(f *ir.Field, count ir.Value) {
	of := f.Fields[0]
	w.align(max(w.pad, of.Align))
	if w.atOnce(f, count) {
		return
	}
	base, turn := w.slot(), w.slot()
	w.add(w.Open(f)...)
	if c, ok := w.Visitor.(Counter); ok {
		w.add(c.Count(f, count)...)
	}
	w.add(&ir.Let{Slot: base, V: w.Offset(w.At)}, &ir.Let{Slot: turn, V: zero})
	outer := w.position
	w.position = position{Cursor: Cursor{Data: w.Data, Moved: true, Base: base}, grain: max(of.Align, 1)}
	if !endsAligned(of) { // the last element has no padding after it
		w.grain = 1
		w.align(of.Align)
	}
	w.one(of, w.Between(local(turn), of))
	w.align(w.pad)
	if w.At > 0 {
		w.Jump(w.Offset(w.At))
	}
	w.add(&ir.Let{Slot: turn, V: Sum(local(turn), one)})
	body := w.Out
	more := &ir.Binary{Op: ir.OpLt, X: local(turn), Y: count}
	w.position = outer
	loop := w.loop(more, body)
	if c, ok := count.(*ir.Const); !ok || c.V > maxTurns {
		loop = w.loop(more, []ir.Stmt{loop})
	}
	w.add(loop)
	w.add(w.Close(f, more)...)
	if size, ok := fixedElements(f); ok && f.Count > 0 {
		w.At += size
	} else {
		w.end = local(base)
	}
	w.pad = 0
}

// endsAligned reports whether the element after an element of a list needs no padding before it.
func endsAligned(of *ir.Field) bool {
	size, ok := fixedSize(of)
	return of.PadAfter >= of.Align || ok && size == up(size, of.Align)
}

// fixedElements returns the size of Count elements of a List, with the padding between them. ok is
// false if the size differs between records.
func fixedElements(f *ir.Field) (size int, ok bool) {
	of := f.Fields[0]
	one, ok := fixedSize(of)
	stride := up(one, of.Align)
	if !ok || f.Count > farthest/max(stride, 1) {
		return 0, false
	}
	if f.Count == 0 {
		return 0, true
	}
	return (f.Count-1)*stride + up(one, of.PadAfter), true
}

// A NumberLister is a Visitor that can take a whole list of numbers.
type NumberLister interface {
	// Numbers is called for a list of numbers without padding between them. data holds their bytes.
	// If Numbers returns nil, the numbers are visited one by one. If cut is set, the statements
	// also run for a record that ends before the list does, with the bytes that it has.
	Numbers(f *ir.Field, data ir.Region) (body []ir.Stmt, cut bool)
}

// A Counter is a Visitor that uses the length of lists.
type Counter interface {
	// Count is called after Open, with the number of elements.
	Count(f *ir.Field, n ir.Value) []ir.Stmt
}

// mostBytes is more than the size of any payload. With more elements, the size of a list would
// overflow.
const mostBytes = 1 << 40

// atOnce visits a whole list of numbers, if the numbers have no padding between them and the
// visitor accepts them.
func (w *walk) atOnce(f *ir.Field, count ir.Value) bool {
	of := f.Fields[0]
	lister, ok := w.Visitor.(NumberLister)
	if !ok || of.Kind != ir.Int || of.Bits.Count > 0 || max(of.Align, of.PadAfter) > 1 || w.numbers[of] != nil {
		return false
	}
	at, size := w.Offset(w.At), scaled(count, of.Size)
	data := &ir.Slice{Of: w.Bytes(), At: at, Len: size}
	body, cut := lister.Numbers(f, data)
	if body == nil {
		return false
	}
	end := Sum(at, size)
	if cut {
		data.Len = bounded(count, size)
		w.add(body...)
		w.Require(bounded(count, end))
	} else {
		w.Require(bounded(count, end))
		w.add(body...)
	}
	w.pad = of.Align
	if n, ok := few(count); ok {
		w.At += n * of.Size
	} else {
		w.end = end
	}
	return true
}

// few returns count if it is a constant with which the size of a list cannot overflow.
func few(count ir.Value) (int, bool) {
	c, ok := count.(*ir.Const)
	if !ok || c.V >= mostBytes {
		return 0, false
	}
	return int(c.V), true
}

// bounded returns v, a size computed from count, or mostBytes if the computation may have
// overflowed.
func bounded(count, v ir.Value) ir.Value {
	if _, ok := few(count); ok {
		return v
	}
	most := &ir.Const{T: ir.U64, V: mostBytes}
	return &ir.Cond{If: &ir.Binary{Op: ir.OpGt, X: count, Y: most}, Then: most, Else: v}
}

// scaled multiplies a number by a constant.
func scaled(v ir.Value, by int) ir.Value {
	if c, ok := v.(*ir.Const); ok {
		return &ir.Const{T: ir.U64, V: c.V * uint64(by)}
	}
	if by == 1 {
		return v
	}
	return &ir.Binary{Op: ir.OpMul, X: v, Y: &ir.Const{T: ir.U64, V: uint64(by)}}
}

// HasBytes reports whether every value of f has at least one byte.
func HasBytes(f *ir.Field) bool {
	switch f.Kind {
	case ir.Terminated:
		return true
	case ir.Variant:
		return false
	case ir.Struct:
		return slices.ContainsFunc(f.Fields, HasBytes)
	case ir.List:
		return f.Size > 0 || f.Count > 0 && HasBytes(f.Fields[0])
	}
	return f.Size > 0 || f.Count > 0
}

// loop returns a loop. Its turns count towards the limit for all loops of the event.
func (w *walk) loop(more ir.Value, body []ir.Stmt) ir.Stmt {
	turn := &ir.Let{Slot: w.budget, V: Sum(local(w.budget), one)}
	return &ir.Loop{Cond: ir.WithBudget(more, w.budget, maxTotal), Limit: maxTurns,
		Body: append([]ir.Stmt{turn}, body...)}
}

// fixedSize returns the size of f with its padding. ok is false if the size differs between
// records, or depends on the place.
func fixedSize(f *ir.Field) (size int, ok bool) {
	if f.PadAfter > max(f.Align, 1) || isMeasured(f) || f.Kind == ir.Variant {
		return 0, false
	}
	switch f.Kind {
	case ir.Struct:
		pad := 0
		for _, m := range f.Fields {
			n, ok := fixedSize(m)
			if !ok || m.Align > max(f.Align, 1) {
				return 0, false
			}
			if m.Bits.Overlap == 0 {
				size = up(size, max(pad, m.Align))
			}
			if size > farthest {
				return 0, false
			}
			size, pad = size+n-m.Bits.Overlap, m.PadAfter
		}
		return up(size, pad), true
	case ir.List:
		size, ok = fixedElements(f)
		return size, ok && f.Size == 0 && f.From == nil && f.Fields[0].Align <= max(f.Align, 1)
	}
	return valueSize(f), true
}

func up(n, align int) int {
	if align <= 1 {
		return n
	}
	return (n + align - 1) &^ (align - 1)
}
