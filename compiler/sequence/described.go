package sequence

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// Referred holds the fields that later fields refer to, by their slots.
type Referred map[int]*ir.Field

// Field returns the field for a described layout, without its parts. The caller sets the members
// that come from the source, such as CType.
func (r Referred) Field(b *bind.Field) *ir.Field {
	f := &ir.Field{
		Name: b.Name, Kind: ir.Kind(b.Kind), Offset: ir.Sequential, Size: b.Size, Elem: b.Elem,
		Signed: b.Signed, Text: b.Text, Optional: b.Optional || b.When != nil,
		Sequence: ir.Sequence{
			Align: b.Align, PadAfter: b.PadAfter, Order: ir.Order(b.Order), Count: b.Count, From: r[b.From],
		},
	}
	for _, w := range b.When {
		f.When = append(f.When, ir.Range{Low: w.Low, High: w.High})
	}
	if f.Kind == ir.Counted || f.Kind == ir.Terminated {
		f.Elem = 1
	}
	if b.Slot > 0 {
		r[b.Slot] = f
	}
	return f
}
