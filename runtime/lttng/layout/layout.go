// Package layout describes traces of LTTng to generated decoders: the fields of each marker by its
// format.
package layout

import (
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
	return bind.Event{Group: m.Channel, Name: m.Name, ID: uint32(m.Index), BigEndian: bigEndian, Sequential: true, Fields: Fields(m)}
}

var kinds = map[lttng.Kind]bind.Kind{
	lttng.Integer: bind.Int, lttng.Float: bind.Float, lttng.String: bind.Terminated, lttng.Bytes: bind.Bytes, lttng.Sequence: bind.Counted,
}

// Fields describes the fields of a marker, as [lttng.Marker.Flat] has them. compiler/lttng builds
// its fields from the same list. If Flat returns an error, there are no fields.
func Fields(m *lttng.Marker) []bind.Field {
	flat, err := m.Flat()
	if err != nil {
		return nil
	}
	fields := make([]bind.Field, 0, len(flat))
	for i := range flat {
		x := &flat[i]
		f := bind.Field{Name: x.Name, Kind: kinds[x.Kind], Size: x.Size, Align: x.Align}
		switch x.Kind {
		case lttng.Integer:
			f.Signed, f.Network = x.Signed, x.Network && x.Size > 1
		case lttng.String:
			f.PadAfter = x.PadAfter
		case lttng.Bytes:
			f.Elem = x.Count
		}
		fields = append(fields, f)
	}
	return fields
}

// Of returns rec as decoders read it. rec is an *lttng.Recording, or wraps one.
func Of(rec record.Recording) (bind.Container[lttng.Entry], error) {
	r, err := bind.As[*lttng.Recording](rec)
	if err != nil {
		return bind.Container[lttng.Entry]{}, err
	}
	return bind.Container[lttng.Entry]{
		Recording: r,
		Source:    Source(r),
		Merge:     r.Merge,
		Slices: func(o record.Options, streams bool) []record.Slice[lttng.Entry] {
			if streams {
				return r.StreamSlices(o, 0)
			}
			return r.Slices(o, 0)
		},
	}, nil
}
