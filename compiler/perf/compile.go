// Package perf lowers the records of perf.data to IR: the samples of each attribute, and the types
// of side-band records. Package runtime/perf/layout finds the values. Package compiler/ftrace
// lowers tracepoints, from the formats in the recording.
package perf

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/perf/layout"
)

// Compile returns an event. Its data is the record without the header.
func Compile(e *perf.Event, bigEndian bool) (*ir.Event, error) {
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	fields := lower(layout.Fields(e, bigEndian), sequence.Referred{})
	ev := &ir.Event{
		Name: e.Name, Ident: ident(e), ID: e.ID, Fields: append([]*ir.Field{data}, fields...),
	}
	body, slots := sequence.Walk(data, fields, bigEndian, writer{})
	ev.Text, ev.HasText, ev.Slots = body, true, max(sequence.Slots, slots)
	sequence.Decode(ev, bigEndian)
	if err := ir.CheckEvent(ev); err != nil {
		return &ir.Event{Name: e.Name, ID: e.ID, Fields: ev.Fields[:1], Why: err.Error()}, err
	}
	return ev, nil
}

// ident returns the name of an event in a program: cpu-clock_sample, comm_record.
func ident(e *perf.Event) string {
	if e.Attr != nil {
		return e.Name + "_sample"
	}
	return strings.ToLower(strings.TrimPrefix(e.Name, "PERF_RECORD_")) + "_record"
}

// ctypes are the types of integers in the kernel's structures, by sign and size.
var ctypes = map[bool]map[int]string{false: {2: "u16", 4: "u32", 8: "u64"}, true: {4: "s32"}}

// lower makes fields of IR.
func lower(values []layout.Value, r sequence.Referred) []*ir.Field {
	out := make([]*ir.Field, len(values))
	for i := range values {
		v := &values[i]
		f := r.Field(&v.Field)
		f.Hex = v.Hex
		if f.Kind == ir.Int {
			f.CType = ctypes[f.Signed][f.Size]
		}
		if f.Kind.HasParts() {
			f.Fields = lower(v.Parts, r)
		}
		out[i] = f
	}
	return out
}
