package ctf

import "github.com/tracec/tracec/runtime/internal/choice"

// maxSkipped bounds the events of kinds that are not selected in a batch without records: its end
// is a place to stop.
const maxSkipped = 1 << 16

// run adds events to the batch whose header has constant places, and whose form is that of the
// packet, while the window holds them. Any other event is left to [Stream.event], which also finds
// what is wrong with one. Events of kinds that are not selected get no record, except for one after
// a loss. last reports that this is the last one of the batch: the next batch is sieved.
func (s *Stream) run() (last bool) {
	m, q := &s.m, s.class.quick
	if q == nil {
		return false
	}
	kinds, data, limit := s.kinds(), m.data, (m.end-m.base)/8
	for len(s.made.records) < maxBatch {
		at := (m.at + q.align - 1) &^ (q.align - 1)
		place := (at - m.base) / 8
		if place+q.need > uint64(len(data)) {
			return false
		}
		header := data[place:]
		id := q.id.load(header)
		ev := s.class.event(id)
		start := (at - m.base + q.size + 7) / 8
		if id-q.first > q.span || ev == nil || ev.steps == nil || start > limit {
			return false
		}
		from, clock, idle := m.at, m.clock, m.idle
		q.note(m, id, header)
		size := uint64(ev.fixed)
		if ev.fixed < 0 {
			m.at = m.base + start*8
			var err error
			if size, err = m.measure(ev.steps, data[start:limit]); err != nil {
				m.at, m.clock, m.idle = from, clock, idle
				return false
			}
		} else if size > limit-start {
			m.clock = clock
			return false
		}
		end := start + size
		m.at = m.base + end*8
		if kinds == nil || kinds.Has(uint32(ev.Index)) {
			s.add(ev, data[start:end:end], from)
			continue
		}
		if s.harm.lost != 0 {
			s.add(ev, data[start:end:end], from)
			return true
		}
		s.made.skipped++
	}
	return false
}

// kinds returns the kinds that get records; nil for all.
func (s *Stream) kinds() *choice.Kinds {
	if s.told != nil {
		return nil
	}
	return s.choice.Kinds()
}
