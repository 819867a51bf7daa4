package record

import (
	"context"
	"errors"
	"io"
	"math"
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
	tree  losers
	win   player
	heads []head[E] // nil after Close
	begun bool

	through func([]Record, []E) ([]Record, []E) // nil: none
	close   func()                              // nil after its call
	failed  failures                            // met by All
}

// head is where the merge is in one stream.
type head[E any] struct {
	batch  Batch[E]
	pos    int
	source source[E]
}

// Merge prepares the merge of streams, of which nothing has been read. Record.Stream of every record is the position of its stream in
// the slice. close is called at the end of the last stream or by Close, whichever comes first; it may be nil.
func Merge[E any, S Stream[E]](streams []S, close func()) *Merger[E] {
	m := &Merger[E]{heads: make([]head[E], len(streams)), close: close}
	for i, s := range streams {
		m.heads[i].source = newSource[E](s, i)
	}
	return m
}

// Only prepares to read one stream by itself, whose position is index.
func Only[E any, S Stream[E]](s S, index int) *Merger[E] {
	return &Merger[E]{heads: []head[E]{{source: newSource[E](s, index)}}}
}

// NextRun returns the records that come next and their entries, one each, all of one stream and in its order: a part of that
// stream's batch, valid until the next call. The error is io.EOF after the last record. Any other
// error comes from a stream, which is left out from then on; calling again goes on with the others. That of a context which
// is done ends the merge.
//
// These are two slices, since a Batch has more words than Go keeps in registers: it would cost as much as the rest of a call.
func (m *Merger[E]) NextRun() ([]Record, []E, error) {
	for {
		if err := m.advance(); err != nil {
			if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				m.Close()
			}
			return nil, nil, err
		}
		h := &m.heads[m.win.leaf]
		limit := m.tree.limit(m.win)
		records, first := h.batch.Records, h.pos
		i := first + 1
		if limit == math.MaxUint64 { // the only stream that is left
			i = len(records)
		}
		for i < len(records) && records[i].Time <= limit {
			i++
		}
		h.pos = i
		records, entries := records[first:i], h.batch.Entries[first:i]
		if m.through != nil {
			if records, entries = m.through(records, entries); len(records) == 0 {
				continue
			}
		}
		return records, entries, nil
	}
}

// Through has fn see every run before NextRun returns it, for what depends on the order of time, and returns m. NextRun returns what fn
// does: the run, or what fn moved together in its memory, which may be nothing. It is for containers.
func (m *Merger[E]) Through(fn func([]Record, []E) ([]Record, []E)) *Merger[E] {
	m.through = fn
	return m
}

// Close ends the merge, also before its last record.
func (m *Merger[E]) Close() {
	m.heads = nil
	if m.close != nil {
		m.close()
		m.close = nil
	}
}

// advance brings the head of the last winner up to date and finds the new one. The error is io.EOF when there is none.
func (m *Merger[E]) advance() (err error) {
	if len(m.heads) == 0 {
		m.Close()
		return io.EOF
	}
	if !m.begun {
		err = m.begin()
	} else {
		h := &m.heads[m.win.leaf]
		if h.pos < len(h.batch.Records) {
			m.win.time = h.batch.Records[h.pos].Time
		} else {
			m.win, err = m.load(m.win.leaf)
		}
		m.win = m.tree.replay(m.win)
	}
	if err == nil && int(m.win.order) >= len(m.heads) {
		m.Close()
		return io.EOF
	}
	return err
}

// begin loads all heads and plays all matches. Streams that fail here end; their errors are reported
// together, and the others stay at their heads.
func (m *Merger[E]) begin() error {
	m.begun = true
	players := make([]player, len(m.heads))
	var errs failures
	for i := range players {
		var err error
		if players[i], err = m.load(int32(i)); err != nil {
			errs.add(err)
		}
	}
	m.tree, m.win = newLosers(players)
	return errs.join()
}

// load fetches the next batch of a stream. At its end the stream sorts after all others.
func (m *Merger[E]) load(leaf int32) (player, error) {
	h := &m.heads[leaf]
	var err error
	h.pos = 0
	if h.batch, err = h.source.next(); err == nil {
		return player{h.batch.Records[0].Time, leaf, leaf}, nil
	}
	h.source.err = io.EOF
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return player{math.MaxUint64, int32(len(m.heads)) + leaf, leaf}, err
}
