// Package layout describes traces of LTTng to generated decoders: the fields of each marker by its
// format.
package layout

import (
	"fmt"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Source finds markers by name, in all traces of rec.
func Source(rec *lttng.Recording) bind.Source {
	var events []bind.Event
	for _, tr := range rec.Traces() {
		source := ""
		if len(rec.Traces()) > 1 {
			source = tr.Path()
		}
		for _, m := range tr.Markers() {
			e := Event(m, tr.Info().BigEndian)
			e.Source = source
			events = append(events, e)
		}
	}
	return bind.Sources(events)
}

// Event describes the records of a marker.
func Event(m *lttng.Marker, bigEndian bool) bind.Event {
	return bind.Event{Group: m.Channel, Name: m.Name, ID: uint32(m.Index), BigEndian: bigEndian, Sequential: true,
		Fields: Fields(m, bigEndian)}
}

var kinds = map[lttng.Kind]bind.Kind{
	lttng.Integer: bind.Int, lttng.Float: bind.Float, lttng.String: bind.Terminated,
	lttng.Struct: bind.Struct, lttng.Union: bind.Bytes, lttng.Array: bind.List, lttng.Sequence: bind.List,
}

// Fields describes the fields of a marker under unique names: a second x is `x 2`, and a field
// without a name is named by its position, beginning with `field 1`. A sequence of bytes is
// Counted. A union is Bytes. If the marker has an error, there are no fields.
func Fields(m *lttng.Marker, bigEndian bool) []bind.Field {
	if m.Err() != nil {
		return nil
	}
	return Members(m.Fields, bigEndian)
}

// Members describes fields that follow one another.
func Members(fields []lttng.Field, big bool) []bind.Field {
	out, taken := make([]bind.Field, len(fields)), make(map[string]bool, len(fields))
	for i := range fields {
		name := fields[i].Name
		if name == "" {
			name = fmt.Sprintf("field %d", i+1)
		}
		own := name
		for n := 2; taken[own]; n++ {
			own = fmt.Sprintf("%s %d", name, n)
		}
		taken[own] = true
		out[i] = field(&fields[i], own, big)
	}
	return out
}

// field describes a field and its parts.
func field(x *lttng.Field, name string, big bool) bind.Field {
	f := bind.Field{Name: name, Kind: kinds[x.Kind], Size: x.Size, Align: x.Align}
	switch x.Kind {
	case lttng.Integer, lttng.Float:
		f.Signed, f.Order = x.Signed && x.Kind == lttng.Integer, order(x, big)
	case lttng.String:
		f.PadAfter = x.PadAfter
	case lttng.Union:
		f.Elem = x.Widest()
	case lttng.Struct:
		f.Fields, f.Size = Members(x.Fields, big), 0
		if x.Fixed() {
			f.PadAfter = x.Align
		}
	case lttng.Array:
		f.Fields, f.Size, f.Count = element(x, big), 0, x.Count
	case lttng.Sequence:
		f.PadAfter = x.PadAfter
		if e := &x.Fields[0]; e.Kind == lttng.Integer && e.Size == 1 && x.Size <= 4 {
			f.Kind = bind.Counted
		} else {
			f.Fields = element(x, big)
		}
	}
	return f
}

func element(x *lttng.Field, big bool) []bind.Field {
	return []bind.Field{field(&x.Fields[0], "", big)}
}

// order returns the byte order of a number that has its own.
func order(x *lttng.Field, big bool) bind.Order {
	switch {
	case x.Size == 1:
	case x.Network, x.Swapped && !big:
		return bind.BigEndian
	case x.Swapped:
		return bind.LittleEndian
	}
	return bind.AsEvent
}

// Of returns rec in the form that decoders read. rec is an *lttng.Recording, or wraps one.
func Of(rec record.Recording) (bind.Container[lttng.Entry], error) {
	r, err := bind.As[*lttng.Recording](rec)
	if err != nil {
		return bind.Container[lttng.Entry]{}, err
	}
	return bind.ContainerOf[lttng.Entry](r, Source(r)), nil
}
