package record

import (
	"errors"
	"io"
	"iter"
)

// EntryStream is a [Stream] of a container that knows more about each record than a Record holds.
type EntryStream[E any] interface {
	Stream
	// Entries returns what belongs to the records of the last batch: one entry each, valid as long as they are.
	Entries() []E
}

// Merged yields the records of streams S in time order, each with its entry E. See [Merger] for the order. It is for one goroutine.
type Merged[E any, S EntryStream[E]] struct {
	merger  *Merger
	streams []S
	entries [][]E // of the batch that each stream is at
	close   func()
	failed  []error
}

// Merge prepares the merge of streams, of which nothing has been read. Record.Stream of every record is the position of its stream.
// close is called at the end of the last stream or by Close, whichever comes first; it may be nil.
func Merge[E any, S EntryStream[E]](streams []S, close func()) *Merged[E, S] {
	m := &Merged[E, S]{streams: streams, entries: make([][]E, len(streams)), close: close}
	plain := make([]Stream, len(streams))
	for i, s := range streams {
		plain[i] = s
	}
	m.merger = NewMerger(plain)
	m.merger.loaded = func(i int) { m.entries[i] = m.streams[i].Entries() }
	return m
}

// Stream returns the stream that a record is from; i is Record.Stream.
func (m *Merged[E, S]) Stream(i int32) S { return m.streams[i] }

// NextRun returns the records that come next, all of one stream, and their entries; both are valid until the next call. The error is
// io.EOF after the last record; any other is of one stream, without which the next call goes on.
func (m *Merged[E, S]) NextRun() ([]Record, []E, error) {
	run, err := m.merger.NextRun()
	if err != nil {
		if err == io.EOF {
			m.end()
		}
		return nil, nil, err
	}
	at := m.merger.first
	return run, m.entries[m.merger.win][at : at+len(run)], nil
}

// Run calls fn for every record in time order, until the streams end, one of them fails or fn returns an error, which Run returns as it
// is. Record and entry are valid until fn returns.
func (m *Merged[E, S]) Run(fn func(*Record, *E) error) error {
	for {
		run, entries, err := m.NextRun()
		if err != nil {
			return ended(err)
		}
		for i := range run {
			if err := fn(&run[i], &entries[i]); err != nil {
				return err
			}
		}
	}
}

// EachRun calls fn for all runs in time order. A stream that fails is left out from then on; the errors are joined.
func (m *Merged[E, S]) EachRun(fn func([]Record, []E)) error {
	defer m.end()
	var errs []error
	for {
		switch run, entries, err := m.NextRun(); {
		case err == nil:
			fn(run, entries)
		case errors.Is(err, io.EOF):
			return errors.Join(errs...)
		default: // at most one of each stream, after which that has ended
			errs = append(errs, err)
		}
	}
}

// All returns an iterator over the records in time order; record and entry are valid until the next ones. A stream that fails is left out
// from then on: Err says so after the loop. Breaking off the loop closes the merge.
func (m *Merged[E, S]) All() iter.Seq2[*Record, *E] {
	return func(yield func(*Record, *E) bool) {
		defer m.end()
		for {
			run, entries, err := m.NextRun()
			if err == io.EOF {
				return
			}
			if err != nil { // at most one of each stream
				m.failed = append(m.failed, err)
			}
			for i := range run {
				if !yield(&run[i], &entries[i]) {
					return
				}
			}
		}
	}
}

// Err returns the errors of streams that All has met, joined.
func (m *Merged[E, S]) Err() error { return errors.Join(m.failed...) }

// Close stops the merge before its end.
func (m *Merged[E, S]) Close() error {
	m.end()
	return nil
}

func (m *Merged[E, S]) end() {
	if m.close != nil {
		m.close()
		m.close = nil
	}
}
