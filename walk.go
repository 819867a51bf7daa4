package tracec

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// A walker walks once through the selected events of a recording, in time order.
type walker interface {
	// all yields the following events through ev, until yield returns false.
	all(ev *Event, yield func(*Event) bool)
	// seek moves to the next event. It returns false at the end.
	seek() bool
	// each is all for the events that fit in the rest of a block. The first event that does not fit
	// remains the next event.
	each(ev *Event, block *filled, yield func(*Event) bool)
	// grows reports whether the recording grows: each then also ends where the next event is not
	// yet available.
	grows() bool
	// err returns the errors of streams that failed.
	err() error
	close()
}

// walk is the walker of any container.
type walk[E any] struct {
	merge   *record.Merger[E]
	typeOf  func(*record.Record, *E) *Type
	chosen  *chooser
	names   func(*record.Record, *E) named // the name of the thread of an event; nil if not needed
	plain   bool                           // E has no information
	filter  *subjects                      // nil: nothing is filtered
	records []record.Record
	entries []E
	pos     int   // position of the next event in records
	typ     *Type // type of the next event; nil before seek
	failed  []error
	lost    []int64 // losses before skipped events, by Record.Stream; empty without losses
}

func newWalk[E any](
	s source, m *record.Merger[E], chosen *chooser, typeOf func(*record.Record, *E) *Type,
	names func(*record.Record, *E) named,
) *walk[E] {
	_, none := any((*E)(nil)).(*record.None)
	w := &walk[E]{merge: m, typeOf: typeOf, chosen: chosen, names: names, plain: none}
	if len(chosen.filters) > 0 {
		w.filter = newSubjects(s)
	}
	return w
}

// takes reports whether an event is selected.
func (w *walk[E]) takes(r *record.Record, e *E, t *Type) bool {
	return (t.choice == yielded || t.chosenBy(w.chosen)) && (t.filter == nil || w.passes(r, e, t)) &&
		(w.chosen.threads == nil || w.chosen.threads.has(r.Task, w.names(r, e).Thread))
}

// passes reports whether an event of a type with a filter passes it.
func (w *walk[E]) passes(r *record.Record, e *E, t *Type) bool {
	comm := ""
	if t.filter.Comm {
		comm = w.names(r, e).Comm
	}
	return w.filter.pass(r, t, comm)
}

// load reads the next run.
func (w *walk[E]) load() bool {
	for {
		records, entries, err := w.merge.NextRun()
		if err == nil {
			w.records, w.entries, w.pos = records, entries, 0
			return true
		}
		w.records, w.entries, w.pos = nil, nil, 0
		if errors.Is(err, io.EOF) {
			return false
		}
		w.failed = append(w.failed, err) // at most one of each stream
	}
}

func (w *walk[E]) err() error { return errors.Join(w.failed...) }

func (w *walk[E]) close() { w.merge.Close() }

// pass notes losses before a skipped event. They then count as losses before the next selected
// event of the stream, as with record.Options.
func (w *walk[E]) pass(r *record.Record, t *Type) {
	if r.Lost == 0 || t == outside {
		return
	}
	for int(r.Stream) >= len(w.lost) {
		w.lost = append(w.lost, 0)
	}
	w.lost[r.Stream] = record.AddLost(w.lost[r.Stream], r.Lost)
}

// yield calls yield with an event. During the call, the event's losses include the losses that pass
// has noted. Afterwards yield restores them, since streams reuse their records.
func (w *walk[E]) yield(ev *Event, yield func(*Event) bool) bool {
	w.chosen.left--
	r := ev.Record
	i := int(r.Stream)
	if i >= len(w.lost) || w.lost[i] == 0 {
		return yield(ev) && w.chosen.left > 0
	}
	lost := r.Lost
	r.Lost, w.lost[i] = record.AddLost(w.lost[i], lost), 0
	ok := yield(ev)
	r.Lost = lost
	return ok && w.chosen.left > 0
}

func (w *walk[E]) all(ev *Event, yield func(*Event) bool) {
	if w.chosen.left <= 0 {
		return
	}
	anyThread := w.chosen.threads == nil
	for w.load() {
		records, entries := w.records, w.entries
		for i := range records {
			r := &records[i]
			t := w.typeOf(r, &entries[i])
			if quick := anyThread && t.choice == yielded && t.filter == nil; !quick && !w.takes(r, &entries[i], t) {
				if !w.chosen.follows(r, t) {
					w.pass(r, t)
					continue
				}
			} else if w.chosen.stacks {
				w.chosen.show(r.Stream, true)
			}
			ev.Record, ev.Type, ev.decoded = r, t, 0
			if !w.plain {
				ev.Entry = &entries[i]
			}
			if w.names != nil {
				ev.named = w.names(r, &entries[i])
			}
			if !w.yield(ev, yield) {
				return
			}
		}
	}
}

// waits reports whether seek would wait for data that is not yet recorded.
func (w *walk[E]) waits() bool {
	return w.typ == nil && w.pos == len(w.records) && (w.chosen.eager || w.merge.Grows() && !w.merge.Ready())
}

func (w *walk[E]) seek() bool {
	if w.chosen.left <= 0 {
		return false
	}
	for w.typ == nil {
		if w.pos == len(w.records) && !w.load() {
			return false
		}
		r := &w.records[w.pos]
		t := w.typeOf(r, &w.entries[w.pos])
		if !w.takes(r, &w.entries[w.pos], t) {
			if !w.chosen.follows(r, t) {
				w.pass(r, t)
				w.pos++
				continue
			}
		} else if w.chosen.stacks {
			w.chosen.show(r.Stream, true)
		}
		w.typ = t
	}
	return true
}

func (w *walk[E]) grows() bool { return w.chosen.eager || w.merge.Grows() }

func (w *walk[E]) each(ev *Event, block *filled, yield func(*Event) bool) {
	for begun := false; ; begun = true {
		if begun && w.waits() {
			block.end()
			return
		}
		if !w.seek() {
			return
		}
		r := &w.records[w.pos]
		if !block.take(len(r.Data)) {
			return
		}
		ev.Record, ev.Type, ev.decoded = r, w.typ, 0
		if !w.plain {
			ev.Entry = &w.entries[w.pos]
		}
		if w.names != nil {
			ev.named = w.names(r, &w.entries[w.pos])
		}
		w.typ = nil
		w.pos++
		if !w.yield(ev, yield) {
			return
		}
	}
}
