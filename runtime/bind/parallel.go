package bind

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// Parallel says how a recording is decoded on several goroutines. The zero value is in the order of time, on all processors.
type Parallel struct {
	// Records choose what is read; its context is that of the call. Its Workers are how many goroutines decode at the same time, 0 for as many as there are
	// processors.
	Records record.Options
	// Streams has the streams of the recording one after the other, as RunStreams has them, which is faster than the merge by time.
	Streams bool
}

// Slices returns what a container has that cannot cut streams: each of them by itself, or all together in the order of time.
func Slices[R, E any, S record.Stream[E]](rec R, o record.Options, each bool, streams func(R, record.Options) []S, merge func(R, record.Options) *record.Merger[E]) []record.Slice[E] {
	if each {
		return record.Slices[E](streams(rec, o))
	}
	return []record.Slice[E]{{Open: func(*record.Cut) *record.Merger[E] { return merge(rec, o) }}}
}

// InSlices decodes slices of a recording on several goroutines and passes on what was made of them in their order. It is for generated code. cut cuts what options choose;
// begin returns the binding of a new Decoder, which it binds to the source that it gets, and what its callbacks fill; it hands on to [Binding.Like] what it gets for that.
//
// A stream that fails is left out from then on, as in [Binding.InTimeOrder]; all else is decoded and passed on, and the errors are joined, with that of damage to rec, which may
// be nil. An error of a callback, of end or of the context ends everything.
func InSlices[E, T any](ctx context.Context, p Parallel, rec record.Recording, src Source, cut func(record.Options) []record.Slice[E], begin func(Source, *Binding[E]) (*Binding[E], T, error), end func(T) error) error {
	var mu sync.Mutex
	one := func(name string) []Event {
		mu.Lock()
		defer mu.Unlock()
		return src(name)
	}
	first, filled, err := begin(one, nil) // says what is read, and then decodes a slice as others do
	if err != nil {
		return err
	}
	like := Binding[E]{tables: first.tables, asked: first.asked, whole: first.whole, opts: Options[E]{Narrow: first.opts.Narrow}} // nothing that first fills
	o := first.Records(ctx, p.Records)
	next := func() (b *Binding[E], t T, err error) {
		mu.Lock()
		b, t, first, filled = first, filled, b, t
		mu.Unlock()
		if b == nil {
			return begin(one, &like)
		}
		return b, t, nil
	}
	type made struct {
		filled T
		slice  record.Slice[E]
		owed   map[int32]int64 // before what comes after the slice
		failed error           // of streams
		err    error           // what ended it
	}
	read := func(s record.Slice[E], merge func() *record.Merger[E], owed map[int32]int64) made {
		b, t, err := next()
		if err != nil {
			return made{err: err}
		}
		m := made{filled: t, slice: s}
		m.failed, m.err = b.slice(merge(), owed)
		m.owed = b.owed
		return m
	}
	var failed error
	ended := false // by a callback, or by end
	var owed map[int32]int64
	err = record.InSlices(ctx, cut(o), o.Parallel(), func(_ int, s record.Slice[E]) (made, error) {
		return read(s, s.Merge, nil), nil
	}, func(m made) error {
		if c := m.slice.Cut; len(owed) > 0 && c != nil && c.First > 0 { // it goes on after a slice that was not known to owe something
			m = read(m.slice, m.slice.MergeAgain, owed)
		}
		ended = m.err != nil
		if ended && !errors.Is(m.err, record.ErrStop) {
			return m.err
		}
		failed, owed = joined(failed, m.failed), m.owed
		if err := end(m.filled); err != nil {
			ended = true
			return err
		}
		return m.err
	})
	if err = joined(failed, err); ended || rec == nil || isContext(err) {
		return err
	}
	return joined(err, record.Damaged(rec))
}

// slice dispatches what m yields, and closes it. What was lost before the slice, and is owed, counts before the first records. It returns the errors of streams, and that of a callback, [record.ErrStop] too, or of the context, which end it; the
// latter with the errors of streams before it.
func (b *Binding[E]) slice(m *record.Merger[E], owed map[int32]int64) (failed, err error) {
	var ended error // of a callback
	defer b.begin()()
	maps.Copy(b.owed, owed)
	failed = m.EachRun(func(records []record.Record, entries []E) error {
		ended = b.dispatch(records, entries)
		return ended
	})
	switch {
	case errors.Is(ended, record.ErrStop):
		return failed, record.ErrStop
	case ended != nil, isContext(failed):
		return nil, failed
	}
	return failed, nil
}

// joined joins two errors; where one is nil it is the other.
func joined(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return errors.Join(a, b)
}
