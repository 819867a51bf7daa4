package bind

import (
	"context"
	"errors"
	"iter"

	"github.com/tracec/tracec/runtime/record"
)

// Slicing selects how [Parallel] reads a recording. The zero value reads it in the order of time,
// on all processors.
type Slicing struct {
	// Records select the records to read. Their Workers limit the number of goroutines that decode
	// at the same time. If 0, it is the number of processors.
	Records record.Options
	// Streams reads the streams of the recording one after the other. This is faster than the merge
	// by time.
	Streams bool
}

// errAgain is the error of a second loop over a slice.
var errAgain = errors.New("the events of a slice can be read once")

// Parallel decodes the recording of d on several goroutines, slice by slice. It calls each for
// every slice, on several goroutines at the same time. each gets a clone of d and an iterator over
// the events of the slice, like [Decoder.Events], for one loop. Parallel calls end with each
// result, in the order of the slices and from the goroutine of the caller.
//
// If times go back, a slice is decoded twice, and the first result is dropped. So the result of
// each must be its only effect.
//
// An error of each or end ends everything. [record.ErrStop] ends it without an error, and so does a
// call of each that leaves its loop early. In both cases end gets the result of that call first. A
// stream that fails is skipped from then on. Its error and the error for damage are returned after
// everything else has been read. The end of ctx is an error.
func Parallel[E, T any](ctx context.Context, d *Decoder[E], s Slicing,
	each func(*Decoder[E], iter.Seq2[*record.Record, any]) (T, error), end func(T) error,
) error {
	if d.loop {
		d.err = errLoop
		return errLoop
	}
	d.loop, d.stats, d.err = true, Stats{}, nil
	defer func() { d.loop = false }()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	o := d.Select(s.Records)
	o.Context = ctx
	p := &parallel[E, T]{d: d, each: each, end: end}
	read := func(_ int, s record.Slice[E]) (slice[E, T], error) { return p.read(s, s.Merge, nil), nil }
	out := func(s slice[E, T]) error {
		err := p.out(s)
		if err != nil {
			cancel() // slices that are being read need not be completed
		}
		return err
	}
	err := record.InSlices(ctx, d.container.Slices(o, s.Streams), o.Parallel(), read, out)
	err = joined(p.failed, err)
	if !p.ended {
		err = withDamage(err, d.container.Recording)
	}
	d.err = joined(d.err, err)
	return d.err
}

// parallel is the state of one call of Parallel.
type parallel[E, T any] struct {
	d      *Decoder[E]
	each   func(*Decoder[E], iter.Seq2[*record.Record, any]) (T, error)
	end    func(T) error
	failed error           // of streams
	ended  bool            // by each or end
	owed   map[int32]int64 // losses before the next slice
}

// slice is the result of decoding a slice.
type slice[E, T any] struct {
	record.Slice[E]
	result T
	stats  Stats
	owed   map[int32]int64 // losses before the next slice
	failed error           // of streams
	err    error           // of each or of the context; it ends everything
}

// read decodes a slice. owed holds the losses before it.
func (p *parallel[E, T]) read(s record.Slice[E], merge func() *record.Merger[E], owed map[int32]int64) slice[E, T] {
	d, out := p.d.Clone(), slice[E, T]{Slice: s}
	m, loops, left := merge(), 0, true
	defer m.Close()
	out.result, out.err = p.each(d, func(yield func(*record.Record, any) bool) {
		if loops++; loops == 1 {
			left, out.failed = d.slice(m, owed, yield)
		}
	})
	out.stats, out.owed = d.stats, d.losses.owed
	if left && out.err == nil {
		out.err = record.ErrStop
	}
	var broken error // an error with which the result is not a result of the slice
	if isContext(out.failed) {
		broken, out.failed = out.failed, nil
	}
	if loops > 1 {
		broken = joined(broken, errAgain)
	}
	switch {
	case broken == nil:
	case errors.Is(out.err, record.ErrStop):
		out.err = broken
	default:
		out.err = joined(broken, out.err)
	}
	return out
}

// out passes the result of a slice on.
func (p *parallel[E, T]) out(s slice[E, T]) error {
	if c := s.Cut; len(p.owed) > 0 && c != nil && c.First > 0 { // its losses were not known when it was decoded
		s = p.read(s.Slice, s.MergeAgain, p.owed)
	}
	p.failed, p.owed, p.ended = joined(p.failed, s.failed), s.owed, s.err != nil
	if p.ended && !errors.Is(s.err, record.ErrStop) {
		return s.err
	}
	p.d.stats.Other += s.stats.Other
	p.d.stats.Short += s.stats.Short
	if err := p.end(s.result); err != nil {
		p.ended = true
		return err
	}
	return s.err
}
