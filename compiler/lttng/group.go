package lttng

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/lttng"
)

// Bounds of the loops over elements. Sub-buffers had a megabyte or two: hardly an event can have
// more elements than that. What is beyond is left out, and close is told so.
const (
	maxTurns = 1 << 16 // of one loop, by ir.Check
	maxTotal = 1 << 20 // of all loops of an event
)

var (
	zero = &ir.Const{T: ir.U64}
	one  = &ir.Const{T: ir.U64, V: 1}
)

// group visits the members or elements of a field.
func (l *layout) group(f *lttng.Field, after int) {
	l.to(f.Align)
	switch f.Kind {
	case lttng.Struct:
		l.structure(f, after)
	case lttng.Union:
		l.add(l.open())
		at := l.At
		for i := range f.Fields {
			l.At = at
			l.one(&f.Fields[i], l.before(&f.Fields[i], i), 0)
		}
		l.At = at + f.Size
		l.add(l.close(nil))
	case lttng.Array:
		end := l.At + f.Size
		l.elements(f, &ir.Const{T: ir.U64, V: uint64(f.Count)}, f.Size < 0, after)
		if f.Size >= 0 {
			l.At = end
		}
	case lttng.Sequence:
		l.Require(l.Offset(l.At + f.Size))
		n := l.slot()
		l.add([]ir.Stmt{&ir.Let{Slot: n, V: &ir.Convert{T: ir.U64, X: l.Load(typeOf(f), l.At)}}})
		l.At += f.Size
		l.elements(f, local(n), true, max(1, f.PadAfter, after))
		l.free = n
	}
}

// structure visits the members of a structure. after is the alignment of what follows it, 0 where
// nothing does.
func (l *layout) structure(f *lttng.Field, after int) {
	l.add(l.open())
	if f.Size >= 0 {
		l.walk(f.Fields, 0)
		l.At = up(l.At, f.Align) // the place of a structure is a multiple of it
	} else {
		l.walk(f.Fields, after)
	}
	l.add(l.close(nil))
}

// one visits a field with some statements in front of it.
func (l *layout) one(f *lttng.Field, before []ir.Stmt, after int) {
	if l.isGroup(f) {
		l.add(before)
		l.group(f, after)
		return
	}
	l.sure([]lttng.Field{*f})
	l.At = up(l.At, f.Align)
	l.extent(f)
	l.add(before)
	l.add(l.value(place{f, l, l.At}))
	l.pass(f, after)
}

func isFixed(f *lttng.Field) bool { return !isMeasured(f) && f.Size >= 0 }

func local(slot int) *ir.Local { return &ir.Local{T: ir.U64, Slot: slot} }

// slot takes a slot; the one who took it sets l.free to it when it is of no use any more.
func (l *layout) slot() int {
	if l.budget == 0 {
		l.budget, l.free = l.free, l.free+1
	}
	n := l.free
	l.free++
	l.slots = max(l.slots, l.free)
	return n
}

// elements visits count elements from here on. move says that the place after them is not known and
// that something is there: at a multiple of after, unless that is 0.
func (l *layout) elements(f *lttng.Field, count ir.Value, move bool, after int) {
	of := &f.Fields[0]
	l.to(of.Align)
	base, turn := l.slot(), l.slot()
	l.add(l.open())
	l.add([]ir.Stmt{&ir.Let{Slot: base, V: l.Offset(l.At)}, &ir.Let{Slot: turn, V: zero}})
	outer, grain := l.Cursor, l.grain
	l.Cursor = sequence.Cursor{Data: l.Data, Moved: true, Base: base}
	l.grain = 1
	if isFixed(of) {
		l.grain = of.Align
	}
	l.one(of, l.between(local(turn), of), 1)
	if isFixed(of) { // else the next one alone is at a multiple
		l.to(of.Align)
	}
	if l.At > 0 {
		l.Jump(l.Offset(l.At))
	}
	l.add([]ir.Stmt{&ir.Let{Slot: turn, V: sequence.Sum(local(turn), one)}})
	body := l.Out
	l.Cursor, l.grain = outer, grain
	more := &ir.Binary{Op: ir.OpLt, X: local(turn), Y: count}
	loop := l.loop(more, body)
	if c, ok := count.(*ir.Const); !ok || c.V > maxTurns {
		loop = l.loop(more, []ir.Stmt{loop})
	}
	l.add([]ir.Stmt{loop})
	l.add(l.close(more))
	if move && after > 0 {
		l.moveTo(local(base), after)
	}
	l.free = base
}

// loop returns a loop whose turns count for all loops of the event.
func (l *layout) loop(more ir.Value, body []ir.Stmt) ir.Stmt {
	turn := &ir.Let{Slot: l.budget, V: sequence.Sum(local(l.budget), one)}
	return &ir.Loop{Cond: ir.WithBudget(more, l.budget, maxTotal), Limit: maxTurns, Body: append([]ir.Stmt{turn}, body...)}
}
