package record

import (
	"errors"
	"fmt"
	"io"
)

// Batch is consecutive records of one stream, and what their container knows of each of them beside
// what a Record holds: Entries[i] belongs to Records[i].
type Batch[E any] struct {
	Records []Record
	Entries []E
}

// None is the entry of a container that knows no more of a record than [Record] holds. It takes no
// memory.
type None struct{}

// Plain returns records as a batch without entries.
func Plain(records []Record) Batch[None] {
	return Batch[None]{records, make([]None, len(records))}
}

// Stream yields records in recorded order, a batch at a time: one call serves hundreds of records,
// so that walking and merging run in concrete code over slices.
type Stream[E any] interface {
	// Next returns the records that follow, never an empty batch without an error. The batch and
	// what its records alias are valid until the next call. The error is io.EOF after the last
	// record. Damage does not end a stream: it is skipped, counted and reported through the
	// recording.
	Next() (Batch[E], error)
}

// Numbered is a [Stream] that sets Record.Stream itself. A stream that reuses its batch does so
// once, where the merge would write it into every record.
type Numbered interface {
	// Number gives the stream its position, before the first call of Next.
	Number(index int32)
}

// Beyond is a [Stream] of a part of a file that knows what comes after it.
type Beyond[E any] interface {
	// Beyond returns some entries after the part, as far as they were read to find its end, or what
	// stands for them at the end of the file.
	Beyond() []E
}

// source is a stream as the loops of this package read it.
type source[E any] struct {
	stream   Stream[E]
	index    int32
	numbered bool  // sets Record.Stream itself
	err      error // returned once the batch that came with it is used up
}

func newSource[E any](s Stream[E], index int) source[E] {
	n, ok := s.(Numbered)
	if ok {
		n.Number(int32(index))
	}
	return source[E]{stream: s, index: int32(index), numbered: ok}
}

// next returns the next batch, never an empty one without an error. A stream that breaks its
// contract ends.
func (s *source[E]) next() (b Batch[E], err error) {
	if s.err != nil && s.err != ErrPending {
		return b, s.err
	}
	b, err = s.stream.Next()
	switch {
	case len(b.Records) == 0:
		if err == nil {
			err = io.ErrNoProgress // asking again could go on for ever
		}
		return Batch[E]{}, err
	case len(b.Entries) < len(b.Records):
		return Batch[E]{}, fmt.Errorf("a stream gave %d entries for %d records", len(b.Entries), len(b.Records))
	}
	s.err = err
	if !s.numbered {
		records, index := b.Records, s.index
		for i := range records {
			records[i].Stream = index
		}
	}
	return b, nil
}

// InStreamOrder calls fn for all batches of one stream after the other, which is faster than a
// merge. Record.Stream is the position of the stream. A stream that fails is left. An error of fn
// ends the walk. The errors are joined; [ErrStop] is none. Streams that grow are merged.
func InStreamOrder[E any, S Stream[E]](streams []S, fn func([]Record, []E) error) error {
	if growing[E](streams) {
		return Merge[E](streams, nil).EachRun(fn)
	}
	var errs failures
	for i, s := range streams {
		src := newSource[E](s, i)
		b, err := src.next()
		for ; err == nil; b, err = src.next() {
			if err := fn(b.Records, b.Entries); err != nil {
				return errs.stopped(err)
			}
		}
		if !errors.Is(err, io.EOF) {
			errs.add(err)
		}
	}
	return errs.join()
}
