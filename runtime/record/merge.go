package record

import (
	"context"
	"errors"
	"io"
	"math"
	"time"
)

// A Merger yields the records of many streams in time order. The next record is always the smallest
// head. Among equal times, the stream that comes first in the slice wins. A stream whose own times
// go backwards is not reordered: its late records come out as soon as they are its head, as in
// trace-cmd report.
//
// The hot path is a run. Once the winner and the runner-up are known, the merge returns all records
// of the winner's batch that are not later than the runner-up. It does not look at the other
// streams. Recordings of several processors come in bursts, so a run has many records.
//
// A Merger holds no records of its own. Only its streams use memory. It is not safe for concurrent
// use.
type Merger[E any] struct {
	queue   queue
	heads   []head[E] // nil after Close
	first   *head[E]  // stream of the last run, while its next head is not in the queue
	begun   bool
	settled bool  // all heads are in the queue, which is not empty
	live    *live // nil if no stream grows

	through func([]Record, []E) ([]Record, []E) // may be nil
	close   func()                              // nil after its call
	failed  failures                            // found by All
}

// A head is the position of the merge in one stream.
type head[E any] struct {
	batch  Batch[E]
	pos    int
	source source[E]
	grows  Growing // nil if it does not grow
}

// Merge prepares the merge of streams that have not been read yet. Record.Stream of every record is
// the position of its stream in the slice. close may be nil. It is called at the end of the last
// stream or by Close, whichever comes first. If a stream is [Growing], the merge waits for records
// that are still being written.
func Merge[E any, S Stream[E]](streams []S, close func()) *Merger[E] {
	m := &Merger[E]{heads: make([]head[E], len(streams)), close: close}
	for i, s := range streams {
		m.heads[i].source = newSource[E](s, i)
		m.grow(&m.heads[i])
	}
	return m
}

// Only prepares to read a single stream, whose position is index.
func Only[E any, S Stream[E]](s S, index int) *Merger[E] {
	m := &Merger[E]{heads: []head[E]{{source: newSource[E](s, index)}}}
	m.grow(&m.heads[0])
	return m
}

// NextRun returns the next records and one entry for each. All are from one stream and in its
// order. They are a part of the stream's batch and valid until the next call. The error is io.EOF
// after the last record. Any other error comes from a stream, which is then skipped; the next call
// continues with the other streams. The error of a context that is done ends the merge.
//
// The result is two slices because a Batch has more words than Go keeps in registers. Returning one
// would cost as much as the rest of a call.
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
		if limit == math.MaxUint64 { // it is the only stream left
			i = len(records)
		}
		for i < len(records) && records[i].Time <= limit {
			i++
		}
		h.pos = i
		if i < len(records) && m.live == nil { // now, while the time that ended the run is at hand
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

// Ahead returns the next entries of a stream, as far as the merge has read them. It returns nil
// after the end of a stream that is not [Beyond], before the first run, and after a run of that
// stream. The entries are valid until the next call of NextRun.
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

// Through installs fn and returns m. fn gets every run before NextRun returns it. It depends on the
// order of time. It may change, drop or move records within the memory of the run. NextRun returns
// the result of fn, which may be empty. Through is for containers.
func (m *Merger[E]) Through(fn func([]Record, []E) ([]Record, []E)) *Merger[E] {
	m.through = fn
	return m
}

// Close ends the merge. It may be called before the last record.
func (m *Merger[E]) Close() {
	m.heads, m.first, m.settled = nil, nil, false
	if m.close != nil {
		m.close()
		m.close = nil
	}
}

// advance begins the merge, or continues after the end of a batch, and moves the next head to the
// front. The error is io.EOF if there is no head. The error of a context ends the merge.
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
		m.first = nil // so that its batch is not fetched again
	}
	err = m.ended(err)
	m.settled = err == nil
	return err
}

// ended closes the merge if err comes from a context, or if no stream is left. In the second case
// it returns io.EOF, otherwise err.
func (m *Merger[E]) ended(err error) error {
	if err == nil && (m.heads == nil || m.queue.n == 0 && (m.live == nil || len(m.live.pending) == 0)) {
		err = io.EOF
	}
	if err == io.EOF || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		m.Close()
	}
	return err
}

// begin loads all heads. Streams that fail here end. Their errors are reported together, and the
// other streams stay at their heads.
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

// load fetches the next batch of a stream and returns its first time. It returns false if the
// stream has ended or is pending. For a pending stream, err is ErrPending.
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
