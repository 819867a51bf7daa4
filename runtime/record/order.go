package record

import (
	"errors"
	"io"
)

// InStreamOrder calls fn for all batches of one stream after the other, which is faster than a merge. Record.Stream is the position of
// the stream. A stream that fails is left; the errors are joined.
func InStreamOrder[E any, S EntryStream[E]](streams []S, fn func([]Record, []E)) error {
	return inOrder(streams, func(s S, batch []Record) { fn(batch, s.Entries()) })
}

// StreamByStream calls fn for all batches of one stream after the other, which is faster than a merge. Record.Stream is the position of
// the stream. A stream that fails is left; the errors are joined.
func StreamByStream(streams []Stream, fn func([]Record)) error {
	return inOrder(streams, func(_ Stream, batch []Record) { fn(batch) })
}

func inOrder[S Stream](streams []S, fn func(S, []Record)) error {
	var errs []error
	for i, s := range streams {
		n, numbered := Stream(s).(Numbered)
		if numbered {
			n.Number(int32(i))
		}
		for {
			batch, err := s.Next()
			if !numbered {
				for j := range batch {
					batch[j].Stream = int32(i)
				}
			}
			if len(batch) > 0 {
				fn(s, batch)
			} else if err == nil {
				err = io.ErrNoProgress // the contract of Stream is broken; asking again could go on for ever
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					errs = append(errs, err)
				}
				break
			}
		}
	}
	return errors.Join(errs...)
}
