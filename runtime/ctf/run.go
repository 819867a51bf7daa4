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
	batch, at, clock := &s.made, m.at, m.clock
	for len(batch.records) < maxBatch {
		head := (at+q.align-1)&^(q.align-1) - m.base
		place, start := head/8, (head+q.size+7)/8
		if place+q.need > uint64(len(data)) || start > limit {
			break
		}
		header := data[place:]
		id := q.id.load(header)
		ev := s.class.event(id)
		if id-q.first > q.span || ev == nil || ev.steps == nil {
			break
		}
		if q.idSlot >= 0 {
			m.slots[q.idSlot] = id
		}
		now, idle, size := advanced(clock, q.time.load(header), q.time.mask), m.idle, uint64(ev.fixed)
		if ev.fixed < 0 {
			var err error
			m.at, m.clock = m.base+start*8, now
			if size, err = m.measure(ev.steps, data[start:limit]); err != nil {
				m.idle = idle
				break
			}
			now = m.clock // a field may be a time
		} else if size > limit-start {
			break
		}
		end := start + size
		from := at
		at, clock = m.base+end*8, now
		wanted := kinds == nil || kinds.Has(uint32(ev.Index))
		if !wanted && s.harm.lost == 0 {
			batch.skipped++
			continue
		}
		r, e := batch.next() // as add does, whose call would take a tenth of the time
		r.Time, r.Data = s.class.clock.nanoseconds(clock), data[start:end:end]
		r.Lost, r.ID = s.harm.lost, uint32(ev.Index)
		r.CPU, r.Task, r.Stream = s.pk.cpu, -1, batch.index
		if ev.threads.id.class != nil {
			r.Task = ev.task(r.Data)
		}
		e.Event, e.Cycles, e.Offset, e.Packet = ev, clock, s.pk.offset+int64(from/8), s.pk.context
		s.harm.lost = 0
		if !wanted {
			batch.sieved, last = false, true
			break
		}
	}
	m.at, m.clock = at, clock
	return last
}

// kinds returns the kinds that get records; nil for all.
func (s *Stream) kinds() *choice.Kinds {
	if s.told != nil {
		return nil
	}
	return s.choice.Kinds()
}
