package lttng

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	grammar "github.com/tracec/tracec/grammar/lttng"
	"github.com/tracec/tracec/runtime/lttng"
)

// Era is the reader whose text is wanted.
type Era uint8

// The eras.
const (
	Era2  Era = iota // 2.x: conversions as the format says
	Era1             // 1.0: decimal numbers
	Era08            // 0.x: as 1.0, without the names of fields
)

// Rules are what a dialect says beside the fields.
type Rules struct {
	Era       Era
	BigEndian bool // of the trace; ir.Target says it to the back ends
	// Note names what is asked for a note after the number of a field; "" is none. Texts then call
	// render.HookCall1 with that name and the number. It may be nil.
	Note func(m *lttng.Marker, field string) string
	// Flat makes the values those of [lttng.Marker.Flat], which follow one another, one of each in
	// every event: those of generated decoders. Otherwise an array or a sequence is a value that
	// comes several times.
	Flat bool
}

// Compile returns the event of a marker: its fields in Values, by their names, and its text, which
// is `{ pid = 5, name = "x" }`, or nothing for a marker without fields. Members of a structure are
// values by themselves, id.x; of a union, too. Of arrays and sequences the first 2^20 elements of
// an event count, less one for each nested one; its text says where more are left. The error says
// what of the description cannot be; the event has then neither values nor text.
func Compile(m *lttng.Marker, r Rules) (*ir.Event, error) {
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev := &ir.Event{Group: m.Channel, Name: m.Name, Fields: []*ir.Field{data}, Slots: sequence.Slots}
	flat, err := m.Flat()
	if err != nil && (r.Flat || m.Err() != nil) {
		err = explain(m, err)
		ev.Why = err.Error()
		return ev, err
	}
	if err == nil {
		for i := range flat {
			ev.Fields = append(ev.Fields, fieldOf(&flat[i]))
		}
	}
	text(ev, m, r, data)
	fields := m.Fields
	if r.Flat {
		fields = flat
	}
	decode(ev, fields, r, data)
	if err := ir.CheckEvent(ev); err != nil {
		return &ir.Event{Group: m.Channel, Name: m.Name, Fields: ev.Fields[:1], Why: err.Error()}, err
	}
	return ev, nil
}

// explain says what is wrong with a marker. Where a format is, the grammar knows the place.
func explain(m *lttng.Marker, err error) error {
	if m.Err() != nil {
		if _, place := grammar.Parse(m.Channel+"."+m.Name, m.Format); place != nil {
			return place
		}
	}
	return fmt.Errorf("%s.%s: %w", m.Channel, m.Name, err)
}

var kinds = map[lttng.Kind]ir.Kind{
	lttng.Integer: ir.Int, lttng.Float: ir.Float, lttng.String: ir.Terminated, lttng.Bytes: ir.Bytes, lttng.Sequence: ir.Counted,
}

// fieldOf returns the field of a flat payload.
func fieldOf(f *lttng.Field) *ir.Field {
	x := &ir.Field{Name: f.Name, CType: f.Source, Offset: ir.Sequential, Kind: kinds[f.Kind], Size: f.Size, Align: f.Align}
	switch f.Kind {
	case lttng.Integer:
		x.Signed, x.Network = f.Signed, f.Network && f.Size > 1
	case lttng.String:
		x.PadAfter = f.PadAfter
	}
	return x
}
