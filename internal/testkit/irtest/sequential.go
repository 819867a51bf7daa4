package irtest

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
)

// Sequential draws consecutive values: numbers of any byte order, bit fields, strings, structures,
// lists, and variants.
func Sequential() *rapid.Generator[[]*ir.Field] {
	return rapid.Custom(func(t *rapid.T) []*ir.Field {
		d := &drawer{t: t}
		return d.sequence(1+d.below(4), 3)
	})
}

// SequentialEvent returns an event of consecutive values in its record. Its text prints them and
// keeps them.
func SequentialEvent(values []*ir.Field, target ir.Target) *ir.Event {
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev := &ir.Event{Group: "test", Name: "event", ID: 1, Fields: append([]*ir.Field{data}, values...), HasText: true}
	ev.Text, ev.Slots = sequence.Walk(data, values, target.BigEndian, shower{})
	sequence.Decode(ev, target.BigEndian)
	return ev
}

// sequence draws n groups of fields.
func (d *drawer) sequence(n, levels int) (fields []*ir.Field) {
	for i := range n {
		name := fmt.Sprintf("value %d", i)
		switch k := d.below(8); {
		case k == 0:
			fields = append(fields, d.bits(name)...)
		case k < 3 && levels > 0:
			fields = append(fields, d.dependent(name, levels)...)
		default:
			fields = append(fields, d.next(name, levels))
		}
	}
	return fields
}

// next draws a field that does not depend on others.
func (d *drawer) next(name string, levels int) *ir.Field {
	f := &ir.Field{
		Name: name, CType: "drawn", Offset: ir.Sequential,
		Sequence: ir.Sequence{Align: one(d, 0, 0, 2, 4, 8), PadAfter: one(d, 0, 0, 0, 4)},
	}
	switch k := d.below(12); {
	case k < 2 && levels > 0:
		f.Kind, f.Fields = ir.Struct, d.sequence(1+d.below(3), levels-1)
	case k < 4 && levels > 0:
		f.Kind, f.Fields = ir.List, []*ir.Field{d.next("", levels-1)}
		if f.Size = one(d, 0, 1, 2, 4, 8); f.Size == 0 || !sequence.HasBytes(f.Fields[0]) {
			f.Size = 0
			f.Count = d.below(4)
		}
	case k < 5:
		f.Kind, f.Text = ir.Terminated, true
	case k < 6:
		f.Kind, f.Text = ir.Counted, d.chance(50)
		if f.Size = one(d, 0, 1, 2, 4); f.Size == 0 {
			f.Count = 1 + d.below(20)
		}
	case k < 7:
		f.Kind, f.Size = ir.Float, one(d, 4, 8)
	case k < 8:
		f.Kind, f.Size = ir.Bytes, 1+d.below(5)
	default:
		d.integer(f)
	}
	return f
}

func (d *drawer) integer(f *ir.Field) {
	t := one(d, types...)
	f.Size, f.Signed, f.Order = int(t.Size), t.Signed, one(d, ir.AsRecorded, ir.LittleEndian, ir.BigEndian)
}

// dependent draws an integer, and a field with a length or an arm that depends on it.
func (d *drawer) dependent(name string, levels int) []*ir.Field {
	n := &ir.Field{Name: name + " selector", CType: "drawn", Offset: ir.Sequential,
		Sequence: ir.Sequence{Align: one(d, 0, 2)}}
	d.integer(n)
	f := &ir.Field{Name: name, CType: "drawn", Offset: ir.Sequential, Sequence: ir.Sequence{From: n}}
	switch d.below(4) {
	case 0:
		f.Kind, f.Text = ir.Counted, d.chance(50)
	case 1:
		e := d.next("", levels-1)
		for !sequence.HasBytes(e) {
			e = d.next("", 0)
		}
		f.Kind, f.Fields = ir.List, []*ir.Field{e}
	default:
		f.Kind, f.Optional = ir.Variant, d.chance(50)
		wide := d.chance(50)
		for i := range 1 + d.below(3) {
			arm := d.next(fmt.Sprintf("arm %d", i), levels-1)
			low := uint64(4 * i)
			arm.Optional, arm.When = true, []ir.Range{{Low: low, High: low}, {Low: low + 2, High: low + 2}}
			if wide {
				arm.When = []ir.Range{{Low: low, High: low + 2}}
			}
			f.Fields = append(f.Fields, arm)
		}
	}
	return []*ir.Field{n, f}
}

// bits draws bit fields that share bytes.
func (d *drawer) bits(name string) (fields []*ir.Field) {
	order := one(d, ir.LittleEndian, ir.BigEndian)
	at := 0 // offset in bits of the next field in its byte
	for i := range 1 + d.below(4) {
		n := 1 + d.below(57)
		f := &ir.Field{
			Name: fmt.Sprintf("%s bits %d", name, i), CType: "drawn", Offset: ir.Sequential,
			Signed: d.chance(50), Sequence: ir.Sequence{Order: order},
		}
		f.Size = (at + n + 7) / 8
		f.Bits = ir.BitField{Count: n, At: at}
		if order == ir.BigEndian {
			f.Bits.At = 8*f.Size - at - n
		}
		if at > 0 {
			f.Bits.Overlap = 1
		}
		at = (at + n) % 8
		fields = append(fields, f)
	}
	return fields
}

// shower prints and keeps the values of an event.
type shower struct{}

func literal(s string) ir.Stmt { return &ir.Lit{S: s} }

func (shower) Before(f *ir.Field, _ int) []ir.Stmt {
	body := []ir.Stmt{literal(" " + f.Name + "=")}
	if f.Kind.HasParts() {
		body = append(body, &ir.Keep{Field: f})
	}
	return body
}

func (s shower) None(*ir.Field) []ir.Stmt { return nil }

func (s shower) Between(turn ir.Value, element *ir.Field) []ir.Stmt {
	return append(s.Before(element, 0), &ir.PutInt{V: turn, Spec: ir.Spec{Verb: 'd', Prec: -1}})
}

func (shower) Open(*ir.Field) []ir.Stmt { return []ir.Stmt{literal("{")} }

func (shower) Close(_ *ir.Field, rest ir.Value) []ir.Stmt {
	if rest == nil {
		return []ir.Stmt{literal("}")}
	}
	return []ir.Stmt{&ir.If{Cond: rest, Then: []ir.Stmt{literal("...")}}, literal("]")}
}

func (shower) Value(p sequence.Place) []ir.Stmt {
	if t := p.Type(); t != (ir.Type{}) {
		v := ir.Value(&ir.Convert{T: t, X: p.Number()})
		return []ir.Stmt{&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}}, &ir.Keep{Field: p.Field, V: v}}
	}
	show := &ir.PutText{T: &ir.CString{Of: p.Bytes()}, Spec: ir.Spec{Prec: -1}}
	return []ir.Stmt{show, &ir.Keep{Field: p.Field, Of: p.Bytes()}}
}
