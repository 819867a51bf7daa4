package lttng

import "strings"

// isCompact reports whether the file is a compact channel (lttng.md 4.2).
func (f *File) isCompact() bool { return strings.HasPrefix(f.Channel, "/compact") }

// plain reads an event of 0.x, 1.0 or the seed: time stamp, id and size (lttng.md 4.1).
func (s *Stream) plain(ev *event) status {
	if s.hi-s.pos < maxEventHeader && s.hi < s.used {
		ev.need = maxEventHeader
		return more
	}
	h, o := s.head, s.head.order
	p := s.pos
	if h.alignment != 0 {
		p = alignUp(p, min(h.alignment, h.word))
	}
	n := 12
	if h.heartbeat {
		n = 8
	}
	if p+n > s.hi {
		return s.tail(ev)
	}
	b := s.buf[p-s.lo:]
	if h.heartbeat {
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
	if ev.size == large { // or more: the fields give the size
		ev.size = -1
	}
	if p += n; h.alignment != 0 {
		p = alignUp(p, h.word)
	}
	st := s.payload(ev, s.marker(id), p)
	if st == fine && ev.marker != nil {
		s.heartbeat(ev)
	}
	return st
}

// wrap takes a time stamp that holds the bits of mask. It counts from the event before.
func (ev *event) wrap(stamp, mask uint64) {
	if stamp < ev.tsc&mask {
		ev.tsc += mask + mask&-mask
	}
	ev.tsc = ev.tsc&^mask | stamp
}

// heartbeat takes the full time of a heartbeat that has one. It is also the time of the event
// (lttng.md 5.1).
func (s *Stream) heartbeat(ev *event) {
	if ev.marker.beats && len(ev.data) >= 8 {
		ev.tsc = s.head.order.Uint64(ev.data)
	}
}

// compact reads an event of a compact channel: one word with a few bits of the time, the id, and
// data (lttng.md 4.2).
func (s *Stream) compact(ev *event) status {
	if s.hi-s.pos < maxEventHeader && s.hi < s.used {
		ev.need = maxEventHeader
		return more
	}
	h := s.head
	p := s.pos
	if h.alignment != 0 {
		p = alignUp(p, min(h.alignment, 4))
	}
	if p+4 > s.hi {
		return s.tail(ev)
	}
	w := h.order.Uint32(s.buf[p-s.lo:])
	mask := uint64(1)<<h.tscBits - 1
	ev.wrap(uint64(w)&mask<<h.tscLSB, mask<<h.tscLSB)
	shift := s.trace.compactShift(h)
	id := w >> h.tscBits
	if shift > h.tscBits {
		id &= 1<<(shift-h.tscBits) - 1
	}
	m := s.marker(s.trace.compactID(id))
	if m == nil || !m.compact {
		st := s.payload(ev, m, p+4)
		if st == fine && m != nil {
			s.heartbeat(ev)
		}
		return st
	}
	return s.compactPayload(ev, m, p+4, w>>shift)
}

// compactPayload puts the field that the writer kept in the word in front of the others.
func (s *Stream) compactPayload(ev *event, m *Marker, p int, data uint32) status {
	first := m.Fields[0]
	rest := *m
	rest.Fields = m.Fields[1:]
	rest.finish()
	if st := s.payload(ev, &rest, p); st != fine {
		return st
	}
	ev.marker = m
	at := len(s.scratch)
	var word [8]byte
	if s.trace.info.BigEndian {
		s.head.order.PutUint64(word[:], uint64(data))
		s.scratch = append(s.scratch, word[8-first.Size:]...)
	} else {
		s.head.order.PutUint64(word[:], uint64(data))
		s.scratch = append(s.scratch, word[:first.Size]...)
	}
	s.scratch = append(s.scratch, ev.data...)
	ev.data = s.scratch[at:len(s.scratch):len(s.scratch)]
	return fine
}
