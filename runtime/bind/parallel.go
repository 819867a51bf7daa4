package bind

import (
	"context"
	"errors"
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
// begin returns the binding of a new Decoder, which it binds to the source that it gets, and what its callbacks fill.
func InSlices[E, T any](ctx context.Context, p Parallel, src Source, cut func(record.Options) []record.Slice[E], begin func(Source) (*Binding[E], T, error), end func(T) error) error {
	var mu sync.Mutex
	one := func(name string) []Event {
		mu.Lock()
		defer mu.Unlock()
		return src(name)
	}
	first, _, err := begin(one) // says what is read
	if err != nil {
		return err
	}
	o := first.Records(ctx, p.Records)
	return record.InSlices(ctx, cut(o), o.Parallel(), func(_ int, s record.Slice[E]) (T, error) {
		b, t, err := begin(one)
		if err != nil {
			return t, err
		}
		stopped := false
		err = s.Merge().EachRun(func(records []record.Record, entries []E) error {
			err := b.Batch(records, entries)
			stopped = errors.Is(err, record.ErrStop)
			return err
		})
		if err == nil && stopped {
			err = record.ErrStop
		}
		return t, err
	}, end)
}
