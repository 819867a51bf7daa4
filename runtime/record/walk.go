package record

import (
	"errors"
	"io"
	"iter"
)

// ErrStop is returned by a callback to end a walk early. The walk itself then returns nil.
var ErrStop = errors.New("stop walking")

// All returns an iterator over the records in time order and their entries. Both are valid until
// the next iteration. A stream that fails is skipped from then on; call Err after the loop to get
// its error. Breaking off the loop closes the merge.
func (m *Merger[E]) All() iter.Seq2[*Record, *E] {
	return func(yield func(*Record, *E) bool) {
		defer m.Close()
		for {
			records, entries, err := m.NextRun()
			if err == io.EOF {
				return
			}
			if err != nil { // at most one error of each stream
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

// Err returns the joined errors of the streams that failed in All.
func (m *Merger[E]) Err() error { return m.failed.join() }

// EachRun calls fn for all runs in time order, with the records and entries of [Merger.NextRun]. A
// stream that fails is skipped from then on. An error of fn ends the walk. The errors are joined,
// without [ErrStop].
func (m *Merger[E]) EachRun(fn func([]Record, []E) error) error {
	defer m.Close() // even if fn panics
	var errs failures
	for {
		records, entries, err := m.NextRun()
		if err == io.EOF {
			return errs.join()
		}
		if err != nil { // at most one error of each stream, which then has ended
			errs.add(err)
			continue
		}
		if err := fn(records, entries); err != nil {
			return errs.stopped(err)
		}
	}
}

// Run calls fn for every record in time order and its entry. It returns when the streams end, one
// of them fails, or fn returns an error. Run returns the error of fn unchanged, unless it is
// [ErrStop]. Record and entry are valid until fn returns. The merge is closed then.
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
