package tracec

import (
	"cmp"
	"context"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

const (
	// mostSlices is how many times as large as sliceBytes slices may be on average. The result of a
	// larger one would take too much memory.
	mostSlices = 16
	// filesEach is the number of files for which slices are larger by sliceBytes: each slice opens
	// all of them.
	filesEach = 16
)

// inCuts is inSlices for CTF. A slice that does not begin where the one before it ended is read
// again, so that work may be called more than once for the same events.
func inCuts[T any](
	r *Reader, s *ctfSource, workers int, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error,
) (walker, error) {
	list := s.slices(r, workers)
	if len(list) < 2 {
		return r.open(), nil
	}
	c := inCut[T]{ctx: r.context(), work: work, readers: s.cutReaders(r, workers+1), used: make(chan T, 2*workers)}
	rest := s.cutReaders(r, 1)[0].walk
	rest.merge = record.Merge[ctf.Entry]([]*ctf.Stream(nil), nil)
	err := record.InSlices(c.ctx, list, workers,
		func(worker int, x record.Slice[ctf.Entry]) (cutBlock[T], error) {
			return c.read(worker, x, x.Merge(), nil)
		},
		func(b cutBlock[T]) (err error) {
			if hasLost(c.owed) && b.slice.Cut.First > 0 {
				if b, err = c.read(workers, b.slice, b.slice.MergeAgain(), c.owed); err != nil {
					return err
				}
			}
			c.owed = b.owed
			r.chosen.left -= b.events
			rest.failed = append(rest.failed, b.failed...)
			err = out(b.t)
			select {
			case c.used <- b.t:
			default:
			}
			return err
		})
	return rest, err
}

// inCut is the state of one call of inCuts.
type inCut[T any] struct {
	ctx     context.Context
	work    func(int, iter.Seq[*Event], T) (T, error)
	readers []*cutReader
	used    chan T  // results to use again
	owed    []int64 // by Record.Stream: lost before the next slice
}

// A cutBlock is a slice with the result of its events.
type cutBlock[T any] struct {
	slice  record.Slice[ctf.Entry]
	t      T
	events int64
	owed   []int64 // lost after its last events
	failed []error // of streams
}

// A cutReader walks through one slice after the other.
type cutReader struct {
	chosen chooser
	walk   *walk[ctf.Entry]
	event  *Event
}

// read makes the result of a slice. Events that skipped ones owe to the first events were lost
// before it.
func (c *inCut[T]) read(
	worker int, x record.Slice[ctf.Entry], m *record.Merger[ctf.Entry], owed []int64,
) (b cutBlock[T], err error) {
	select {
	case b.t = <-c.used:
	default:
	}
	w := c.readers[worker]
	w.chosen.left = math.MaxInt64
	w.walk.merge, w.walk.failed, w.walk.lost = m, nil, slices.Clone(owed)
	defer w.walk.close()
	b.slice = x
	b.t, err = c.work(worker, func(yield func(*Event) bool) { w.walk.all(w.event, yield) }, b.t)
	b.events, b.owed, b.failed = math.MaxInt64-w.chosen.left, w.walk.lost, w.walk.failed
	return b, cmp.Or(err, c.ctx.Err())
}

func hasLost(list []int64) bool {
	return slices.ContainsFunc(list, func(n int64) bool { return n != 0 })
}

// slices cuts the events that r selects. It returns none if they must be read one after the other:
// for the names of threads, or to know which thread the scheduler has switched to.
func (s *ctfSource) slices(r *Reader, workers int) []record.Slice[ctf.Entry] {
	if s.threads || r.chosen.threads != nil || s.rec.Scheduled() {
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

// cutReaders returns n readers, each for one goroutine.
func (s *ctfSource) cutReaders(r *Reader, n int) (list []*cutReader) {
	var mu sync.Mutex // for the types of s
	s.chosen = nil
	for range n {
		w := &cutReader{chosen: r.chosen, event: r.NewEvent()}
		typeOf := sharedTypes(&mu, &r.chosen, func(e *ctf.Event) uint32 { return uint32(e.Index) }, s.eventType)
		w.walk = newWalk(s, nil, &w.chosen, func(_ *record.Record, x *ctf.Entry) *Type { return typeOf(x.Event) }, nil)
		list = append(list, w)
	}
	return list
}
