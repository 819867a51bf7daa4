// Package markers supports generated decoders of LTTng traces, beside packages bind and sequence: it binds
// markers by channel and name, and hands the events of a trace to the decoder.
//
// # Binding
//
// A decoder is compiled for the markers of one trace. Bind looks them up in those of another: where fields are laid out
// the same, payloads are read in place; where word size, alignment, byte order or sizes differ, or fields were
// added or moved, they are relocated (see [sequence.Plan]). Markers of traces whose ids serve all channels (1.0 to 2.2)
// have no channel and bind by their name, if only one compiled marker has it.
//
// # Ownership
//
// Records, entries and values are valid until the callback returns. Record.Data of a relocated payload is the
// relocated copy during the callback.
package markers

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/bind/sequence"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Marker is a marker that a decoder was compiled for.
type Marker struct {
	Channel, Name string
	Layout        sequence.Layout
}

// label returns the name of the marker in messages.
func (m *Marker) label() string {
	if m.Channel == "" {
		return m.Name
	}
	return m.Channel + "." + m.Name
}

// Hooks are the callbacks that belong to no marker. All of them may be nil.
type Hooks struct {
	// Other, if non-nil, receives the events without a callback.
	Other func(r *record.Record, x *lttng.Entry)
	// Short gets the events whose fields are not whole.
	Short func(r *record.Record, x *lttng.Entry)
	// Missing, if non-nil, is called for each wanted marker that cannot be bound. If nil, Bind fails.
	Missing func(marker string, err error)
	// Narrow allows numbers to be cut to the compiled size where the trace has wider ones.
	Narrow bool
}

// Binding is the table from Marker.Index to compiled markers that a Decoder runs on. It belongs to one recording and one
// goroutine. The zero value has nothing bound.
type Binding struct {
	Stats bind.Stats
	hooks Hooks
	table sequence.Table[lttng.Entry]
}

// maxErrors bounds the errors that one Bind joins: a wrong trace lacks every marker.
const maxErrors = 20

// Bind looks up the compiled markers in all traces of rec: one that a trace of a set lacks is missing only when all of them
// lack it. callbacks points to a struct whose first fields are the callbacks in the
// order of compiled; those set now must stay. Errors are *bind.Error, joined.
func (b *Binding) Bind(rec *lttng.Recording, compiled []Marker, callbacks any, target sequence.Target[lttng.Entry], hooks Hooks) error {
	recorded := rec.Markers()
	*b = Binding{hooks: hooks, table: sequence.NewTable(target, len(recorded))}
	var traces []names
	for _, tr := range rec.Traces() {
		traces = append(traces, index(tr))
	}
	set := reflect.ValueOf(callbacks).Elem()
	shared := map[string]int{}
	for i := range compiled {
		shared[compiled[i].Name]++
	}
	var errs []error
	for i := range compiled {
		wanted := !set.Field(i).IsNil()
		if !wanted && !b.table.HasText() {
			continue
		}
		c := &compiled[i]
		err := b.all(traces, c, shared[c.Name] == 1, i, wanted)
		switch {
		case err == nil || !wanted:
		case hooks.Missing != nil:
			hooks.Missing(c.label(), err)
		case len(errs) < maxErrors:
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// all binds one compiled marker to the recorded ones of all traces that have it.
func (b *Binding) all(traces []names, c *Marker, alone bool, slot int, wanted bool) error {
	found := false
	var errs []error
	for _, n := range traces {
		m := n.find(c, alone)
		if m == nil {
			continue
		}
		found = true
		if err := b.one(m, c, slot, wanted); err != nil && len(errs) < maxErrors {
			if len(traces) > 1 {
				err = fmt.Errorf("%s: %w", n.trace.Path(), err)
			}
			errs = append(errs, err)
		}
	}
	if !found {
		return &bind.Error{Event: c.label(), Err: bind.ErrMissing}
	}
	return errors.Join(errs...)
}

// one binds one compiled marker to a recorded one.
func (b *Binding) one(m *lttng.Marker, c *Marker, slot int, wanted bool) error {
	have := Layout(m, m.Trace().Info().BigEndian)
	plan, err := sequence.NewPlan(c.label(), &c.Layout, &have, sequence.Options{Narrow: b.hooks.Narrow})
	if err != nil {
		return err
	}
	b.table.Set(int(m.Index), slot, plan, wanted)
	return nil
}

// names finds the recorded markers of a trace: by channel and name, and by name alone.
type names struct {
	trace *lttng.Trace
	whole map[[2]string]*lttng.Marker
	short map[string]*lttng.Marker // nil: several
}

func index(tr *lttng.Trace) names {
	n := names{tr, map[[2]string]*lttng.Marker{}, map[string]*lttng.Marker{}}
	for _, m := range tr.Markers() {
		if key := [2]string{m.Channel, m.Name}; n.whole[key] == nil {
			n.whole[key] = m
		}
		if _, again := n.short[m.Name]; again {
			n.short[m.Name] = nil
		} else {
			n.short[m.Name] = m
		}
	}
	return n
}

// find returns the marker that c was compiled for. alone says that no other compiled marker has its name.
func (n names) find(c *Marker, alone bool) *lttng.Marker {
	if m := n.whole[[2]string{c.Channel, c.Name}]; m != nil {
		return m
	}
	if m := n.short[c.Name]; alone && m != nil && (m.Channel == "" || c.Channel == "") {
		return m
	}
	return nil
}

// Batch dispatches records and their entries, one for each.
func (b *Binding) Batch(records []record.Record, entries []lttng.Entry) {
	entries = entries[:len(records)]
	for i := range records {
		r, x := &records[i], &entries[i]
		if f := b.table.Find(uint64(r.ID)); f == nil {
			b.other(r, x)
		} else if !b.table.Hand(f, r, x) {
			b.short(r, x)
		}
	}
}

// Record dispatches one record and reports whether a callback of its marker got it.
func (b *Binding) Record(r *record.Record, x *lttng.Entry) bool {
	f := b.table.Find(uint64(r.ID))
	switch {
	case f == nil:
		b.other(r, x)
		return false
	case !b.table.Hand(f, r, x):
		b.short(r, x)
		return false
	}
	return true
}

func (b *Binding) other(r *record.Record, x *lttng.Entry) {
	b.Stats.Other++
	if b.hooks.Other != nil {
		b.hooks.Other(r, x)
	}
}

func (b *Binding) short(r *record.Record, x *lttng.Entry) {
	b.Stats.Short++
	if b.hooks.Short != nil {
		b.hooks.Short(r, x)
	}
}

// AppendText appends the text of the fields of a record, as recorded or as a callback got it. It returns false, and
// dst as it was, for markers that are not bound.
func (b *Binding) AppendText(dst []byte, r *record.Record, env *render.Env) ([]byte, bool) {
	return b.table.AppendText(dst, uint64(r.ID), r.Data, env)
}
