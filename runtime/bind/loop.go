package bind

import (
	"iter"

	"github.com/tracec/tracec/runtime/record"
)

// Walk is what a loop over events reads, and how it ended. A stream that fails is left out while others go on, so that an error is not that of
// one event: ask for Err after the loop, as with a bufio.Scanner. A Walk is for one loop at a time. E is what the container knows of a record
// beside [record.Record].
type Walk[E any] struct {
	// Records choose what is read: processors, threads, a window of time. Its context ends the loop.
	Records record.Options
	// Optional passes over events that the recording does not have; so a loop over none of them is no error.
	Optional bool
	// Narrow allows numbers to be cut that are wider in the recording than in the generated struct.
	Narrow bool

	entry *E
	stats Stats
	err   error
}

// Entry returns what the container knows of the current record, nil where that is nothing. It is valid as long as the record.
func (w *Walk[E]) Entry() *E { return w.entry }

// Err returns what went wrong in the last loop: what could not be bound, streams that failed, a context that is done.
func (w *Walk[E]) Err() error { return w.err }

// Stats counts the records of the last loop that end before their event does, and so did not come. What was lost before one of them counts as lost before
// the next record of its stream.
func (w *Walk[E]) Stats() Stats { return w.stats }

// Run runs a Decoder as a Walk says, for generated code, as all functions after it.
type Run func() (Stats, error)

// through runs a Decoder.
func (w *Walk[E]) through(run Run) {
	w.stats, w.err = run()
	w.entry = nil
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
	return func(yield func(*record.Record, V) bool) {
		*callback = func(r *record.Record, v V) error { return stop(yield(r, v)) }
		w.through(run)
	}
}

// LoopEntry is Loop for records that come with entries.
//
//go:noinline
func LoopEntry[E, V any](w *Walk[E], callback *func(*record.Record, *E, V) error, run Run) iter.Seq2[*record.Record, V] {
	return func(yield func(*record.Record, V) bool) {
		*callback = func(r *record.Record, x *E, v V) error {
			w.entry = x
			return stop(yield(r, v))
		}
		w.through(run)
	}
}

// LoopRecord is LoopEntry for an event without values, in whose place the entry comes.
//
//go:noinline
func LoopRecord[E any](w *Walk[E], callback *func(*record.Record, *E) error, run Run) iter.Seq2[*record.Record, *E] {
	return func(yield func(*record.Record, *E) bool) {
		*callback = func(r *record.Record, x *E) error {
			w.entry = x
			return stop(yield(r, x))
		}
		w.through(run)
	}
}

// LoopBare is LoopRecord where there are no entries either.
//
//go:noinline
func LoopBare(w *Walk[record.None], callback *func(*record.Record) error, run Run) iter.Seq2[*record.Record, *record.None] {
	return func(yield func(*record.Record, *record.None) bool) {
		*callback = func(r *record.Record) error { return stop(yield(r, new(record.None))) }
		w.through(run)
	}
}
