package ctf

import (
	"math"

	"github.com/tracec/tracec/runtime/internal/choice"
)

// maxSkipped bounds the events of kinds that are not selected in a batch without records: its end
// is a place to stop.
const maxSkipped = 1 << 16

// run adds events to the batch whose header has constant places, and whose form is that of the
// packet, while the window holds them. Any other event is left to [Stream.event], which also finds
// what is wrong with one. Events of kinds that are not selected get no record. cut reports that the
// batch ends before the next event.
func (s *Stream) run() (cut bool) {
	m, q, class := &s.m, s.class.quick, s.class
	if q == nil {
		return false
	}
	kinds, last := s.sieve()
	limit := (m.end - m.base) / 8
	for len(s.made.records) < maxBatch {
		at := (m.at + q.align - 1) &^ (q.align - 1)
		place := (at - m.base) / 8
		if place+uint64(q.need) > uint64(len(m.data)) {
			return false
		}
		header := m.data[place:]
		id := q.id.load(header)
		ev := class.event(id)
		start := (at - m.base + q.size + 7) / 8
		if id-q.first > q.span || ev == nil || ev.steps == nil || start > limit {
			return false
		}
		from, clock, idle := m.at, m.clock, m.idle
		q.note(m, id, header)
		end := start + uint64(ev.fixed)
		if ev.fixed < 0 {
			m.at = m.base + start*8
			if m.walk(ev.steps) != nil {
				m.at, m.clock, m.idle = from, clock, idle
				return false
			}
			end = (m.at - m.base) / 8
		} else if end > limit {
			m.clock = clock
			return false
		}
		m.at = m.base + end*8
		time := class.clock.nanoseconds(m.clock)
		if kinds != nil {
			if time > last {
				if s.ends(time) {
					m.at, m.clock, m.idle = from, clock, idle
					return true
				}
				kinds = nil
			} else if s.harm.lost == 0 && !kinds.Has(uint32(ev.Index)) {
				s.number++
				s.made.skipped++
				continue
			}
		}
		s.made.mixed = s.made.mixed || kinds == nil || s.harm.lost != 0
		s.add(ev, m.data[start:end:end], from, time)
	}
	return false
}

// ends reports that the batch must end before an event after the end of the part. The place of the
// part's end counts all events of a batch from there on.
func (s *Stream) ends(time uint64) bool {
	if s.part == nil || time <= s.part.Last-1 { // for 0, no event is later
		return false
	}
	s.made.late = true
	return s.made.skipped > 0 && len(s.made.records) > 0
}

// sieve returns the kinds that get records, nil for all, and the last time of the part that is
// read. Until the part begins, and where it ends, all events count.
func (s *Stream) sieve() (kinds *choice.Kinds, last uint64) {
	switch {
	case s.told != nil:
		return nil, 0
	case s.part == nil:
		return s.choice.Kinds(), math.MaxUint64
	case s.part.Begun && !s.made.late:
		return s.choice.Kinds(), s.part.Last - 1
	}
	return nil, 0
}
