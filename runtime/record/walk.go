package record

import (
	"errors"
	"io"
	"iter"
)

// ErrStop is what a callback returns to end a walk early. The walk itself then returns nil.
var ErrStop = errors.New("stop walking")

// All returns an iterator over the records in time order and their entries; both are valid until
// the next ones. A stream that fails is left out from then on: Err says so after the loop. Breaking
// off the loop closes the merge.
func (m *Merger[E]) All() iter.Seq2[*Record, *E] {
	return func(yield func(*Record, *E) bool) {
		defer m.Close()
		for {
			records, entries, err := m.NextRun()
			if err == io.EOF {
				return
			}
			if err != nil { // at most one of each stream
				m.failed.add(err)
			}
			for i := range records {
				if !yield(&records[i], &entries[i]) {
					return
				}
			}
		}
	}
}

// Err returns the errors of streams that All has met, joined.
func (m *Merger[E]) Err() error { return m.failed.join() }

// EachRun calls fn for all runs in time order, with the records and entries of [Merger.NextRun]. A
// stream that fails is left out from then on. An error of fn ends the walk. The errors are joined;
// [ErrStop] is none.
func (m *Merger[E]) EachRun(fn func([]Record, []E) error) error {
	defer m.Close() // also when fn panics
	var errs failures
	for {
		records, entries, err := m.NextRun()
		if err == io.EOF {
			return errs.join()
		}
		if err != nil { // at most one of each stream, after which that has ended
			errs.add(err)
			continue
		}
		if err := fn(records, entries); err != nil {
			return errs.stopped(err)
		}
	}
}

// Run calls fn for every record in time order and its entry, until the streams end, one of them
// fails or fn returns an error, which Run returns as it is unless it is [ErrStop]. Record and entry
// are valid until fn returns. The merge is closed then.
func (m *Merger[E]) Run(fn func(*Record, *E) error) error {
	defer m.Close()
	for {
		records, entries, err := m.NextRun()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range records {
			if err := fn(&records[i], &entries[i]); err != nil {
				if errors.Is(err, ErrStop) {
					return nil
				}
				return err
			}
		}
	}
}
