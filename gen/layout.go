package gen

import (
	"slices"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// Layout returns the layout of ev, an event of u. [Generate] writes this layout into a package, and
// runtime/bind compares it with recordings. Its errors are the errors of Generate about ev alone.
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
	return bind.Event{Group: e.Group, Name: e.Name, Type: e.goName, Size: e.Size, Struct: e.size,
		Common: layouts(e.common), Fields: layouts(e.fields)}
}

// layout returns the row of an event that is read from front to back. Fields that are not used are
// only skipped.
func (y *payload) layout(target ir.Target, wanted func(field string) bool) bind.Event {
	e := bind.Event{Group: y.Group, Name: y.Name, Type: y.typ, Exit: y.Exit, BigEndian: target.BigEndian,
		Sequential: true}
	if y.Variants != nil {
		e.Group = "" // hooks have ids only
	}
	if y.values == nil || y.Variants != nil {
		return e
	}
	var fields []*ir.Field
	for _, f := range y.Event.Values() {
		if f.Offset == ir.Sequential {
			fields = append(fields, f)
		}
	}
	e.Fields = FieldLayouts(fields)
	for i, f := range fields {
		used := wanted(f.Name) ||
			slices.ContainsFunc(f.Leaves(), func(l ir.Leaf) bool { return wanted(l.Path) })
		e.Fields[i].Skip = !used && !refers(&e.Fields[i])
	}
	return e
}

// refers reports whether a field refers to another, or another to it. Even if it is not used, it
// must then be in the recording.
func refers(f *bind.Field) bool {
	if f.Slot != 0 || f.From != 0 {
		return true
	}
	for i := range f.Fields {
		if refers(&f.Fields[i]) {
			return true
		}
	}
	return false
}

func layouts(fields []*field) []bind.Field {
	list := make([]bind.Field, len(fields))
	for i, f := range fields {
		list[i] = f.layout()
	}
	return list
}

func (f *field) layout() bind.Field {
	b := FieldLayouts([]*ir.Field{f.Field})[0]
	if b.Elem > 0 && f.Kind != ir.Union {
		b.Elem = f.elem
	}
	return b
}

// FieldLayouts returns the layouts of the fields of an event as a recording has them. It does not
// use the programs of the event, which may change the element size of compiled decoders.
func FieldLayouts(fields []*ir.Field) []bind.Field {
	l := layouter{}
	l.number(fields)
	return l.fields(fields)
}

// layouter maps the fields to which others refer to their slots.
type layouter map[*ir.Field]int

// number gives slots to the fields to which others refer.
func (l layouter) number(fields []*ir.Field) {
	for _, f := range fields {
		if f.From != nil && l[f.From] == 0 {
			l[f.From] = len(l) + 1
		}
		l.number(f.Fields)
	}
}

func (l layouter) fields(fields []*ir.Field) []bind.Field {
	out := make([]bind.Field, len(fields))
	for i, f := range fields {
		out[i] = l.field(f)
	}
	return out
}

func (l layouter) field(f *ir.Field) bind.Field {
	b := bind.Field{
		Name: f.Name, Offset: max(f.Offset, 0), Size: f.Size, Kind: bind.Kind(f.Kind), Signed: f.Signed, Rel: f.Rel,
		Align: f.Align, PadAfter: f.PadAfter, Order: bind.Order(f.Order), Count: f.Count,
		Slot: l[f], From: l[f.From], Bits: bind.BitField(f.Bits),
	}
	for _, r := range f.When {
		b.When = append(b.When, bind.Range(r))
	}
	switch f.Kind {
	case ir.Array, ir.Dynamic, ir.Tail:
		b.Elem, b.Text = f.Elem, f.Text
	case ir.Struct, ir.List:
		b.Fields = l.fields(f.Fields)
	case ir.Variant:
		b.Fields, b.Optional = l.fields(f.Fields), f.Optional
	case ir.Counted:
		b.Signed = false // its bytes have no sign
		b.Text = f.Text && f.Count > 0
	case ir.Union:
		b.Kind, b.Elem = bind.Bytes, widest(f)
	case ir.Float:
		if f.Size != 4 && f.Size != 8 { // only programs know the order of its bytes
			b.Kind = bind.Bytes
		}
	}
	return b
}

// widest returns the size of the largest number in a union.
func widest(f *ir.Field) int {
	n := max(1, int(f.Type().Size))
	for _, m := range f.Fields {
		n = max(n, widest(m))
	}
	return n
}
