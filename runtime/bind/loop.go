package bind

import (
	"iter"
	"reflect"
	"unsafe"

	"github.com/tracec/tracec/runtime/record"
)

// Walk is what a loop over events reads, and how it ended. A stream that fails is left out while others go on, so that an error is not that of
// one event: ask for Err after the loop, as with a bufio.Scanner. A Walk is for one goroutine; a loop within a loop may have the same. E is what the container
// knows of a record beside [record.Record].
type Walk[E any] struct {
	// Records choose what is read: processors, threads, a window of time. Its context ends the loop.
	Records record.Options
	// Optional passes over events that the recording does not have; so a loop over none of them is no error.
	Optional bool
	// Narrow allows numbers to be cut that are wider in the recording than in the generated struct.
	Narrow bool

	entry  *E
	stats  Stats
	err    error
	loops  int   // that run, one within the other
	within error // the first of those within the outermost
}

// Entry returns what the container knows of the current record, nil where that is nothing. It is valid as long as the record.
func (w *Walk[E]) Entry() *E { return w.entry }

// Err returns what went wrong in the last loop: what could not be bound, streams that failed, a context that is done, damage to
// the recording ([record.DamageError]) where the loop came to its end. After a loop whose body had others with the same
// Walk it is what went wrong in that loop, else what first did in one of these.
func (w *Walk[E]) Err() error { return w.err }

// Stats counts the records of the last loop that end before their event does, and so did not come. What was lost before one of them counts as lost before
// the next record of its stream.
func (w *Walk[E]) Stats() Stats { return w.stats }

// Run runs a Decoder as a Walk says, for generated code, as all functions after it.
type Run struct {
	// Decoder points to the Decoder, Do runs it.
	Decoder any
	Do      func() (Stats, error)
	// Another returns a Run that does the same with a new Decoder.
	Another func() Run
}

// orNew returns w, or a new Walk: loops need none of the caller's. Then all is read, and nobody learns
// what went wrong.
func (w *Walk[E]) orNew() *Walk[E] {
	if w == nil {
		return new(Walk[E])
	}
	return w
}

// through runs a Decoder.
func (w *Walk[E]) through(do func() (Stats, error)) {
	outer := w.entry
	w.loops++
	defer func() { w.loops-- }()
	stats, err := do()
	w.entry, w.stats, w.err = outer, stats, err
	switch {
	case w.loops > 1 && w.within == nil:
		w.within = err
	case w.loops == 1 && err == nil:
		w.err = w.within
	}
	if w.loops == 1 {
		w.within = nil
	}
}

// turns are the loops over one iterator. One that begins within another has a Decoder of its own, as the event of the outer one has to stay.
type turns struct {
	Run
	busy bool
}

// begin returns where the callback of a loop goes, which is callback in the first Decoder, and what runs its Decoder.
func (t *turns) begin(callback unsafe.Pointer) (unsafe.Pointer, func() (Stats, error)) {
	if t.busy { // the callback is at the same place in the other Decoder
		other := t.Another()
		at := uintptr(callback) - reflect.ValueOf(t.Decoder).Pointer()
		return unsafe.Add(reflect.ValueOf(other.Decoder).UnsafePointer(), at), other.Do
	}
	return callback, func() (Stats, error) {
		t.busy = true
		defer func() { t.busy = false }()
		return t.Do()
	}
}

// stop returns what a callback returns when its loop goes on, or does not.
func stop(goesOn bool) error {
	if goesOn {
		return nil
	}
	return record.ErrStop
}

// Loop returns an iterator over one event, which sets its callback. Type parameters that are pointers share one instance of the code, which is
// not to be copied to where it is called, so that a function for each of a thousand events costs little.
//
//go:noinline
func Loop[E, V any](w *Walk[E], callback *func(*record.Record, V) error, run Run) iter.Seq2[*record.Record, V] {
	w, t := w.orNew(), &turns{Run: run}
	return func(yield func(*record.Record, V) bool) {
		at, do := t.begin(unsafe.Pointer(callback))
		*(*func(*record.Record, V) error)(at) = func(r *record.Record, v V) error { return stop(yield(r, v)) }
		w.through(do)
	}
}

// LoopEntry is Loop for records that come with entries.
//
//go:noinline
func LoopEntry[E, V any](w *Walk[E], callback *func(*record.Record, *E, V) error, run Run) iter.Seq2[*record.Record, V] {
	w, t := w.orNew(), &turns{Run: run}
	return func(yield func(*record.Record, V) bool) {
		at, do := t.begin(unsafe.Pointer(callback))
		*(*func(*record.Record, *E, V) error)(at) = func(r *record.Record, x *E, v V) error {
			w.entry = x
			return stop(yield(r, v))
		}
		w.through(do)
	}
}

// LoopRecord is LoopEntry for an event without values, in whose place the entry comes.
//
//go:noinline
func LoopRecord[E any](w *Walk[E], callback *func(*record.Record, *E) error, run Run) iter.Seq2[*record.Record, *E] {
	w, t := w.orNew(), &turns{Run: run}
	return func(yield func(*record.Record, *E) bool) {
		at, do := t.begin(unsafe.Pointer(callback))
		*(*func(*record.Record, *E) error)(at) = func(r *record.Record, x *E) error {
			w.entry = x
			return stop(yield(r, x))
		}
		w.through(do)
	}
}

// LoopBare is LoopRecord where there are no entries either.
//
//go:noinline
func LoopBare(w *Walk[record.None], callback *func(*record.Record) error, run Run) iter.Seq2[*record.Record, *record.None] {
	w, t := w.orNew(), &turns{Run: run}
	return func(yield func(*record.Record, *record.None) bool) {
		at, do := t.begin(unsafe.Pointer(callback))
		*(*func(*record.Record) error)(at) = func(r *record.Record) error { return stop(yield(r, new(record.None))) }
		w.through(do)
	}
}
