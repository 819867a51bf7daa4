package tracec

import (
	"slices"
	"strconv"

	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// ofThreads selects threads.
type ofThreads struct {
	ids   []int32
	names []string
}

// ofThreadsNamed returns the selection of threads by their ids or names, nil for all.
func ofThreadsNamed(tasks []string) *ofThreads {
	if len(tasks) == 0 {
		return nil
	}
	o := new(ofThreads)
	for _, t := range tasks {
		if id, err := strconv.ParseInt(t, 10, 32); err == nil {
			o.ids = append(o.ids, int32(id))
		} else {
			o.names = append(o.names, t)
		}
	}
	return o
}

// has reports whether a thread is selected.
func (o *ofThreads) has(id int32, t record.Thread) bool {
	return id >= 0 && slices.Contains(o.ids, id) || t.Comm != "" && slices.Contains(o.names, t.Comm)
}

// named holds the name and process of the thread of an event.
type named struct {
	record.Thread
	asked bool // the thread was looked up
}

// Comm returns the name of the thread of the event at its time. It returns "" without WithThreads,
// or if the name is unknown.
func (e *Event) Comm() string { return e.named.Comm }

// Process returns the process of the thread of the event. It returns -1 without WithThreads, or if
// the process is unknown.
func (e *Event) Process() int32 {
	if !e.named.asked {
		return -1
	}
	return e.named.Thread.Process
}

// asked returns the lookup of a source's names of threads if threads are needed, otherwise nil.
func asked[E any](threads bool, names record.Names[E]) func(*record.Record, *E) named {
	if !threads {
		return nil
	}
	return func(r *record.Record, x *E) named { return named{names.Thread(r, x), true} }
}

// Symbol returns the name of the function or object at an address at the time of the event, and the
// offset of the address from its start. It returns false if the recording has no name.
func (e *Event) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	if e.symbols == nil {
		return "", 0, false
	}
	return e.symbols.Symbol(addr)
}

// Recording returns the container's recording, such as *ftrace.Recording.
func (r *Reader) Recording() record.Recording { return r.rec }

// positioned is implemented by recordings and streams that know their position.
type positioned interface {
	Position() (done, total int64)
}

// Position returns the number of bytes read, and their total, which is 0 if unknown. Any goroutine
// may call it.
func (r *Reader) Position() (done, total int64) {
	for _, of := range []any{r.source, r.rec} {
		if p, ok := of.(positioned); ok {
			return p.Position()
		}
	}
	return 0, 0
}

// Call returns the event of a record of a call, or of an event, from a callstack.Player. For
// recordings of other systems than uftrace it returns nil. The event is valid until the next one.
func (r *Reader) Call(rec *record.Record, x *uftrace.Entry) *Event {
	s, ok := r.source.(*uftraceSource)
	if !ok {
		return nil
	}
	if r.call == nil {
		r.call = r.NewEvent()
	}
	t := s.typeOf(rec, x)
	r.chosen.yield(t) // a player applies the selection
	ev := r.call
	ev.Record, ev.Type, ev.Entry, ev.decoded = rec, t, x, 0
	if s.threads {
		ev.named = named{s.naming.Thread(rec, x), true}
	}
	return ev
}

// Filtered reports whether there are filters or selected threads: see WithFilter and WithTasks.
func (r *Reader) Filtered() bool { return len(r.chosen.filters) > 0 || r.chosen.threads != nil }

// Passes reports whether an event from Call passes the filters and is of a selected thread.
func (r *Reader) Passes(ev *Event) bool {
	if r.chosen.threads != nil && !r.chosen.threads.has(ev.Task, ev.named.Thread) {
		return false
	}
	t := ev.Type
	if t.called == undecided {
		if t.called = passed; r.chosen.passable(t) {
			t.called = yielded
		}
	}
	switch {
	case t.called == passed:
		return false
	case t.filter == nil:
		return true
	case r.passing == nil:
		r.passing = newSubjects(r.source)
	}
	return r.passing.pass(ev.Record, t, ev.named.Comm)
}

// Take counts an event that Call has returned as one that is yielded.
func (r *Reader) Take() { r.chosen.left-- }

// Chooses reports whether patterns and filters may select events of that name. alias is another
// name of the event, or empty.
func (r *Reader) Chooses(system, name, alias string) bool { return r.chosen.named(system, name, alias) }

// Records returns the options for the records to read: the processors and the window of the
// options, and the threads unless only events hold their names. It also serves a generated Decoder.
// It does not include patterns and filters.
func (r *Reader) Records() record.Options { return r.records }

// SamplesSince notes that the caller needs no samples of a perf.data before a time, on the clock of
// Record.Time. All other records are still needed. It does not change the selection: with an index,
// fewer bytes are read.
func (r *Reader) SamplesSince(time uint64) {
	if s, ok := r.source.(*perfSource); ok {
		s.since = time
	}
}

// Patterns returns the patterns of WithEvents. An empty list selects all events.
func (r *Reader) Patterns() pattern.List { return r.chosen.patterns }

// Count returns the number of events that the last walk has yielded, or that were taken.
func (r *Reader) Count() int64 { return r.chosen.most - r.chosen.left }

// Enough reports whether Count has reached the limit of [WithLimit].
func (r *Reader) Enough() bool { return r.chosen.left <= 0 }

// Names calls fn for the events that the recording or its templates describe. alias is another name
// of the event and may be empty.
func (r *Reader) Names(fn func(system, name, alias string)) {
	r.source.names(func(system, name, alias string) bool {
		fn(system, name, alias)
		return true
	})
}
