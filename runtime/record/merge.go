package record

import (
	"context"
	"errors"
	"io"
	"math"
	"time"
)

// Merger yields the records of many streams in time order: always the one whose head is smallest,
// and of equal times the one whose stream comes first in the slice. A stream whose own times go
// backwards is not reordered; its late records come out as soon as they are its head, which is what
// trace-cmd report does.
//
// The hot path is a run: once the winner and the runner-up are known, every record of the winner's
// batch that is not later than the runner-up can be returned without looking at the other streams.
// Recordings of several processors come in bursts, so that a run is many records long.
//
// A Merger holds no records of its own: memory is what the streams hold. It is not safe for
// concurrent use.
type Merger[E any] struct {
	queue   queue
	heads   []head[E] // nil after Close
	first   *head[E]  // of the last run, as long as its next head is not in the queue
	begun   bool
	settled bool  // all heads are in the queue, and there is one
	live    *live // nil: no stream grows

	through func([]Record, []E) ([]Record, []E) // nil: none
	close   func()                              // nil after its call
	failed  failures                            // met by All
}

// head is where the merge is in one stream.
type head[E any] struct {
	batch  Batch[E]
	pos    int
	source source[E]
	grows  Growing // nil: it does not
}

// Merge prepares the merge of streams, of which nothing has been read. Record.Stream of every
// record is the position of its stream in the slice. close is called at the end of the last stream
// or by Close, whichever comes first; it may be nil. When a stream is [Growing], the merge waits
// for what is still being recorded.
func Merge[E any, S Stream[E]](streams []S, close func()) *Merger[E] {
	m := &Merger[E]{heads: make([]head[E], len(streams)), close: close}
	for i, s := range streams {
		m.heads[i].source = newSource[E](s, i)
		m.grow(&m.heads[i])
	}
	return m
}

// Only prepares to read one stream by itself, whose position is index.
func Only[E any, S Stream[E]](s S, index int) *Merger[E] {
	m := &Merger[E]{heads: []head[E]{{source: newSource[E](s, index)}}}
	m.grow(&m.heads[0])
	return m
}

// NextRun returns the records that come next and their entries, one each, all of one stream and in
// its order: a part of that stream's batch, valid until the next call. The error is io.EOF after
// the last record. Any other error comes from a stream, which is left out from then on; calling
// again goes on with the others. That of a context which is done ends the merge.
//
// These are two slices, since a Batch has more words than Go keeps in registers: it would cost as
// much as the rest of a call.
func (m *Merger[E]) NextRun() ([]Record, []E, error) {
	for {
		if m.live != nil {
			if err := m.await(); err != nil {
				return nil, nil, err
			}
		} else if !m.settled {
			if err := m.advance(); err != nil {
				return nil, nil, err
			}
		}
		q := &m.queue
		h := &m.heads[q.near[0].order]
		records, entries, first := h.batch.Records, h.batch.Entries, h.pos
		limit := q.limit()
		i := first + 1
		if limit == math.MaxUint64 { // the only stream that is left
			i = len(records)
		}
		for i < len(records) && records[i].Time <= limit {
			i++
		}
		h.pos = i
		if i < len(records) && m.live == nil { // now, as the time that ended the run is at hand
			q.pass(records[i].Time)
		} else {
			m.first, m.settled = h, false
		}
		records, entries = records[first:i:i], entries[first:i:i]
		if m.through != nil {
			if records, entries = m.through(records, entries); len(records) == 0 {
				continue
			}
		}
		return records, entries, nil
	}
}

// Ahead returns the entries of a stream that come next, as far as the merge has them: none after
// the end of a stream, unless that is [Beyond], nor before the first run or after one of that
// stream. They are valid until the next call of NextRun.
func (m *Merger[E]) Ahead(stream int) []E {
	if uint(stream) >= uint(len(m.heads)) {
		return nil
	}
	h := &m.heads[stream]
	if h.pos < len(h.batch.Records) {
		return h.batch.Entries[h.pos:len(h.batch.Records)]
	}
	if s, ok := h.source.stream.(Beyond[E]); ok {
		return s.Beyond()
	}
	return nil
}

// Through has fn see every run before NextRun returns it, for what depends on the order of time,
// and returns m. NextRun returns what fn does: the run, or what fn moved together in its memory,
// which may be nothing. It is for containers.
func (m *Merger[E]) Through(fn func([]Record, []E) ([]Record, []E)) *Merger[E] {
	m.through = fn
	return m
}

// Close ends the merge, also before its last record.
func (m *Merger[E]) Close() {
	m.heads, m.first, m.settled = nil, nil, false
	if m.close != nil {
		m.close()
		m.close = nil
	}
}

// advance begins, or goes on after the end of a batch, and brings the head that is next to the
// front. The error is io.EOF when there is none; that of a context ends the merge.
func (m *Merger[E]) advance() (err error) {
	switch {
	case m.heads == nil:
	case !m.begun:
		err = m.begin()
	case m.first != nil:
		var time uint64
		var ok bool
		if time, ok, err = m.first.load(); ok {
			m.queue.replace(time)
		} else {
			m.queue.remove()
		}
		m.first = nil // whose batch is not to be asked for again
	}
	err = m.ended(err)
	m.settled = err == nil
	return err
}

// ended closes the merge where err is that of a context, or no stream is left: it returns io.EOF
// then, and otherwise err.
func (m *Merger[E]) ended(err error) error {
	if err == nil && (m.heads == nil || m.queue.n == 0 && (m.live == nil || len(m.live.pending) == 0)) {
		err = io.EOF
	}
	if err == io.EOF || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		m.Close()
	}
	return err
}

// begin loads all heads. Streams that fail here end; their errors are reported together, and the
// others stay at their heads.
func (m *Merger[E]) begin() error {
	m.begun = true
	players := make([]player, 0, len(m.heads))
	var errs failures
	now := time.Now()
	for i := range m.heads {
		t, ok, err := m.heads[i].load()
		switch {
		case ok:
			players = append(players, player{t, int32(i)})
		case err == ErrPending:
			m.pend(int32(i), now)
		case err != nil:
			errs.add(err)
		}
	}
	m.queue = newQueue(players)
	return errs.join()
}

// load fetches the next batch of a stream and returns its first time. It returns false when the
// stream has ended, or is pending, which is its error then.
func (h *head[E]) load() (time uint64, ok bool, err error) {
	h.pos = 0
	if h.batch, err = h.source.next(); err == nil {
		return h.batch.Records[0].Time, true, nil
	}
	if err == ErrPending && h.grows != nil {
		return 0, false, err
	}
	h.source.err = io.EOF
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return 0, false, err
}
