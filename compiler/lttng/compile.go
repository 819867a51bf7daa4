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
}

// Compile returns the event of a marker: its values, by the names of its fields, and its text,
// which is `{ pid = 5, name = "x" }`, or nothing for a marker without fields. Of arrays and
// sequences the first 2^20 elements of an event count, less one for each nested one. The text shows
// where more are left. The error is the fault of the description. The event then has neither values
// nor text.
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

// explain says what is wrong with a marker. Where a format is, the grammar knows the place.
func explain(m *lttng.Marker, err error) error {
	if m.Err() != nil {
		if _, place := grammar.Parse(m.Channel+"."+m.Name, m.Format); place != nil {
			return place
		}
	}
	return fmt.Errorf("%s.%s: %w", m.Channel, m.Name, err)
}
