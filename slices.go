package tracec

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// sliceBytes is about the size of a slice. The results of several slices are in memory at a time.
// Tests change it.
var sliceBytes int64 = 512 << 10

const (
	// mostSlices bounds the average size of slices, as a multiple of sliceBytes. The result of a
	// larger slice would take too much memory.
	mostSlices = 16
	// filesEach is the number of files for which slices grow by sliceBytes, since each slice opens
	// all files.
	filesEach = 16
)

// inSlices is Ordered for the part of a recording that can be cut into slices, which workers read
// themselves. It returns the walker of the rest. Only perf.data and CTF can be cut. work is called
// for workers from 0 to workers, and may be called more than once for the same events.
func inSlices[T any](
	r *Reader, workers int, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error,
) (walker, error) {
	if workers > 1 && r.chosen.most == math.MaxInt64 && !r.chosen.eager && !r.chosen.stacks {
		switch s := r.source.(type) {
		case *perfSource:
			return inScouted(newSlicing[perf.Entry](r, workers, work, out), s, workers)
		case *ctfSource:
			return inCuts(newSlicing[ctf.Entry](r, workers, work, out), s, workers)
		}
	}
	return r.open(), nil
}

// slicing is the state of one call of inSlices.
type slicing[E, T any] struct {
	reader  *Reader
	work    func(int, iter.Seq[*Event], T) (T, error)
	out     func(T) error
	workers []*sliceWorker[E]
	used    chan T     // results for reuse: as many as ordered.Run has blocks
	mu      sync.Mutex // guards the types of the source
}

func newSlicing[E, T any](
	r *Reader, workers int, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error,
) *slicing[E, T] {
	return &slicing[E, T]{reader: r, work: work, out: out, used: make(chan T, 2*workers+2)}
}

// A sliceWorker walks through slices, one after the other.
type sliceWorker[E any] struct {
	_      ordered.Apart
	chosen chooser
	walk   *walk[E]
	event  *Event
	_      ordered.Apart
}

// A sliced is the result of the events of a slice.
type sliced[T any] struct {
	t      T
	events int64
	owed   []int64 // by stream: losses after its last event
	failed []error // errors of streams
}

// add adds a worker, which is for one goroutine.
func (c *slicing[E, T]) add(typeOf func(*record.Record, *E) *Type, names func(*record.Record, *E) named) {
	w := &sliceWorker[E]{chosen: c.reader.chosen, event: c.reader.NewEvent()}
	w.walk = newWalk(c.reader.source, nil, &w.chosen, typeOf, names)
	c.workers = append(c.workers, w)
}

// read makes the result of a slice. owed holds the losses before skipped events of earlier slices,
// by stream. The first events of the slice report them.
func (c *slicing[E, T]) read(worker int, m *record.Merger[E], owed []int64) (b sliced[T], err error) {
	select {
	case b.t = <-c.used:
	default:
	}
	w := c.workers[worker]
	w.chosen.left = math.MaxInt64
	w.walk.merge, w.walk.failed, w.walk.lost = m, nil, slices.Clone(owed)
	defer w.walk.close()
	b.t, err = c.work(worker, func(yield func(*Event) bool) { w.walk.all(w.event, yield) }, b.t)
	b.events, b.owed, b.failed = math.MaxInt64-w.chosen.left, w.walk.lost, w.walk.failed
	return b, cmp.Or(err, c.reader.context().Err())
}

// pass passes the result of the next slice on.
func (c *slicing[E, T]) pass(b *sliced[T]) error {
	c.reader.chosen.left -= b.events
	err := c.out(b.t)
	select {
	case c.used <- b.t:
	default:
	}
	return err
}

// sharedTypes returns the function that finds the types of one worker. Several workers share the
// types, and mu guards their creation.
func sharedTypes[K any](mu *sync.Mutex, c *chooser, id func(K) uint32, typeOf func(K) *Type) func(K) *Type {
	var types programs.Table[Type]
	return func(e K) *Type {
		return types.At(id(e), func() *Type {
			mu.Lock()
			defer mu.Unlock()
			t := typeOf(e)
			t.chosenBy(c) // changes t and c
			return t
		})
	}
}

// inScouted is inSlices for perf.data. A Scout cuts it while workers read.
func inScouted[T any](c *slicing[perf.Entry, T], s *perfSource, workers int) (walker, error) {
	r := c.reader
	o, chosen := r.read(), &r.chosen
	some := len(chosen.patterns)+len(chosen.filters) > 0 || chosen.threads != nil ||
		o.IDs != nil || o.CPUs != nil || o.Tasks != nil || o.Since > 0 || o.Until > 0
	o.Workers = workers
	o, since := s.choose(o)
	scout := s.rec.Scout(o, since, some, sliceBytes)
	if scout == nil {
		return r.open(), nil
	}
	var names []*perf.Names
	for range workers {
		own := scout.Names()
		names = append(names, own)
		typeOf := sharedTypes(&c.mu, chosen, func(e *perf.Event) uint32 { return uint32(e.Index) }, s.eventType)
		c.add(func(r *record.Record, x *perf.Entry) *Type {
			if s.threads {
				own.Follow(r, x)
			}
			if t := leaves(s.chosen, r); t != nil {
				return t
			}
			return typeOf(x.Event)
		}, asked(s.threads, own))
	}
	type block struct {
		_     ordered.Apart
		slice perf.Slice
		sliced[T]
		_ ordered.Apart
	}
	err := ordered.Run(r.context(), workers, ordered.Steps[*block]{
		New: func() *block { return new(block) },
		Fill: func(b *block) error {
			if !scout.Next(&b.slice) {
				return io.EOF
			}
			return nil
		},
		Work: func(worker int, b *block) (err error) {
			names[worker].At(&b.slice)
			b.sliced, err = c.read(worker, b.slice.Merge(), nil)
			return cmp.Or(err, errors.Join(b.failed...))
		},
		Out: func(b *block) error { return c.pass(&b.sliced) },
	})
	for _, n := range names {
		n.Close()
	}
	m, rest := scout.Rest()
	w := s.walk(m, rest, chosen)
	if err != nil {
		w.close()
	}
	return w, err
}

// inCuts is inSlices for CTF. A slice that does not begin where the one before it ended is read
// again.
func inCuts[T any](c *slicing[ctf.Entry, T], s *ctfSource, workers int) (walker, error) {
	r := c.reader
	list := s.slices(r, workers)
	if len(list) < 2 {
		return r.open(), nil
	}
	s.chosen = nil
	for range workers + 1 {
		own := s.rec.Names()
		typeOf := sharedTypes(&c.mu, &r.chosen, func(e *ctf.Event) uint32 { return uint32(e.Index) }, s.eventType)
		c.add(func(r *record.Record, x *ctf.Entry) *Type {
			if s.threads {
				own.Follow(r, x)
			}
			return typeOf(x.Event)
		}, asked(s.threads, own))
	}
	type block struct {
		slice record.Slice[ctf.Entry]
		sliced[T]
	}
	var owed []int64
	rest := newWalk(s, record.Merge[ctf.Entry]([]*ctf.Stream(nil), nil), &r.chosen, s.typeOf, nil)
	err := record.InSlices(r.context(), list, workers,
		func(worker int, x record.Slice[ctf.Entry]) (b block, err error) {
			b.slice = x
			b.sliced, err = c.read(worker, x.Merge(), nil)
			return b, err
		},
		func(b block) (err error) {
			isLost := slices.ContainsFunc(owed, func(n int64) bool { return n != 0 })
			if isLost && b.slice.Cut.First > 0 {
				if b.sliced, err = c.read(workers, b.slice.MergeAgain(), owed); err != nil {
					return err
				}
			}
			owed, rest.failed = b.owed, append(rest.failed, b.failed...)
			return c.pass(&b.sliced)
		})
	return rest, err
}

// slices cuts the events that r selects. It returns nil if they must be read one after the other,
// because names of threads or the thread that the scheduler has switched to are needed.
func (s *ctfSource) slices(r *Reader, workers int) []record.Slice[ctf.Entry] {
	if s.threads && !s.rec.OwnNames() || s.rec.Scheduled() {
		return nil
	}
	o, size := r.read(), int64(0)
	o.Workers = workers
	for _, f := range s.rec.Files() {
		size += f.Size
	}
	each := sliceBytes * int64(1+len(s.rec.Files())/filesEach)
	list := s.rec.Slices(o, each)
	if size/int64(len(list)) > mostSlices*sliceBytes {
		return nil
	}
	return list
}
