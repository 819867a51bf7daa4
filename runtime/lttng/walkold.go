package lttng

import "strings"

// isCompact reports whether the file is a compact channel (lttng.md 4.2).
func (f *File) isCompact() bool { return strings.HasPrefix(f.Channel, "/compact") }

// plain reads an event of 0.x, 1.0 or the seed: time stamp, id and size (lttng.md 4.1).
func (s *Stream) plain(ev *event) status {
	if s.sub.hi-s.sub.pos < maxEventHeader && s.sub.hi < s.sub.used {
		ev.need = maxEventHeader
		return more
	}
	h, o := s.dec.head, s.dec.head.order
	p := s.sub.pos
	if h.machine.alignment != 0 {
		p = alignUp(p, min(h.machine.alignment, h.machine.word))
	}
	n := 12
	if h.short.heartbeat {
		n = 8
	}
	if p+n > s.sub.hi {
		return s.sub.tail(ev)
	}
	b := s.sub.buf[p-s.sub.lo:]
	if h.short.heartbeat {
		ev.wrap(uint64(o.Uint32(b)), 1<<32-1)
	} else {
		ev.tsc = o.Uint64(b)
	}
	rest := b[n-4:]
	id := uint32(o.Uint16(rest))
	if h.dialect.bytePairs() { // facility and event
		id = uint32(rest[0])<<8 | uint32(rest[1])
	}
	ev.size = int(o.Uint16(rest[2:]))
	if ev.size == large { // or larger: the fields determine the size
		ev.size = -1
	}
	if p += n; h.machine.alignment != 0 {
		p = alignUp(p, h.machine.word)
	}
	st := s.payload(ev, s.dec.marker(id), p)
	if st == fine && ev.marker != nil {
		s.dec.heartbeat(ev)
	}
	return st
}

// wrap sets the time from a time stamp that has the bits of mask. It counts from the previous
// event.
func (ev *event) wrap(stamp, mask uint64) {
	if stamp < ev.tsc&mask {
		ev.tsc += mask + mask&-mask
	}
	ev.tsc = ev.tsc&^mask | stamp
}

// heartbeat sets the time from a heartbeat with a full time. It is also the time of the event
// (lttng.md 5.1).
func (d *decoder) heartbeat(ev *event) {
	if ev.marker.payload.beats && len(ev.data) >= 8 {
		ev.tsc = d.head.order.Uint64(ev.data)
	}
}

// compact reads an event of a compact channel: one word with a few bits of the time, the id, and
// data (lttng.md 4.2).
func (s *Stream) compact(ev *event) status {
	if s.sub.hi-s.sub.pos < maxEventHeader && s.sub.hi < s.sub.used {
		ev.need = maxEventHeader
		return more
	}
	h := s.dec.head
	p := s.sub.pos
	if h.machine.alignment != 0 {
		p = alignUp(p, min(h.machine.alignment, 4))
	}
	if p+4 > s.sub.hi {
		return s.sub.tail(ev)
	}
	w := h.order.Uint32(s.sub.buf[p-s.sub.lo:])
	mask := uint64(1)<<h.short.bits - 1
	ev.wrap(uint64(w)&mask<<h.short.lsb, mask<<h.short.lsb)
	shift := s.trace.compactShift(h)
	id := w >> h.short.bits
	if shift > h.short.bits {
		id &= 1<<(shift-h.short.bits) - 1
	}
	m := s.dec.marker(s.trace.compactID(id))
	if m == nil || !m.payload.compact {
		st := s.payload(ev, m, p+4)
		if st == fine && m != nil {
			s.dec.heartbeat(ev)
		}
		return st
	}
	return s.compactPayload(ev, m, p+4, w>>shift)
}

// compactPayload puts the field that is in the word in front of the others.
func (s *Stream) compactPayload(ev *event, m *Marker, p int, data uint32) status {
	first := m.Fields[0]
	rest := *m
	rest.Fields = m.Fields[1:]
	rest.finish()
	if st := s.payload(ev, &rest, p); st != fine {
		return st
	}
	ev.marker = m
	at := len(s.dec.scratch)
	var word [8]byte
	if s.trace.info.BigEndian {
		s.dec.head.order.PutUint64(word[:], uint64(data))
		s.dec.scratch = append(s.dec.scratch, word[8-first.Size:]...)
	} else {
		s.dec.head.order.PutUint64(word[:], uint64(data))
		s.dec.scratch = append(s.dec.scratch, word[:first.Size]...)
	}
	s.dec.scratch = append(s.dec.scratch, ev.data...)
	ev.data = s.dec.scratch[at:len(s.dec.scratch):len(s.dec.scratch)]
	return fine
}
