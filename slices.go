package tracec

import (
	"cmp"
	"io"
	"iter"
	"math"
	"sync"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// sliceBytes is about the size of a slice. The results of several slices are in memory at a time.
// Tests change it.
var sliceBytes int64 = 512 << 10

// A sliceBlock is a slice with the result of its events.
type sliceBlock[T any] struct {
	_      ordered.Apart
	slice  perf.Slice
	t      T
	events int64
	_      ordered.Apart
}

// inSlices is Ordered for the part of a recording that can be cut into slices, which workers walk
// through themselves. It returns the walker of the rest. Only perf.data and CTF can be cut. work is
// called for workers from 0 to workers.
func inSlices[T any](
	r *Reader, workers int, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error,
) (walker, error) {
	if workers > 1 && r.chosen.most == math.MaxInt64 && !r.chosen.eager && !r.chosen.stacks {
		switch s := r.source.(type) {
		case *perfSource:
			return inScouted(r, s, workers, work, out)
		case *ctfSource:
			return inCuts(r, s, workers, work, out)
		}
	}
	return r.open(), nil
}

// inScouted is inSlices for perf.data.
func inScouted[T any](
	r *Reader, s *perfSource, workers int, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error,
) (walker, error) {
	p := s.slices(r, workers)
	if p.scout == nil {
		return s.rest(&r.chosen, p), nil
	}
	err := ordered.Run(r.context(), workers, ordered.Steps[*sliceBlock[T]]{
		New: func() *sliceBlock[T] { return new(sliceBlock[T]) },
		Fill: func(b *sliceBlock[T]) error {
			if !p.scout.Next(&b.slice) {
				return io.EOF
			}
			return nil
		},
		Work: func(worker int, b *sliceBlock[T]) (err error) {
			w := p.workers[worker]
			w.begin(&b.slice)
			b.t, err = work(worker, func(yield func(*Event) bool) { w.walk.all(w.event, yield) }, b.t)
			b.events = math.MaxInt64 - w.chosen.left
			return cmp.Or(err, w.walk.err())
		},
		Out: func(b *sliceBlock[T]) error {
			r.chosen.left -= b.events
			return out(b.t)
		},
	})
	w := s.rest(&r.chosen, p)
	if err != nil {
		w.close()
	}
	return w, err
}

// perfSlices are the slices of a perf.data, and who walks through them.
type perfSlices struct {
	read    record.Options
	since   uint64
	scout   *perf.Scout // nil if nothing is cut
	workers []*sliceWorker
}

// A sliceWorker walks through one slice after the other.
type sliceWorker struct {
	source *perfSource
	chosen chooser
	names  *perf.Names
	walk   *walk[perf.Entry]
	event  *Event
}

// slices begins to cut a recording for the events that r selects.
func (s *perfSource) slices(r *Reader, workers int) (p perfSlices) {
	o, c := r.read(), &r.chosen
	some := len(c.patterns)+len(c.filters) > 0 || c.threads != nil ||
		o.IDs != nil || o.CPUs != nil || o.Tasks != nil || o.Since > 0 || o.Until > 0
	o.Workers = workers
	p.read, p.since = s.choose(o)
	if p.scout = s.rec.Scout(p.read, p.since, some, sliceBytes); p.scout == nil {
		return p
	}
	var mu sync.Mutex // for the types of s
	for range workers {
		w := &sliceWorker{source: s, chosen: *c, names: p.scout.Names(), event: r.NewEvent()}
		w.chosen.left = math.MaxInt64
		typeOf := sharedTypes(&mu, c, func(e *perf.Event) uint32 { return uint32(e.Index) }, s.eventType)
		w.walk = newWalk(s, nil, &w.chosen, func(r *record.Record, x *perf.Entry) *Type {
			if s.threads {
				w.names.Follow(r, x)
			}
			if t := leaves(s.chosen, r); t != nil {
				return t
			}
			return typeOf(x.Event)
		}, asked(s.threads, w.names))
		p.workers = append(p.workers, w)
	}
	return p
}

// sharedTypes returns the function that finds the types of one worker. Several workers share the
// types, which are made under mu.
func sharedTypes[K any](mu *sync.Mutex, c *chooser, id func(K) uint32, typeOf func(K) *Type) func(K) *Type {
	var types programs.Table[Type]
	return func(e K) *Type {
		return types.At(id(e), func() *Type {
			mu.Lock()
			defer mu.Unlock()
			t := typeOf(e)
			t.chosenBy(c) // which changes t and c
			return t
		})
	}
}

// begin begins to walk through a slice.
func (w *sliceWorker) begin(x *perf.Slice) {
	w.names.At(x)
	w.walk.merge = x.Merge()
	w.chosen.left = math.MaxInt64
}

// rest walks through what is in no slice.
func (s *perfSource) rest(chosen *chooser, p perfSlices) walker {
	if p.scout == nil {
		return s.walk(s.rec.MergeSince(p.read, p.since), s.rec.Names(), chosen)
	}
	for _, w := range p.workers {
		w.names.Close()
	}
	m, names := p.scout.Rest()
	return s.walk(m, names, chosen)
}
