package lttng

import (
	"fmt"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	grammar "github.com/tracec/tracec/grammar/lttng"
	"github.com/tracec/tracec/runtime/lttng"
)

// Era is the LTTng reader whose text is produced.
type Era uint8

// The eras.
const (
	Era2  Era = iota // 2.x: conversions as in the format
	Era1             // 1.0: decimal numbers
	Era08            // 0.x: as 1.0, without the names of fields
)

// Rules are the properties of a dialect that the fields do not show.
type Rules struct {
	Era       Era
	BigEndian bool // of the trace; back ends read it from ir.Target
	// Note returns the name of a hook for a note after the number of a field, or "" for no note.
	// The text then calls render.HookCall1 with this name and the number. Note may be nil.
	Note func(m *lttng.Marker, field string) string
}

// Compile returns the event of a marker: its values, by the names of its fields, and its text. The
// text is `{ pid = 5, name = "x" }`, or empty for a marker without fields. Of all arrays and
// sequences of an event, only the first 2^20 elements are read, less one for each nested array or
// sequence. The text shows where elements are left out. The error is a fault of the description.
// The event then has neither values nor text.
func Compile(m *lttng.Marker, r Rules) (*ir.Event, error) {
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev := &ir.Event{Group: m.Channel, Name: m.Name, Fields: []*ir.Field{data}, Slots: sequence.Slots}
	if m.Err() != nil {
		err := explain(m, m.Err())
		ev.Why = err.Error()
		return ev, err
	}
	text(ev, m, r)
	ev.Fields = append(ev.Fields, newValues(r, false).fields(m)...)
	ir.NameResult(ev)
	sequence.Decode(ev, r.BigEndian)
	if err := ir.CheckEvent(ev); err != nil {
		return &ir.Event{Group: m.Channel, Name: m.Name, Fields: ev.Fields[:1], Why: err.Error()}, err
	}
	return ev, nil
}

// explain returns an error that names the fault of a marker. For a fault of the format, the grammar
// knows its place.
func explain(m *lttng.Marker, err error) error {
	if m.Err() != nil {
		if _, place := grammar.Parse(m.Channel+"."+m.Name, m.Format); place != nil {
			return place
		}
	}
	return fmt.Errorf("%s.%s: %w", m.Channel, m.Name, err)
}
