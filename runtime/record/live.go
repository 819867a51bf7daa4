package record

import (
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"
)

// ErrPending is what Next of a [Growing] stream returns when nothing more has been recorded yet.
// The stream goes on: Next may be called again. A merge waits for it, so that callers of a [Merger]
// never see it.
var ErrPending = errors.New("nothing more has been recorded yet")

// Growing is a [Stream] of what is still being recorded. Next returns [ErrPending] at the end of
// what there is and io.EOF at the end of the recording. All loops of this package merge streams
// that grow by time as [Live] says, those stream by stream, too: no stream has an end to wait for.
// A [Stream] around another that may grow has a method Unwrap() any, which returns that.
type Growing interface {
	// Live returns what the streams of a recording have in common. It is nil when the stream does
	// not grow, after all.
	Live() *Live
	// Seen returns a time on the wall at which the records of the last batch had been recorded:
	// that at which they were read, or at which the file was seen to have them. Records of a batch
	// wait for Delay from then on, so that a stream which has more than one batch says when it saw
	// them, not when Next was called: one batch a Delay would be all that passes beside streams
	// that are silent.
	Seen() time.Time
}

// Optional is a [Growing] stream that may never have anything, such as one of processors that may
// appear: records of others do not wait for it.
type Optional interface {
	Growing
	// Optional reports whether that is so now. It is asked when Next has returned ErrPending.
	Optional() bool
}

// Live says how streams that are still being recorded are merged. A record passes when every other
// stream has a later one, or was asked again Delay after the record had been seen and still had
// nothing: so a processor that is idle holds up the others for no longer than Delay. A record that
// comes later than that, after others with later times have passed, passes at once and is counted.
type Live struct {
	// Delay is how long records wait for earlier ones of streams that are silent. It is above the
	// time that a recorder takes to show what it recorded; 0 does not wait.
	Delay time.Duration
	// Wait returns when streams that had nothing may have something, after d at the latest. It may
	// read ahead for streams meanwhile. Its error ends the merge: that of a context, which
	// containers watch.
	Wait func(d time.Duration) error

	late atomic.Int64
}

// DefaultDelay is the Delay of containers whose options do not say.
const DefaultDelay = 100 * time.Millisecond

// Late returns how many records have passed after others of later times of other streams. Any
// goroutine may call it.
func (l *Live) Late() int64 { return l.late.Load() }

// live is what a merge of streams that grow knows beside the order of heads.
type live struct {
	*Live
	pending []int32   // positions of the streams that had nothing when they were asked last
	holding bool      // one of them is waited for
	asked   time.Time // when the first of those was; zero: one has not been asked
	start   int       // of the last run in its batch
	passed  uint64    // the latest time of a record that has passed
	from    int32     // the stream of that record
	failed  []error   // of streams, met where they cannot be returned
}

// growing returns the stream as one that grows, nil when it does not. A stream around another says
// which by Unwrap.
func (s *source[E]) growing() Growing {
	for inner := any(s.stream); inner != nil; {
		if g, ok := inner.(Growing); ok {
			if g.Live() != nil {
				return g
			}
			return nil
		}
		around, ok := inner.(interface{ Unwrap() any })
		if !ok {
			break
		}
		inner = around.Unwrap()
	}
	return nil
}

// growing reports whether one of the streams grows.
func growing[E any, S Stream[E]](streams []S) bool {
	return slices.ContainsFunc(streams, func(s S) bool {
		src := source[E]{stream: s}
		return src.growing() != nil
	})
}

// grow has the merge wait for the stream of a head if it grows.
func (m *Merger[E]) grow(h *head[E]) {
	if h.grows = h.source.growing(); h.grows != nil && m.live == nil {
		m.live = &live{Live: h.grows.Live()}
	}
}

// Waiting returns a stream whose Next waits where that of s, which may grow, returns [ErrPending]:
// for those who read streams one after the other.
func Waiting[E any](s Stream[E]) Stream[E] {
	src := source[E]{stream: s}
	if g := src.growing(); g != nil {
		return &waiting[E]{s, g.Live()}
	}
	return s
}

type waiting[E any] struct {
	Stream[E]
	live *Live
}

// Unwrap returns the stream that grows.
func (w *waiting[E]) Unwrap() any { return w.Stream }

// Next implements Stream.
func (w *waiting[E]) Next() (Batch[E], error) {
	for {
		b, err := w.Stream.Next()
		if err != ErrPending || len(b.Records) > 0 {
			return b, err
		}
		if err := w.live.Wait(max(w.live.Delay, leastWait)); err != nil {
			return b, err
		}
	}
}

// Add adds a stream to a merge of streams that grow, between two calls of NextRun or in Live.Wait:
// a processor or a file that was not there before. Record.Stream of its records is the number of
// streams before it.
func (m *Merger[E]) Add(s Stream[E]) {
	if m.heads == nil { // closed
		return
	}
	i := len(m.heads)
	m.heads = append(m.heads, head[E]{source: newSource(s, i)})
	if m.first != nil {
		m.first = &m.heads[m.queue.near[0].order]
	}
	if m.grow(&m.heads[i]); m.begun && m.live != nil {
		m.pend(int32(i), time.Time{})
	}
}

// Grows reports whether a stream of the merge does.
func (m *Merger[E]) Grows() bool { return m.live != nil }

// Ready reports whether NextRun returns without waiting for what has not been recorded yet, as it
// does in all recordings that do not grow. What NextRun returned last is not valid any more. It is
// for what prints or sends what there is before it waits.
func (m *Merger[E]) Ready() bool {
	if m.live == nil || m.heads == nil || len(m.live.failed) > 0 {
		return true
	}
	ready, err := m.settle()
	if err != nil {
		m.live.failed = append(m.live.failed, err)
	}
	return ready || err != nil || m.queue.n == 0 && len(m.live.pending) == 0
}

// await waits until the head at the front may pass. The error is that of NextRun.
func (m *Merger[E]) await() error {
	for m.heads != nil {
		if l := m.live; len(l.failed) > 0 {
			err := l.failed[0]
			l.failed = l.failed[1:]
			return m.ended(err)
		}
		ready, err := m.settle()
		if ready {
			m.live.start = m.heads[m.queue.near[0].order].pos
			return nil
		}
		if err := m.ended(err); err != nil {
			return err
		}
		if err := m.wait(); err != nil {
			m.Close()
			return err
		}
	}
	return io.EOF
}

// settle brings the stream of the last run back in order, or among those that are pending, and
// reports whether the head at the front may pass. The error is that of a stream.
func (m *Merger[E]) settle() (ready bool, err error) {
	if !m.begun {
		err = m.begin()
	} else if h := m.first; h != nil {
		m.first = nil // whose batch is not to be asked for again
		m.live.pass(h.batch.Records[m.live.start:h.pos])
		if h.pos < len(h.batch.Records) {
			m.queue.replace(h.batch.Records[h.pos].Time)
		} else {
			err = m.next(h)
		}
	}
	if err != nil || m.queue.n == 0 {
		return false, err
	}
	l, w := m.live, m.queue.near[0]
	return !l.holding || w.time < l.passed || l.asked.Sub(m.heads[w.order].seenAt()) >= l.Delay, nil
}

// next asks the stream at the front, whose batch is used up, for another.
func (m *Merger[E]) next(h *head[E]) error {
	now := time.Now()
	t, ok, err := h.load()
	if ok {
		m.queue.replace(t)
		return nil
	}
	i := m.queue.near[0].order
	m.queue.remove()
	if err == ErrPending {
		m.pend(i, now)
		return nil
	}
	return err
}

// wait waits for the streams that are pending, and asks them. Its error ends the merge.
func (m *Merger[E]) wait() error {
	l := m.live
	d := l.Delay
	if m.queue.n > 0 {
		d -= time.Since(m.heads[m.queue.near[0].order].seenAt())
	}
	if err := l.Wait(max(d, leastWait)); err != nil {
		return err
	}
	m.ask()
	return nil
}

// Ask is [Merger.Ready] after it has asked the streams that had nothing: for streams that are
// merges themselves, and must not wait.
func (m *Merger[E]) Ask() bool {
	if m.live != nil && m.begun && m.heads != nil {
		m.ask()
	}
	return m.Ready()
}

// Seen returns when what NextRun returned last had been recorded, in a merge of streams that grow.
func (m *Merger[E]) Seen() time.Time {
	if m.first == nil {
		return time.Time{}
	}
	return m.first.seenAt()
}

// ask asks the streams that are pending.
func (m *Merger[E]) ask() {
	l := m.live
	now, ask := time.Now(), l.pending
	l.pending, l.holding = nil, false
	for _, i := range ask {
		switch t, ok, err := m.heads[i].load(); {
		case ok:
			m.queue.insert(player{t, i})
		case err == ErrPending:
			m.pend(i, now)
		case err != nil:
			l.failed = append(l.failed, err)
		}
	}
}

// leastWait keeps a merge without Delay from asking all the time.
const leastWait = time.Millisecond

// seenAt returns when the records of the batch had been recorded: long ago where the stream does
// not grow.
func (h *head[E]) seenAt() time.Time {
	if h.grows == nil {
		return time.Time{}
	}
	return h.grows.Seen()
}

// pend notes that a stream had nothing when it was asked.
func (m *Merger[E]) pend(i int32, asked time.Time) {
	l := m.live
	l.pending = append(l.pending, i)
	if o, ok := m.heads[i].grows.(Optional); ok && o.Optional() {
		return
	}
	if !l.holding || asked.Before(l.asked) {
		l.asked = asked
	}
	l.holding = true
}

// pass notes what has passed, and counts what of it was late.
func (l *live) pass(run []Record) {
	late := 0
	for late < len(run) && run[late].Time < l.passed && run[late].Stream != l.from {
		late++
	}
	if late > 0 {
		l.late.Add(int64(late))
	}
	if last := &run[len(run)-1]; last.Time >= l.passed {
		l.passed, l.from = last.Time, last.Stream
	}
}
