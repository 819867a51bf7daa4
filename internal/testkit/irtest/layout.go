// Package irtest draws random events, rendering programs and records, to compare the back ends with
// each other and with the rules of package ir.
//
// Generated code works on relocated records, in which every element of more than one byte has the
// byte order of the decoding machine. So the drawn programs mostly read such elements as formats
// do: whole, by their own size, at multiples of it, and as arguments of functions that know their
// byte order. Occasionally they read elements byte by byte, in pieces or two at once. A back end
// must notice that and must not relocate that field.
package irtest

import (
	"fmt"
	"math/bits"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/ir"
)

// Target draws the recording machine.
func Target() *rapid.Generator[ir.Target] {
	return rapid.Custom(func(t *rapid.T) ir.Target {
		return ir.Target{BigEndian: rapid.Bool().Draw(t, "big"),
			WordSize: rapid.SampledFrom([]int{4, 8}).Draw(t, "word")}
	})
}

// Unit draws a unit of n events, test:event_0 and so on, for a machine target. Unit(t,
// n).Example(seed) is the same unit for the same seed.
func Unit(target ir.Target, n int) *rapid.Generator[*ir.Unit] {
	return rapid.Custom(func(t *rapid.T) *ir.Unit {
		u := &ir.Unit{Lang: "ftrace", Container: "github.com/tracec/tracec/runtime/ftrace", Source: "irtest",
			Target: target}
		for i := range n {
			ev := Event(target).Draw(t, "event")
			ev.Name = fmt.Sprintf("event_%03d", i)
			ev.ID = uint32(i + 1)
			u.Events = append(u.Events, ev)
		}
		return u
	})
}

// Event draws one event, test:event, that ir.Check accepts.
func Event(target ir.Target) *rapid.Generator[*ir.Event] {
	return rapid.Custom(func(t *rapid.T) *ir.Event {
		d := &drawer{t: t, target: target, ev: &ir.Event{Group: "test", Name: "event", ID: 1}}
		d.layout()
		if d.chance(4) {
			d.ev.Why = "drawn without a rendering"
			return d.ev
		}
		d.ev.HasText = true
		d.program()
		return d.ev
	})
}

// Values draws values that a program yields.
func Values() *rapid.Generator[[]*ir.Field] {
	return rapid.Custom(func(t *rapid.T) []*ir.Field {
		d := &drawer{t: t}
		return d.values(d.below(5), 2)
	})
}

// StreamEvent draws an event of a description that is read from front to back. The whole record is
// one field of bytes, "data", whose first bytes always exist.
func StreamEvent(target ir.Target) *rapid.Generator[*ir.Event] {
	return rapid.Custom(func(t *rapid.T) *ir.Event {
		return StreamEventOf(target, Values().Draw(t, "values")).Draw(t, "event")
	})
}

// StreamEventOf is StreamEvent with the given values.
func StreamEventOf(target ir.Target, values []*ir.Field) *rapid.Generator[*ir.Event] {
	return rapid.Custom(func(t *rapid.T) *ir.Event {
		data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
		ev := &ir.Event{Group: "test", Name: "event", ID: 1, Size: target.WordSize, Fields: []*ir.Field{data},
			HasText: true}
		ev.Fields = append(ev.Fields, values...)
		d := &drawer{t: t, target: target, ev: ev}
		d.program()
		return ev
	})
}

// values draws n values, with structures and lists of at most that many levels.
func (d *drawer) values(n, levels int) []*ir.Field {
	fields := make([]*ir.Field, n)
	for i := range fields {
		fields[i] = d.decoded(fmt.Sprintf("value %d", i), levels)
		fields[i].Optional = fields[i].Kind != ir.List && d.chance(40)
	}
	return fields
}

// decoded draws a value.
func (d *drawer) decoded(name string, levels int) *ir.Field {
	f := &ir.Field{Name: name, CType: "drawn", Offset: ir.Computed}
	switch k := d.below(10); {
	case k < 2 && levels > 0:
		f.Kind, f.Fields = one(d, ir.Struct, ir.Struct, ir.Union), d.values(1+d.below(3), levels-1)
	case k < 5 && levels > 0:
		f.Kind, f.Fields = ir.List, []*ir.Field{d.decoded("", levels-1)}
	case k < 7:
		f.Kind, f.Text = ir.Bytes, d.chance(50)
	case k < 8:
		f.Kind, f.Size = ir.Float, one(d, 4, 8)
	default:
		t := one(d, types...)
		f.Size, f.Signed = int(t.Size), t.Signed
	}
	return f
}

// drawer draws one event.
type drawer struct {
	t      *rapid.T
	target ir.Target
	ev     *ir.Event
	fuel   int       // number of nodes that may still be drawn; at 0, only leaves
	slots  []ir.Type // types of the local values
	bufs   []int     // element sizes of the local regions
	apart  int       // number of enclosing texts in which the program must not end
	pure   int       // number of enclosing texts that must not have effects
}

// below draws a number less than n. It draws bits, because rapid's own ranges prefer small numbers.
// These would be the first alternatives of every choice here.
func (d *drawer) below(n int) int {
	v := 0
	for range bits.Len(uint(n-1)) + 2 {
		v <<= 1
		if rapid.Bool().Draw(d.t, "bit") {
			v |= 1
		}
	}
	return v % n
}

// chance returns true percent times in 100.
func (d *drawer) chance(percent int) bool { return d.below(100) < percent }

func one[T any](d *drawer, from ...T) T { return from[d.below(len(from))] }

// layout draws the fields: first the common ones of ftrace, then any fields, aligned or not, and a
// Tail last.
func (d *drawer) layout() {
	d.ev.Fields = []*ir.Field{
		{Name: "common_type", CType: "unsigned short", Offset: 0, Size: 2, Common: true},
		{Name: "common_flags", CType: "unsigned char", Offset: 2, Size: 1, Common: true},
		{Name: "common_preempt_count", CType: "unsigned char", Offset: 3, Size: 1, Common: true},
		{Name: "common_pid", CType: "int", Offset: 4, Size: 4, Signed: true, Common: true},
	}
	d.ev.Size = 8
	names := rapid.Permutation([]string{
		"comm", "type", "prev_pid", "len", "func", "addr", "buf", "x", "ret", "flags", "caller", "range",
	}).Draw(d.t, "names")
	n := 1 + d.below(len(names)-1)
	for i, name := range names[:n] {
		d.field(name, i == n-1)
	}
}

// field draws one field. It puts the field after the last one in most cases.
func (d *drawer) field(name string, last bool) {
	f := &ir.Field{Name: name, Signed: d.chance(50)}
	align := 1
	switch k := d.below(10); {
	case k < 4:
		f.Size = one(d, 1, 2, 4, 8)
		f.CType = fmt.Sprintf("s%d", 8*f.Size)
		align = f.Size
	case k < 6:
		f.Kind, f.Elem, f.Text = ir.Array, 1, d.chance(70)
		if !f.Text {
			f.Elem = one(d, 1, 2, 4, 8)
		}
		n := 1 + d.below(18/f.Elem)
		f.Size, f.CType = n*f.Elem, fmt.Sprintf("s%d[%d]", 8*f.Elem, n)
		align = f.Elem
	case k < 8:
		f.Kind, f.Size, f.Elem = ir.Dynamic, 4, one(d, 1, 1, 2, 4, 8)
		f.Text, f.Rel, f.CType = f.Elem == 1 && d.chance(70), d.chance(30), fmt.Sprintf("__data_loc s%d[]", 8*f.Elem)
		align = 4
	case k == 8 && last:
		f.Kind, f.Elem, f.CType = ir.Tail, one(d, 1, 2, 4, 8), "tail[]"
		f.Text = f.Elem == 1 && d.chance(50)
		align = f.Elem
	default:
		f.Kind, f.Size, f.Signed, f.CType = ir.Bytes, 1+d.below(12), false, "struct x"
	}
	f.Offset = d.ev.Size
	if d.chance(80) { // otherwise packed
		f.Offset = (f.Offset + align - 1) / align * align
	}
	if d.chance(5) { // overlapping other fields, as in damaged descriptions
		f.Offset = d.below(f.Offset + 1)
	}
	d.ev.Fields = append(d.ev.Fields, f)
	if f.Kind != ir.Tail {
		d.ev.Size = max(d.ev.Size, f.Offset+f.Size)
	}
}
