package aix

import (
	"slices"
	"sync"
)

// portion is the decision about a part of the window: it is an entry, or a gap.
type portion struct {
	end  int // in the window
	gap  bool
	open bool // the gap may continue
}

// tables are for the guesses of streams. They have 230 KiB each, and streams need them only for a
// short time.
var tables = sync.Pool{New: func() any { return new([]guess) }}

// plan decides how to read the bytes from the current place on, at least reach of them.
func (s *Stream) plan(reach int) {
	b := s.win.buf[s.win.pos:]
	far := min(len(b), reach+horizon)
	end := s.win.last && far == len(b)
	limit := reach + decided
	if end {
		limit = far
	}
	table := tables.Get().(*[]guess)
	defer func() {
		s.doubt.guesses = nil
		tables.Put(table)
	}()
	*table = slices.Grow((*table)[:0], far+1)[:far+1]
	s.doubt.guesses = *table
	s.explain(b, far, end)
	s.doubt.plans, s.doubt.planned = s.doubt.plans[:0], 0
	if s.past.known.entries < fewKnown {
		if !s.gap.open() && end && s.intact(b, far) {
			for p := 0; p <= reach; p += int(s.doubt.guesses[p].size) {
				s.doubt.plans = append(s.doubt.plans, portion{end: s.win.pos + p + int(s.doubt.guesses[p].size)})
			}
			return
		}
		if s.begins(b) < far {
			s.study(b, far, end)
		}
	}
	s.commit(b, far, limit, end)
}

// intact reports whether b consists of entries, without known evidence for other entries. At the
// beginning of a trace even unusual entries are accepted: repeated data in an entry can look like a
// trace.
func (s *Stream) intact(b []byte, far int) bool {
	return s.doubt.guesses[0].whole && s.worth(b, far, s.begins(b), false) < compelling+s.worth(b, far, 0, true)
}

// worth returns the evidence for the best chain from the place p, minus its gaps, or for the chain
// without gaps. If nothing is known, it returns the evidence of the stamps.
func (s *Stream) worth(b []byte, far, p int, joined bool) (bits int32) {
	if p > 0 {
		bits += bitsGap
	}
	for p < far {
		g := &s.doubt.guesses[p]
		end, next := p+int(g.size), int(g.next)
		if joined {
			next = end
		}
		if h, whole := s.past.whole(b[p:]); whole && s.past.known.entries > 0 {
			bits += max(s.past.weigh(b[p:], &h), 0)
		}
		if next != end {
			bits += bitsGap
		} else if next < far && g.stamp >= 0 && s.doubt.guesses[next].stamp >= 0 {
			if d := s.past.transition(b, p, g, next, &s.doubt.guesses[next]); d != bitsSame {
				bits += max(d, 0)
			}
		}
		p = next
	}
	return bits
}

// compelling is the advantage over the apparent entries that other entries need before anything is
// known.
const compelling = 60

// fewKnown is the number of entries that must be known before only they are the measure for others.
const fewKnown = 64

// study temporarily learns from the apparent trace, to examine it again with this knowledge.
func (s *Stream) study(b []byte, far int, end bool) {
	before := *s.past.known
	for p := s.begins(b); p < far; p = int(s.doubt.guesses[p].next) {
		if h, whole := s.past.whole(b[p:]); whole && h.id != 0 {
			s.past.known.learn(b[p:], &h)
		}
	}
	s.explain(b, far, end)
	*s.past.known = before
}

// begins returns the place at which entries continue: this one, or a later one.
func (s *Stream) begins(b []byte) int {
	g := &s.doubt.guesses[0]
	if g.value == never {
		return int(g.gap)
	}
	here, later := g.value+s.past.arrival(b, 0, g), g.best
	if !s.gap.open() {
		later += bitsGap
		if g.stamp >= 0 && s.past.stamped {
			here += bitsFar
		}
		if g.whole && later < convincing {
			return 0
		}
	}
	if here >= later {
		return 0
	}
	return int(g.gap)
}

// commit plans the entries and gaps that begin before limit.
func (s *Stream) commit(b []byte, far, limit int, end bool) {
	at := 0
	gap := func(to int) {
		if to == at {
			return
		}
		open := !end && to >= limit
		if open {
			to = limit
		}
		s.doubt.plans = append(s.doubt.plans, portion{end: s.win.pos + to, gap: true, open: open})
		at = to
	}
	for gap(s.begins(b)); at < limit; {
		g := &s.doubt.guesses[at]
		if int(g.size) > len(b)-at || len(b)-at < s.past.form.step() { // it is incomplete
			gap(far)
			return
		}
		next := int(g.next)
		at += int(g.size)
		s.doubt.plans = append(s.doubt.plans, portion{end: s.win.pos + at})
		if at < limit {
			gap(next)
		}
	}
}

// proceed carries out the next plan. It reports whether there was room for it.
func (s *Stream) proceed() bool {
	p, b := s.doubt.plans[s.doubt.planned], s.win.buf[s.win.pos:]
	if !p.gap {
		h, _ := s.past.whole(b)
		if s.out.n == batchSize || h.reform && !s.out.room(&h) {
			return false
		}
		if s.gap.open() { // a gap that was open
			s.close()
		}
		if s.past.overrun(b, &h) > 0 {
			s.doubt.plans = s.doubt.plans[:0]
			return s.skip(s.hidden(b))
		}
		s.past.widen(b, &h)
		s.emit(b, &h)
	} else {
		if !s.gap.open() {
			h, _ := s.past.whole(b)
			s.begin(s.reason(b, &h, p.end == len(s.win.buf)))
		}
		s.win.pos = p.end
		if !p.open {
			s.close()
		}
	}
	s.doubt.planned++
	return true
}
