package parquet

import (
	"fmt"
	"math"
	"path/filepath"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec"
)

// mostKinds is the maximum number of kinds of events with tables of their own, which a damaged
// recording may exceed. The others share a table with their names and bytes.
var mostKinds = 1 << 14 // tests change it

// otherEvent is the name of the table for other kinds of events.
const otherEvent = "tracec.other"

// kind returns the number of the type of an event, or mostKinds for all others.
func kind(ev *tracec.Event) int { return min(ev.Type.Number, mostKinds) }

// tableOf returns the table of an event.
func (w *writer) tableOf(ev *tracec.Event) *table {
	n := kind(ev)
	if n < len(w.open.slots) && w.open.slots[n] != nil {
		return w.open.slots[n]
	}
	for n >= len(w.open.slots) {
		w.open.slots = append(w.open.slots, nil)
	}
	typ := ev.Type
	w.sum.descriptions = append(w.sum.descriptions, describe(typ))
	if w.options.Wide {
		for n >= len(w.sum.counts) {
			w.sum.counts = append(w.sum.counts, EventRow{})
		}
		if w.sum.counts[n].Event = eventName(typ); n == mostKinds {
			w.sum.counts[n].Event = otherEvent
		}
		w.open.slots[n] = w.wideTable()
		return w.open.slots[n]
	}
	if n == mostKinds {
		w.open.slots[n] = w.newTable(otherEvent, w.otherFields(false))
		w.open.slots[n].nulls = func() *table { return w.newTable(otherEvent, w.otherFields(true)) }
		return w.open.slots[n]
	}
	if entryOf(ev) != nil {
		w.open.slots[n] = w.side(typ)
		return w.open.slots[n]
	}
	t := w.newTable(eventName(typ), fieldsOf(typ, &w.shape, false))
	t.nulls = func() *table { return w.newTable(t.event, fieldsOf(typ, &w.shape, true)) }
	if ev.Entry == nil { // texts of other systems may depend on earlier events
		t.copy()
		t.nulls = func() *table { return w.newTable(t.event, fieldsOf(typ, &w.shape, true)).copy() }
	}
	w.open.slots[n] = t
	return t
}

// wideTable returns the table of all events.
func (w *writer) wideTable() *table {
	if w.open.all == nil {
		w.open.all = w.newTable("", w.wideFields(false))
		w.open.all.nulls = func() *table { return w.newTable("", w.wideFields(true)) }
	}
	return w.open.all
}

// wideFields returns the columns of the table of all events.
func (w *writer) wideFields(nulls bool) []*field {
	event := &field{name: "event", storage: text, node: pq.String(), bits: ofPut,
		put: func(ev *tracec.Event, c *column) bool {
			c.putString(w.sum.counts[kind(ev)].Event)
			return true
		}}
	return append(w.shape.common(nulls), event, texts())
}

// otherFields returns the columns for events of kinds without tables of their own.
func (w *writer) otherFields(nulls bool) []*field {
	name := &field{name: "name", storage: text, node: pq.String(), bits: ofPut,
		put: func(ev *tracec.Event, c *column) bool {
			c.putString(eventName(ev.Type))
			return true
		}}
	return append(w.shape.common(nulls), name, data())
}

// side returns the table of calls or of returns. Rows with values are in separate files, since
// empty columns for values would cost other rows more than all their data.
func (w *writer) side(t *tracec.Type) *table {
	i, event := 0, callEvent
	if t.Exit {
		i, event = 1, returnEvent
	}
	values := len(t.Fields) > 0
	if values {
		i += 2
	}
	if w.open.sides[i] == nil {
		fields := func(nulls bool) []*field { return w.calls.fields(&w.shape, t.Exit, values, nulls) }
		w.open.sides[i] = w.newTable(event, fields(false))
		w.open.sides[i].nulls = func() *table { return w.newTable(event, fields(true)) }
	}
	return w.open.sides[i]
}

// newTable returns a table and begins a part for it.
func (w *writer) newTable(event string, fields []*field) *table {
	t := newTable(event, fields)
	t.pool = w.pool
	w.open.tables = append(w.open.tables, t)
	w.newPart(t)
	return t
}

func (w *writer) newPart(t *table) {
	date := w.day.date
	if t.part != nil { // derived tables have several open days
		date = t.part.date
	}
	p := &part{
		event: t.event, date: date, number: len(w.files.parts), fields: t.fields, first: math.MaxUint64,
		begun: make(chan struct{}), last: make(chan struct{}),
	}
	p.path = filepath.Join(w.files.tmp, fmt.Sprintf("%05d", p.number))
	close(p.last)
	w.files.parts = append(w.files.parts, p)
	t.part = p
}

// lacking returns the table for events that lack a required value of t.
func (w *writer) lacking(t *table) *table {
	if t.lacks == nil {
		t.lacks = t.nulls()
	}
	return t.lacks
}

// lostEvent is the name of the table of the recorder's losses.
const lostEvent = "tracec.lost"

// losses returns the columns for losses before an event: the columns of the event, and the number,
// which is null if unknown.
func losses(o *shape, nulls bool) []*field {
	return append(o.common(nulls), &field{name: "lost", storage: wide, optional: true, node: pq.Int(64), bits: ofLost})
}
