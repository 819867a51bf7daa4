package lttng

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	recorded "github.com/tracec/tracec/runtime/lttng/layout"
)

// values makes the fields of an event.
type values struct {
	bigEndian bool
	each      bool                       // a sequence of bytes is a list of bytes, not one value
	of        map[*ir.Field]*lttng.Field // the source of each field
}

func newValues(r Rules, each bool) *values {
	return &values{r.BigEndian, each, map[*ir.Field]*lttng.Field{}}
}

// fields returns the values of a marker.
func (v *values) fields(m *lttng.Marker) []*ir.Field {
	return v.members(m.Fields, recorded.Fields(m, v.bigEndian))
}

func (v *values) members(fields []lttng.Field, described []bind.Field) []*ir.Field {
	out := make([]*ir.Field, len(fields))
	for i := range fields {
		out[i] = v.field(&fields[i], &described[i])
	}
	return out
}

func (v *values) field(f *lttng.Field, b *bind.Field) *ir.Field {
	x := sequence.Referred{}.Field(b)
	x.CType, x.Hex, x.Text = f.Source, f.Pointer, f.Kind == lttng.String
	v.of[x] = f
	switch {
	case f.Kind == lttng.Union:
		x.Kind, x.Fields = ir.Union, v.members(f.Fields, recorded.Members(f.Fields, v.bigEndian))
	case x.Kind == ir.Counted && v.each:
		x.Kind, x.Fields = ir.List, v.members(f.Fields, recorded.Members(f.Fields, v.bigEndian))
	case x.Kind == ir.Counted:
		x.Elem, x.Signed = 1, f.Fields[0].Signed
	case b.Fields != nil:
		x.Fields = v.members(f.Fields, b.Fields)
	}
	return x
}
