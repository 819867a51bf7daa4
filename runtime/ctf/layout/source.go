package layout

import (
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// Source finds events by provider and name, in all traces of rec.
func Source(rec *ctf.Recording) bind.Source {
	byName := map[string][]*ctf.Event{}
	for _, e := range rec.Events() {
		_, name := e.Title()
		byName[name] = append(byName[name], e)
	}
	return func(name string) (events []bind.Event) {
		for _, e := range byName[name] {
			b := Event(e)
			if len(rec.Traces()) > 1 {
				b.Source = e.Trace().Path
			}
			events = append(events, b)
		}
		return events
	}
}

// Event describes the records of an event. The event is little-endian, and numbers of another order
// declare it. A trace may have both, so its own byte order does not matter.
func Event(e *ctf.Event) bind.Event {
	group, name := e.Title()
	values, _ := Fields(e)
	b := bind.Event{Group: group, Name: name, ID: uint32(e.Index), Sequential: true}
	for _, v := range values {
		b.Fields = append(b.Fields, v.Field)
	}
	return b
}

// Of returns rec in the form that decoders read. rec is a *ctf.Recording, or wraps one.
func Of(rec record.Recording) (bind.Container[ctf.Entry], error) {
	r, err := bind.As[*ctf.Recording](rec)
	if err != nil {
		return bind.Container[ctf.Entry]{}, err
	}
	return bind.ContainerOf[ctf.Entry](r, Source(r)), nil
}
