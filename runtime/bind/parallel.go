package bind

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// Parallel says how a recording is decoded on several goroutines. The zero value is in the order of time, on all processors.
type Parallel struct {
	// Workers is how many goroutines decode at the same time; 0 is runtime.GOMAXPROCS(0).
	Workers int
	// Streams has the streams of the recording one after the other, as RunStreams has them, which is faster than the merge by time.
	Streams bool
}

// Records returns the options of streams that are read in slices.
func (p Parallel) Records(ctx context.Context) record.Options {
	return record.Options{Context: ctx, Workers: p.workers()}
}

func (p Parallel) workers() int {
	if p.Workers > 0 {
		return p.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Slices returns what a container has that cannot cut streams: each of them by itself, or all together in the order of time.
func Slices[E any, S record.Stream[E]](p Parallel, streams func() []S, merge func() *record.Merger[E]) []record.Slice[E] {
	if p.Streams {
		return record.Slices[E](streams())
	}
	return []record.Slice[E]{{Open: func(*record.Cut) *record.Merger[E] { return merge() }}}
}

// InSlices decodes slices on several goroutines and passes on what was made of them in their order. It is for generated code. begin returns the binding of a new
// Decoder, which it binds to the source that it gets, and what its callbacks fill.
func InSlices[E, T any](ctx context.Context, p Parallel, list []record.Slice[E], src Source, begin func(Source) (*Binding[E], T, error), end func(T) error) error {
	var mu sync.Mutex
	one := func(name string) []Event {
		mu.Lock()
		defer mu.Unlock()
		return src(name)
	}
	return record.InSlices(ctx, list, p.workers(), func(_ int, s record.Slice[E]) (T, error) {
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
