package record

import (
	"errors"
	"io"
	"iter"
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
type Merger struct {
	// tree is a loser tree: tree[1:] are inner nodes that hold the loser of the match played there,
	// leaf i is at position len(heads)+i. The overall winner is in win.
	tree  []player
	heads []head
	rest  []Record // of the run that Next is taking apart
	win   int32
	first int // where the last run begins in its batch
	begun bool
	// loaded is called after a stream has given a batch; it may be nil.
	loaded func(stream int)
	failed []error // of streams, met by All
}

// player is what a match needs of a head, so that matches touch no memory but the tree.
type player struct {
	time  uint64
	order int32
	leaf  int32
}

func (x player) before(y player) bool {
	return x.time < y.time || x.time == y.time && x.order < y.order
}

// head is what the tree knows about one stream.
type head struct {
	time   uint64
	order  int // tie break; a stream that ended sorts after all live ones
	batch  []Record
	pos    int
	stream Stream
	// numbered reports whether the stream sets Record.Stream itself.
	numbered bool
	err      error // returned once the batch that came with it is used up
}

// NewMerger prepares the merge of streams. Nothing is read before the first call of NextRun, Next or
// Run. Record.Stream of every record is set to the position of its stream in the slice.
func NewMerger(streams []Stream) *Merger {
	m := &Merger{heads: make([]head, len(streams)), tree: make([]player, len(streams))}
	for i, s := range streams {
		n, ok := s.(Numbered)
		if ok {
			n.Number(int32(i))
		}
		m.heads[i] = head{stream: s, order: i, numbered: ok}
	}
	return m
}

// NextRun returns the records that come next, all of one stream and in its order: a part of that
// stream's batch, valid until the next call. The error is io.EOF after the last record. Any other
// error comes from a stream, which is left out from then on; calling again goes on with the others.
func (m *Merger) NextRun() ([]Record, error) {
	if len(m.rest) > 0 {
		run := m.rest
		m.rest = nil
		return run, nil
	}
	if len(m.heads) == 0 {
		return nil, io.EOF
	}
	if err := m.advance(); err != nil {
		return nil, err
	}
	h := &m.heads[m.win]
	if h.stream == nil {
		return nil, io.EOF
	}
	limit := m.limit()
	batch, i := h.batch, h.pos+1
	if limit == math.MaxUint64 { // the only stream that is left
		i = len(batch)
	}
	for i < len(batch) && batch[i].Time <= limit {
		i++
	}
	run := batch[h.pos:i]
	m.first, h.pos = h.pos, i
	return run, nil
}

// Next returns the record that comes next, valid until the next call; see NextRun for errors. It is
// the convenient form; Run and NextRun are faster.
func (m *Merger) Next() (*Record, error) {
	run := m.rest
	if len(run) == 0 {
		var err error
		if run, err = m.NextRun(); err != nil {
			return nil, err
		}
	}
	m.rest = run[1:]
	return &run[0], nil
}

// Run calls fn for every record in time order, until the streams end, one of them fails or fn returns
// an error, which Run returns as it is. The record is valid until fn returns.
func (m *Merger) Run(fn func(*Record) error) error {
	for {
		run, err := m.NextRun()
		if err != nil {
			return ended(err)
		}
		for i := range run {
			if err := fn(&run[i]); err != nil {
				return err
			}
		}
	}
}

// All returns an iterator over the records in time order, each valid until the next one. A stream that fails is left out from then on: Err
// says so after the loop.
func (m *Merger) All() iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		for {
			run, err := m.NextRun()
			if err == io.EOF {
				return
			}
			if err != nil { // at most one of each stream
				m.failed = append(m.failed, err)
			}
			for i := range run {
				if !yield(&run[i]) {
					return
				}
			}
		}
	}
}

// Err returns the errors of streams that All has met, joined.
func (m *Merger) Err() error { return errors.Join(m.failed...) }

// EachRun calls fn for all runs in time order. A stream that fails is left out from then on; the errors are joined.
func (m *Merger) EachRun(fn func([]Record)) error {
	var errs []error
	for {
		switch run, err := m.NextRun(); {
		case err == nil:
			fn(run)
		case errors.Is(err, io.EOF):
			return errors.Join(errs...)
		default: // at most one of each stream, after which that has ended
			errs = append(errs, err)
		}
	}
}

// ended takes the end of streams for no error.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// advance brings the head of the last winner up to date and finds the new one.
func (m *Merger) advance() error {
	if !m.begun {
		return m.begin()
	}
	h := &m.heads[m.win]
	if h.stream == nil {
		return nil
	}
	var err error
	if h.pos == len(h.batch) {
		err = m.load(m.win)
	} else {
		h.time = h.batch[h.pos].Time
	}
	m.replay()
	return err
}

// begin loads all heads and plays all matches. Streams that fail here end; their errors are reported
// together, and the others stay at their heads.
func (m *Merger) begin() error {
	m.begun = true
	var errs error
	for i := range m.heads {
		errs = errors.Join(errs, m.load(int32(i)))
	}
	n := len(m.heads)
	winners := make([]player, 2*n)
	for i := range n {
		winners[n+i] = m.player(int32(i))
	}
	for node := n - 1; node >= 1; node-- {
		a, b := winners[2*node], winners[2*node+1]
		if b.before(a) {
			a, b = b, a
		}
		winners[node], m.tree[node] = a, b
	}
	m.win = winners[1].leaf
	return errs
}

// load fetches the next batch of a stream. At its end the head sorts after all others.
func (m *Merger) load(index int32) error {
	h := &m.heads[index]
	h.batch, h.pos = nil, 0
	err := h.err
	if err == nil {
		h.batch, err = h.stream.Next()
		if len(h.batch) > 0 {
			h.err = err
			h.time = h.batch[0].Time
			if !h.numbered {
				for i := range h.batch {
					h.batch[i].Stream = index
				}
			}
			if m.loaded != nil {
				m.loaded(int(index))
			}
			return nil
		}
		if err == nil {
			err = io.ErrNoProgress // the contract of Stream is broken; asking again could go on for ever
		}
	}
	h.stream, h.time, h.order = nil, math.MaxUint64, len(m.heads)+int(index)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (m *Merger) player(leaf int32) player {
	h := &m.heads[leaf]
	return player{h.time, int32(h.order), leaf}
}

// replay plays the matches on the way from the winner's leaf to the root.
func (m *Merger) replay() {
	w, tree := m.player(m.win), m.tree
	for node := (len(tree) + int(m.win)) >> 1; node >= 1; node >>= 1 {
		if l := tree[node]; l.before(w) {
			tree[node], w = w, l
		}
	}
	m.win = w.leaf
}

// limit returns the time up to which the winner's records come before the runner-up's head. The runner-up
// lost against the winner, so it is on the winner's path to the root.
func (m *Merger) limit() uint64 {
	tree := m.tree
	if len(tree) < 2 {
		return math.MaxUint64
	}
	best := player{math.MaxUint64, math.MaxInt32, -1}
	for node := (len(tree) + int(m.win)) >> 1; node >= 1; node >>= 1 {
		if l := tree[node]; l.before(best) {
			best = l
		}
	}
	if int32(m.heads[m.win].order) < best.order {
		return best.time
	}
	return best.time - 1 // the winner's head is earlier than that time, which therefore is not 0
}
