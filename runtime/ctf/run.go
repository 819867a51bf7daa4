package ctf

import "github.com/tracec/tracec/runtime/internal/choice"

// maxSkipped bounds the events of kinds that are not selected in a batch without records. A walk
// can be stopped at the end of a batch.
const maxSkipped = 1 << 16

// run adds events to the batch, as long as the window contains them. The headers of the events must
// have constant places, and their form must equal the packet's. [Stream.event] handles any other
// event, and also finds errors in events. Events of kinds that are not selected get no record,
// except for one after a loss. last reports that this event is the last one of the batch, because
// the next batch is sieved.
func (s *Stream) run() (last bool) {
	m, class := &s.m, s.class
	q := class.quick
	if q == nil || m.at&7 != 0 {
		return false
	}
	data, base, mask := m.data, m.base/8, q.align/8-1
	at, limit, clock := m.at/8-base, (m.end-m.base)/8, m.clock
	kinds, context, offset := s.kinds(), s.pk.context, s.pk.offset+int64(base)
	n, records, entries := len(s.made.records), s.made.records[:maxBatch], s.made.entries[:maxBatch]
	for n < maxBatch {
		place := (at+base+mask)&^mask - base
		start := place + q.bytes
		if place+q.need > uint64(len(data)) || start > limit {
			break
		}
		word := q.id.word(data[place:])
		id, time := q.id.of(word), uint64(0)
		if q.together {
			time = q.time.of(word)
		} else {
			time = q.time.load(data[place:])
		}
		ev := class.event(id)
		if id-q.first > q.span || ev == nil || ev.steps == nil {
			break
		}
		if q.idSlot >= 0 {
			m.slots[q.idSlot] = id
		}
		now, end := advanced(clock, time, q.time.mask), start+uint64(ev.fixed)
		if ev.fixed < 0 {
			idle := m.idle
			m.at, m.clock = (base+start)*8, now
			size, err := m.measure(ev.steps, data[start:limit])
			if m.at, end, now = (base+at)*8, start+size, m.clock; err != nil { // a field may be a time
				m.idle, m.clock = idle, clock
				break
			}
		} else if end > limit {
			break
		}
		from := at
		at, clock = end, now
		wanted := kinds == nil || kinds.Has(uint32(ev.Index))
		if !wanted && s.harm.lost == 0 {
			s.made.skipped++
			continue
		}
		r, e := &records[n], &entries[n]
		n++
		r.Time, r.Data = class.clock.nanoseconds(clock), data[start:end:end]
		r.Lost, r.ID = s.harm.lost, uint32(ev.Index)
		r.CPU, r.Task, r.Stream = s.pk.cpu, -1, s.made.index
		if ev.threads.id.class != nil {
			r.Task = ev.task(r.Data)
		}
		e.Event, e.Cycles, e.Offset, e.Packet = ev, clock, offset+int64(from), context
		s.harm.lost = 0
		if !wanted {
			s.made.sieved, last = false, true
			break
		}
	}
	s.made.records, s.made.entries = records[:n], entries[:n]
	m.at, m.clock = (base+at)*8, clock
	return last
}

// kinds returns the kinds that get records, or nil for all.
func (s *Stream) kinds() *choice.Kinds {
	if s.onPacket != nil {
		return nil
	}
	return s.choice.Kinds()
}
