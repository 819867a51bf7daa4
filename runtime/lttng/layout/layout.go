// Package layout describes traces of LTTng to generated decoders: the fields of each marker by its format.
package layout

import (
	"context"
	"strconv"

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

// Fields describes the fields of a marker. Names are those of the format, with a number after them where one comes
// twice (ip 2); a field without a name is called by its position, field 1 the first, as compiler/lttng does.
func Fields(m *lttng.Marker) []bind.Field {
	fields := make([]bind.Field, 0, len(m.Fields))
	taken := make(map[string]bool, len(m.Fields))
	for i := range m.Fields {
		x := &m.Fields[i]
		f := bind.Field{Name: x.Name, Size: x.Size, Align: x.Align, Signed: x.Signed, Network: x.Network && x.Size > 1}
		if x.Size == 0 {
			f.Kind, f.PadAfter, f.Align = bind.Terminated, x.PadAfter, 1
		}
		if f.Name == "" {
			f.Name = "field " + strconv.Itoa(i+1)
		}
		for k := 2; taken[f.Name]; k++ {
			f.Name = x.Name + " " + strconv.Itoa(k)
		}
		taken[f.Name] = true
		fields = append(fields, f)
	}
	return fields
}

// Merge begins to read the records of rec in time order, until ctx is done.
func Merge(ctx context.Context, rec *lttng.Recording) *record.Merger[lttng.Entry] {
	return rec.Merge(record.Options{Context: ctx})
}

// Streams begins to read the files of rec, a stream each, until ctx is done.
func Streams(ctx context.Context, rec *lttng.Recording) []*lttng.Stream {
	return rec.Streams(record.Options{Context: ctx})
}
