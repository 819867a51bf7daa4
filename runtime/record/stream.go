package record

import (
	"errors"
	"fmt"
	"io"
)

// A Batch holds consecutive records of one stream and the container's entry for each: Entries[i]
// belongs to Records[i].
type Batch[E any] struct {
	Records []Record
	Entries []E
}

// None is the entry type of a container that has nothing to add to a [Record]. It takes no memory.
type None struct{}

// Plain returns records as a batch without entries.
func Plain(records []Record) Batch[None] {
	return Batch[None]{records, make([]None, len(records))}
}

// A Stream yields records in recorded order, one batch at a time. One call serves hundreds of
// records, so that walking and merging run in concrete code over slices.
type Stream[E any] interface {
	// Next returns the next records. It never returns an empty batch without an error. The batch
	// and the memory that its records alias are valid until the next call. The error is io.EOF
	// after the last record. Damage does not end a stream: it is skipped, counted and reported by
	// the recording.
	Next() (Batch[E], error)
}

// Numbered is a [Stream] that sets Record.Stream itself. A stream that reuses its batch sets it
// once. The merge would have to write it into every record.
type Numbered interface {
	// Number sets the position of the stream, before the first call of Next.
	Number(index int32)
}

// Beyond is a [Stream] of a part of a file that knows the entries after the part.
type Beyond[E any] interface {
	// Beyond returns some entries after the part, as far as they were read to find its end. At the
	// end of the file it returns a stand-in for them.
	Beyond() []E
}

// A source is a stream as the loops of this package read it.
type source[E any] struct {
	stream   Stream[E]
	index    int32
	numbered bool  // sets Record.Stream itself
	err      error // returned after the batch that came with it is used up
}

func newSource[E any](s Stream[E], index int) source[E] {
	n, ok := s.(Numbered)
	if ok {
		n.Number(int32(index))
	}
	return source[E]{stream: s, index: int32(index), numbered: ok}
}

// next returns the next batch. It never returns an empty batch without an error. A stream that
// breaks its contract ends.
func (s *source[E]) next() (b Batch[E], err error) {
	if s.err != nil && s.err != ErrPending {
		return b, s.err
	}
	b, err = s.stream.Next()
	switch {
	case len(b.Records) == 0:
		if err == nil {
			err = io.ErrNoProgress // otherwise the calls could go on for ever
		}
		return Batch[E]{}, err
	case len(b.Entries) < len(b.Records):
		return Batch[E]{}, fmt.Errorf("a stream returned %d entries for %d records", len(b.Entries), len(b.Records))
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
// merge. Record.Stream is the position of the stream. If a stream fails, the walk continues with
// the next one. An error of fn ends the walk. The errors are joined, without [ErrStop]. Growing
// streams are merged.
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
