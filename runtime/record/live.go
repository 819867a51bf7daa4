package record

import (
	"errors"
	"io"
	"slices"
	"sync/atomic"
	"time"
)

// ErrPending is returned by Next of a [Growing] stream if nothing more has been recorded yet. The
// stream continues: Next may be called again. A merge waits in this case, so callers of a [Merger]
// never see the error.
var ErrPending = errors.New("nothing more has been recorded yet")

// Growing is a [Stream] that is still being recorded. Next returns [ErrPending] at the end of the
// data so far, and io.EOF at the end of the recording. All loops of this package merge growing
// streams by time, as described at [Live]. This includes the loops in stream order, because a
// growing stream has no end to wait for. A [Stream] that wraps another one that may grow has a
// method Unwrap() any, which returns the inner stream.
type Growing interface {
	// Live returns the state that the streams of a recording share. It returns nil if the stream
	// does not grow after all.
	Live() *Live
	// Seen returns a wall-clock time at which the records of the last batch were in the recording.
	// This is when they were read, or when the file was seen to contain them. Records of a batch
	// wait for Delay from then on. A stream with several batches available must return the time it
	// saw them, not the time of the call of Next. Otherwise only one batch per Delay would pass
	// while other streams are silent.
	Seen() time.Time
}

// Optional is a [Growing] stream that may never have records, such as the stream of processors that
// may appear later. Records of other streams do not wait for it.
type Optional interface {
	Growing
	// Optional reports whether the stream is optional now. It is called after Next has returned
	// ErrPending.
	Optional() bool
}

// Live describes how streams that are still being recorded are merged. A record passes when every
// other stream has a later record. It also passes when the other streams still had nothing Delay
// after the record was seen. So an idle processor holds up the others for at most Delay. A record
// that comes later still, after records of other streams with later times, passes at once and is
// counted as late.
type Live struct {
	// Delay is how long records wait for earlier records of silent streams. It should exceed the
	// time that the recorder takes to show its records. If 0, records do not wait.
	Delay time.Duration
	// Wait returns when streams that had nothing may have records, after d at the latest. It may
	// read ahead for streams meanwhile. Its error ends the merge. It is the error of a context that
	// the container watches.
	Wait func(d time.Duration) error

	late atomic.Int64
}

// DefaultDelay is the Delay of containers whose options do not set it.
const DefaultDelay = 100 * time.Millisecond

// Late returns the number of records that passed after records of other streams with later times.
// Any goroutine may call it.
func (l *Live) Late() int64 { return l.late.Load() }

// live is the state of a merge of growing streams, apart from the order of heads.
type live struct {
	*Live
	pending []int32   // positions of the streams that had nothing at the last call of Next
	holding bool      // the merge waits for one of them
	asked   time.Time // when the first of those was read; zero if it has not been read yet
	start   int       // position of the last run in its batch
	passed  uint64    // the latest time of a record that has passed
	from    int32     // the stream of that record
	failed  []error   // errors of streams, found where they cannot be returned
}

// growing returns the stream as a Growing, or nil if it does not grow. It finds the inner stream of
// a wrapper by Unwrap.
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

// grow makes the merge wait for the stream of h if that stream grows.
func (m *Merger[E]) grow(h *head[E]) {
	if h.grows = h.source.growing(); h.grows != nil && m.live == nil {
		m.live = &live{Live: h.grows.Live()}
	}
}

// Waiting returns a stream whose Next waits where the Next of s returns [ErrPending]. It is for
// callers that read streams one after the other. s need not grow.
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

// Unwrap returns the growing stream.
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

// Add adds a stream, such as a new processor or file, to a merge of growing streams. Call it
// between two calls of NextRun or in Live.Wait. Record.Stream of its records is the number of
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

// Grows reports whether a stream of the merge grows.
func (m *Merger[E]) Grows() bool { return m.live != nil }

// Ready reports whether NextRun returns without waiting for more to be recorded. It is always true
// if no stream grows. The last result of NextRun is no longer valid. Callers use Ready to print or
// send their output before they wait.
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

// await waits until the head at the front may pass. Its error is returned by NextRun.
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

// settle puts the stream of the last run back in order, or among the pending streams. It reports
// whether the head at the front may pass. An error comes from a stream.
func (m *Merger[E]) settle() (ready bool, err error) {
	if !m.begun {
		err = m.begin()
	} else if h := m.first; h != nil {
		m.first = nil // so that its batch is not fetched again
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

// next fetches the next batch of the stream at the front, whose batch is used up.
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

// wait waits for the pending streams and reads them. An error ends the merge.
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

// Ask reads the streams that had nothing and then returns [Merger.Ready]. It is for streams that
// are merges themselves and must not wait.
func (m *Merger[E]) Ask() bool {
	if m.live != nil && m.begun && m.heads != nil {
		m.ask()
	}
	return m.Ready()
}

// Seen returns when the records of the last run had been recorded, in a merge of growing streams.
func (m *Merger[E]) Seen() time.Time {
	if m.first == nil {
		return time.Time{}
	}
	return m.first.seenAt()
}

// ask reads the pending streams.
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

// leastWait keeps a merge without Delay from polling all the time.
const leastWait = time.Millisecond

// seenAt returns when the records of the batch had been recorded. If the stream does not grow, it
// returns the zero time.
func (h *head[E]) seenAt() time.Time {
	if h.grows == nil {
		return time.Time{}
	}
	return h.grows.Seen()
}

// pend notes that a stream had nothing when it was read at time asked.
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

// pass notes the records that passed, and counts those that were late.
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
