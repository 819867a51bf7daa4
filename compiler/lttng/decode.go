package lttng

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	recorded "github.com/tracec/tracec/runtime/lttng/layout"
)

// decode writes the values of an event, and the program that yields them.
func decode(ev *ir.Event, m *lttng.Marker, r Rules, data *ir.Field) {
	k := keeper{}
	ev.Fields = append(ev.Fields, k.fields(m.Fields, recorded.Fields(m, r.BigEndian), r)...)
	l := newLayout(data, r.BigEndian, k)
	l.walk(m.Fields, 0)
	ev.Decode, ev.Slots = l.Out, max(ev.Slots, l.slots)
}

// keeper yields the values of a payload. It has the value of each field.
type keeper map[*lttng.Field]*ir.Field

// fields returns the values of fields.
func (k keeper) fields(fields []lttng.Field, described []bind.Field, r Rules) []*ir.Field {
	out := make([]*ir.Field, len(fields))
	for i := range fields {
		f, b := &fields[i], &described[i]
		x := &ir.Field{
			Name: b.Name, CType: f.Source, Kind: ir.Kind(b.Kind), Offset: ir.Sequential, Size: b.Size, Count: b.Count,
			Signed: b.Signed, Hex: f.Pointer, Text: f.Kind == lttng.String,
			Align: b.Align, PadAfter: b.PadAfter, Order: ir.Order(b.Order),
		}
		switch {
		case f.Kind == lttng.Union:
			x.Kind, x.Fields = ir.Union, k.fields(f.Fields, recorded.Members(f.Fields, r.BigEndian), r)
		case x.Kind == ir.Counted:
			x.Elem, x.Signed = 1, f.Fields[0].Signed
		case b.Fields != nil:
			x.Fields = k.fields(f.Fields, b.Fields, r)
		}
		k[f], out[i] = x, x
	}
	return out
}

func (k keeper) open() []ir.Stmt          { return nil }
func (k keeper) close(ir.Value) []ir.Stmt { return nil }

// before begins the values that have parts.
func (k keeper) before(f *lttng.Field, _ int) []ir.Stmt {
	if x := k[f]; x.Fields != nil || x.Kind == ir.Struct {
		return []ir.Stmt{&ir.Keep{Field: x}}
	}
	return nil
}

func (k keeper) between(_ ir.Value, of *lttng.Field) []ir.Stmt { return k.before(of, 0) }

// whole reports whether a sequence is bytes.
func (k keeper) whole(f *lttng.Field) bool { return k[f].Kind == ir.Counted }

func (k keeper) value(p place) []ir.Stmt {
	keep := &ir.Keep{Field: k[p.Field]}
	if p.Kind == lttng.Integer || p.Kind == lttng.Float {
		keep.V = p.number()
	} else {
		keep.Of = p.bytes()
	}
	return []ir.Stmt{keep}
}
