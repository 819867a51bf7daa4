package gen

import (
	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// Layout returns the layout of ev, an event of u. [Generate] writes this layout into a package, and
// runtime/bind compares it with recordings. The errors are the errors of Generate about ev alone.
func Layout(u *ir.Unit, ev *ir.Event) (bind.Event, error) {
	if !u.Sequential {
		folded := *ev
		compiler.Fold(&folded)
		e, err := newEvent(&folded, u.Target)
		if err != nil {
			return bind.Event{}, err
		}
		return e.layout(), nil
	}
	v, err := planValues(ev, u.Target, "Event", payloadLabel(ev))
	if err != nil {
		return bind.Event{}, err
	}
	y := &payload{Event: ev, values: v}
	return y.layout(u.Target, func(string) bool { return true }), nil
}

// layout returns the row of an event with fields at offsets.
func (e *event) layout() bind.Event {
	return bind.Event{Group: e.Group, Name: e.Name, Type: e.goName, Size: e.Size, Struct: e.size, Common: layouts(e.common), Fields: layouts(e.fields)}
}

// layout returns the row of an event that is read from front to back. Fields that are not used are
// only skipped.
func (y *payload) layout(target ir.Target, wanted func(field string) bool) bind.Event {
	e := bind.Event{Group: y.Group, Name: y.Name, Type: y.typ, Exit: y.Exit, BigEndian: target.BigEndian, Sequential: true}
	if y.Variants != nil {
		e.Group = "" // hooks have ids only
	}
	if y.values != nil && y.Variants == nil {
		for _, f := range y.Fields[1:] {
			e.Fields = append(e.Fields, (&field{Field: f, skip: !wanted(f.Name)}).layout())
		}
	}
	return e
}

func layouts(fields []*field) []bind.Field {
	list := make([]bind.Field, len(fields))
	for i, f := range fields {
		list[i] = f.layout()
	}
	return list
}

func (f *field) layout() bind.Field {
	b := bind.Field{
		Name: f.Name, Offset: f.Offset, Size: f.Size, Kind: bind.Kind(f.Kind), Signed: f.Signed, Rel: f.Rel, Text: f.Text,
		Align: f.Align, PadAfter: f.PadAfter, Network: f.Network, Skip: f.skip,
	}
	if f.Offset == ir.Sequential {
		b.Offset = 0
	}
	if f.Kind == ir.Array || f.Kind == ir.Dynamic || f.Kind == ir.Tail {
		b.Elem = f.elem
	}
	return b
}
