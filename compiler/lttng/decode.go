package lttng

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/lttng"
)

// decode writes the values of an event, and the program that yields them.
func decode(ev *ir.Event, fields []lttng.Field, r Rules, data *ir.Field) {
	k := &keeper{flat: r.Flat, taken: map[string]bool{}, index: map[*lttng.Field]int{}}
	for i := range fields {
		name := fields[i].Name
		if name == "" {
			name = fmt.Sprintf("field %d", i+1)
		}
		k.list(&fields[i], name, false)
	}
	l := newLayout(data, r.BigEndian, k)
	l.walk(fields, 0)
	ev.Values, ev.Decode, ev.Slots = k.values, l.Out, max(ev.Slots, l.slots)
}

// keeper yields the values of a payload.
type keeper struct {
	flat   bool
	values []*ir.Datum
	taken  map[string]bool
	index  map[*lttng.Field]int // in values
}

// list gives a field and what is in it their values.
func (k *keeper) list(f *lttng.Field, name string, repeated bool) {
	switch {
	case f.Kind == lttng.Struct, f.Kind == lttng.Union:
		for i := range f.Fields {
			k.list(&f.Fields[i], name+"."+f.Fields[i].Name, repeated)
		}
		return
	case f.Kind == lttng.Array, f.Kind == lttng.Sequence && !k.flat:
		k.list(&f.Fields[0], name, true)
		return
	}
	d := &ir.Datum{Name: ir.Distinct(name, k.taken), Source: f.Source, Repeated: repeated, Text: f.Kind == lttng.String, Float: f.Kind == lttng.Float, Hex: f.Pointer}
	if f.Kind == lttng.Integer || f.Kind == lttng.Float {
		d.Type = typeOf(f)
	}
	k.index[f] = len(k.values)
	k.values = append(k.values, d)
}

func (k *keeper) before(*lttng.Field, int) []ir.Stmt { return nil }
func (k *keeper) between(ir.Value) []ir.Stmt         { return nil }
func (k *keeper) open() []ir.Stmt                    { return nil }
func (k *keeper) close(ir.Value) []ir.Stmt           { return nil }
func (k *keeper) whole() bool                        { return k.flat }

func (k *keeper) value(p place) []ir.Stmt {
	keep := &ir.Keep{Datum: k.index[p.Field]}
	if p.Kind == lttng.Integer || p.Kind == lttng.Float {
		keep.V = p.number()
	} else {
		keep.Of = p.bytes()
	}
	return []ir.Stmt{keep}
}
