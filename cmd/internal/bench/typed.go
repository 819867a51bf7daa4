package main

import (
	"context"
	"io"
	"iter"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

// sums holds sums over events. Each event adds some of its fields, so that the compiler keeps all
// reads.
type sums struct {
	events int64
	sum    uint64
}

func (s *sums) add(a, b, c, d uint64) {
	s.events++
	s.sum += a ^ b ^ c ^ d
}

// typed opens a recording, binds a decoder to it, and decodes its events. It returns their number.
func typed[R io.Closer, E any](
	open func() (R, error), to func(R) (*bind.Decoder[E], error), run func(R, *bind.Decoder[E], *sums) error,
) (int64, error) {
	rec, err := open()
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	d, err := to(rec)
	if err != nil {
		return 0, err
	}
	var s sums
	if err := run(rec, d, &s); err != nil {
		return 0, err
	}
	sink += s.sum
	return s.events, nil
}

// summing adds the events of a loop.
type summing = func(*sums, iter.Seq2[*record.Record, any])

// inTime returns a function that decodes a recording in time order.
func inTime[R, E any](all summing) func(R, *bind.Decoder[E], *sums) error {
	return func(_ R, d *bind.Decoder[E], s *sums) error {
		all(s, d.Events(context.Background(), record.Options{}))
		return d.Err()
	}
}

// beside returns a function that decodes a recording on several goroutines.
func beside[R, E any](p bind.Slicing, all summing) func(R, *bind.Decoder[E], *sums) error {
	return func(_ R, d *bind.Decoder[E], s *sums) error {
		each := func(_ *bind.Decoder[E], events iter.Seq2[*record.Record, any]) (part sums, err error) {
			all(&part, events)
			return part, nil
		}
		return bind.Parallel(context.Background(), d, p, each, func(part sums) error {
			s.events += part.events
			s.sum += part.sum
			return nil
		})
	}
}
