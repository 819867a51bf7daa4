package tracec

import (
	"context"
	"errors"
	"io"
	"iter"

	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/runtime/record"
)

// Render appends events to blocks of bytes on several goroutines, and passes the blocks to out in
// the order of time. The bounds of blocks depend on the number of workers, but all blocks together
// do not. 0 workers means the number of processors that Go uses.
//
// Render calls newAppender for each worker and one more, from the goroutine of the caller. Each
// appender is for one goroutine and may keep state between events, but it receives only some of the
// events. Its output must depend on the event alone.
//
// See [Ordered] for out, the errors, and cases without parallel reading.
func (r *Reader) Render(
	workers int, newAppender func() func(dst []byte, ev *Event) ([]byte, error), out func(block []byte) error,
) error {
	if workers = atLeastOne(workers); workers == 1 {
		return r.renderInTurn(newAppender(), out)
	}
	appenders := make([]func([]byte, *Event) ([]byte, error), workers+1)
	for i := range appenders {
		appenders[i] = newAppender()
	}
	work := func(worker int, events iter.Seq[*Event], dst []byte) ([]byte, error) {
		return appendAll(dst[:0], events, appenders[worker])
	}
	return Sliced(r, workers, work, out)
}

// Sliced is [Ordered] with bounds of blocks that depend on the number of workers. If a recording
// can be cut, workers read it themselves. The number of a worker is then from 0 to workers,
// inclusive. work may be called more than once for the same events: its result must be its only
// effect.
func Sliced[T any](
	r *Reader, workers int, work func(worker int, events iter.Seq[*Event], t T) (T, error), out func(T) error,
) error {
	workers = atLeastOne(workers)
	w, err := inSlices(r, workers, work, out)
	if err != nil {
		return err
	}
	return inOrder(r, w, workers, work, out)
}

// A block of one worker is passed on after about renderedBytes, which are then still in a cache, or
// after renderedEvents.
const (
	renderedBytes  = 64 << 10
	renderedEvents = 1 << 12
)

// renderInTurn is Render on one goroutine.
func (r *Reader) renderInTurn(add func([]byte, *Event) ([]byte, error), out func([]byte) error) (err error) {
	w := r.open()
	defer w.close()
	if w.grows() {
		return inOrder(r, w, 1, func(_ int, events iter.Seq[*Event], dst []byte) ([]byte, error) {
			return appendAll(dst[:0], events, add)
		}, out)
	}
	ctx := r.context()
	var dst []byte
	pass := func() error {
		err := ctx.Err()
		if err == nil && len(dst) > 0 {
			err = out(dst)
			dst = dst[:0]
		}
		return err
	}
	n := 0
	w.all(r.NewEvent(), func(ev *Event) bool {
		dst, err = add(dst, ev)
		if n++; err == nil && (len(dst) >= renderedBytes || n%renderedEvents == 0) {
			err = pass()
		}
		return err == nil
	})
	if err == nil {
		err = pass()
	}
	return r.end(w, err)
}

// appendAll appends the bytes of events.
func appendAll(
	dst []byte, events iter.Seq[*Event], add func([]byte, *Event) ([]byte, error),
) (_ []byte, err error) {
	for ev := range events {
		if dst, err = add(dst, ev); err != nil {
			break
		}
	}
	return dst, err
}

// atLeastOne returns the number of workers. For 0 it is the number of processors that Go uses.
func atLeastOne(workers int) int {
	o := record.Options{Workers: workers}
	return o.Parallel()
}

// Ordered reads the events of r in blocks of some thousand, processes the blocks on several
// goroutines, and passes the results to out in the order of time.
//
// work receives the number of its worker, from 0, the events of a block, and a T. A worker has one
// block at a time. The events are in time order and can be read once. The T is the zero T, or an
// earlier result for reuse, after out has returned. Types are the same for all workers. The bounds
// of blocks do not depend on the number of workers. out is called from the goroutine of the caller.
//
// An error of work or out, or the end of the context of [WithRecords], ends the reading. Ordered
// returns it when all goroutines have ended. Otherwise it returns the errors of streams that
// failed, as [Reader.Err] does, after the events of all other streams.
//
// With one worker, everything runs on the goroutine of the caller, as worker 0. The same holds
// where texts depend on earlier events, as in traces of AIX, and in a growing recording. In a
// growing recording, a block ends if the next event is not yet available.
func Ordered[T any](
	r *Reader, workers int, work func(worker int, events iter.Seq[*Event], t T) (T, error), out func(T) error,
) error {
	return inOrder(r, r.open(), atLeastOne(workers), work, out)
}

// inOrder is Ordered for the events of a walker.
func inOrder[T any](
	r *Reader, w walker, workers int, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error,
) error {
	defer w.close()
	ctx := r.context()
	var err error
	if workers == 1 || r.source.successive() || w.grows() {
		err = inTurn(ctx, r, w, work, out)
	} else {
		err = inBlocks(ctx, r, w, workers, work, func(m *made[T]) error { return out(m.t) })
	}
	return r.end(w, err)
}

// end returns the error of a walk that ended with err.
func (r *Reader) end(w walker, err error) error {
	failed := w.err()
	r.err = errors.Join(r.err, failed)
	if err == nil {
		err = errors.Join(failed, r.chosen.refused)
	}
	return err
}

// inTurn is Ordered on one goroutine.
func inTurn[T any](
	ctx context.Context, r *Reader, w walker, work func(int, iter.Seq[*Event], T) (T, error), out func(T) error,
) error {
	ev := r.NewEvent()
	var t T
	for w.seek() {
		var block filled
		var err error
		t, err = work(0, func(yield func(*Event) bool) { w.each(ev, &block, yield) }, t)
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = out(t)
		}
		if err != nil {
			return err
		}
		w.each(ev, &block, func(*Event) bool { return true }) // the events that work did not read
	}
	return nil
}

// made is a block and the result of its events.
type made[T any] struct {
	events *Copies
	t      T
}

// inBlocks is Ordered on several goroutines. One walks and fills blocks, the workers process them,
// and the goroutine of the caller passes on the results and the events.
func inBlocks[T any](
	ctx context.Context, r *Reader, w walker, workers int, work func(int, iter.Seq[*Event], T) (T, error),
	out func(*made[T]) error,
) error {
	walked, events := new(Event), make([]*Event, workers)
	for i := range events {
		events[i] = r.NewEvent()
	}
	return ordered.Run(ctx, workers, ordered.Steps[*made[T]]{
		New: func() *made[T] { return &made[T]{events: r.NewCopies()} },
		Fill: func(m *made[T]) error {
			if !w.seek() {
				return io.EOF
			}
			m.events.Reset()
			var block filled
			w.each(walked, &block, m.events.Add)
			return nil
		},
		Work: func(worker int, m *made[T]) (err error) {
			ev := events[worker]
			m.t, err = work(worker, m.events.All(ev), m.t)
			return err
		},
		Out: out,
	})
}

// AllWith is [Reader.All] with bytes that several workers append for each event, while one
// goroutine walks ahead. It yields each event with its bytes. Both are valid until the next one.
//
// newAppender is called as by [Reader.Render], and the bytes must depend on the event alone. If it
// is nil, nothing is appended and everything runs on the goroutine of the caller: walking ahead
// gains less than copying events costs. The other cases without parallel reading are as with
// [Ordered].
func (r *Reader) AllWith(workers int, newAppender func() func(dst []byte, ev *Event) []byte) iter.Seq2[*Event, []byte] {
	workers = atLeastOne(workers)
	if newAppender == nil {
		workers, newAppender = 1, silent
	}
	return func(yield func(*Event, []byte) bool) {
		w := r.open()
		defer w.close()
		var err error
		if workers > 1 && !r.source.successive() && !w.grows() {
			err = r.ahead(w, workers, newAppender, yield)
		} else {
			add := newAppender()
			var bytes []byte
			w.all(r.NewEvent(), func(ev *Event) bool {
				bytes = add(bytes[:0], ev)
				return yield(ev, bytes)
			})
		}
		if failed := w.err(); failed != nil {
			err = failed
		}
		r.err = errors.Join(r.err, err)
	}
}

// silent returns an appender that appends nothing.
func silent() func([]byte, *Event) []byte { return func(dst []byte, _ *Event) []byte { return dst } }

// said holds the bytes appended for the events of a block.
type said struct {
	bytes []byte
	ends  []int // by event: the end of its bytes
}

// errEnough ends a pipeline whose caller has stopped.
var errEnough = errors.New("enough")

// ahead is AllWith on several goroutines.
func (r *Reader) ahead(
	w walker, workers int, newAppender func() func([]byte, *Event) []byte, yield func(*Event, []byte) bool,
) error {
	appenders := make([]func([]byte, *Event) []byte, workers)
	for i := range appenders {
		appenders[i] = newAppender()
	}
	work := func(worker int, events iter.Seq[*Event], s said) (said, error) {
		s.bytes, s.ends = s.bytes[:0], s.ends[:0]
		for ev := range events {
			s.bytes = appenders[worker](s.bytes, ev)
			s.ends = append(s.ends, len(s.bytes))
		}
		return s, nil
	}
	yielded := r.NewEvent()
	err := inBlocks(r.context(), r, w, workers, work, func(m *made[said]) error {
		from, i := 0, 0
		for ev := range m.events.All(yielded) {
			end := m.t.ends[i]
			if !yield(ev, m.t.bytes[from:end:end]) {
				return errEnough
			}
			from = end
			i++
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// context returns the context that ends the reading.
func (r *Reader) context() context.Context {
	if ctx := r.records.Context; ctx != nil {
		return ctx
	}
	return context.Background()
}
