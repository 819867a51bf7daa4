// Package layout describes the records of a perf.data to generated decoders and to the compiler:
// the samples of each attribute, whose fields depend on the attribute, and the types of side-band
// records. Tracepoints are described by runtime/ftrace/layout.
package layout

import (
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// Fields returns the fields of an event, whose data is the record without its header. For a type of
// record that perf writes itself, it returns nil.
func Fields(e *perf.Event, bigEndian bool) []Value {
	if e.Attr == nil {
		return records()[e.Kind]
	}
	l := fields{big: bigEndian}
	l.sample(e.Attr)
	return l.list
}

// Source finds events by name: events of attributes, and types of records.
func Source(rec *perf.Recording) bind.Source {
	byName, big := map[string][]*perf.Event{}, rec.Machine().BigEndian
	for _, e := range rec.Events() {
		if !e.IsTracepoint() {
			byName[e.Name] = append(byName[e.Name], e)
		}
	}
	return func(name string) (events []bind.Event) {
		for _, e := range byName[name] {
			events = append(events, Event(e, big))
		}
		return events
	}
}

// Event describes the records of an event. Tracepoints are described by runtime/ftrace/layout.
func Event(e *perf.Event, bigEndian bool) bind.Event {
	b := bind.Event{Name: e.Name, ID: e.ID, BigEndian: bigEndian, Sequential: true}
	for _, v := range Fields(e, bigEndian) {
		b.Fields = append(b.Fields, v.Field)
	}
	return b
}

// Of returns rec in the form that decoders read. rec is a *perf.Recording, or wraps one.
func Of(rec record.Recording) (bind.Container[perf.Entry], error) {
	r, err := bind.As[*perf.Recording](rec)
	if err != nil {
		return bind.Container[perf.Entry]{}, err
	}
	return bind.ContainerOf[perf.Entry](r, Source(r)), nil
}
