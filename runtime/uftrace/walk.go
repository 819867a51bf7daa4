package uftrace

import (
	"encoding/binary"

	"github.com/tracec/tracec/runtime/record"
)

// state is the reason why a walk stopped.
type state uint8

const (
	full      state = iota // the batch is full
	needMore               // more bytes are needed
	lostTrack              // there is no record at pos
)

// walk decodes records from the buffer into recs and ents until the batch is full, the buffer ends
// within a record, or there are no more records. All data that a batch aliases stay in the buffer
// until the next call.
func (s *Stream) walk(recs []record.Record, ents []Entry) (n int, st state) {
	if s.out.dirty {
		s.out.dirty = false
		for i := range recs {
			recs[i].Data, recs[i].Lost = nil, 0
		}
	}
	for {
		if !s.big {
			n = s.decodeFast(recs, ents, n)
		}
		if n == len(recs) {
			return n, full
		}
		if len(s.in.buf)-s.in.pos < recordSize {
			return n, needMore
		}
		time, word := s.words(s.in.buf[s.in.pos:])
		if s.hiding != nil && s.ends(time, word) {
			if n > 0 {
				return n, full
			}
			s.hiding.skipped.Over, s.hiding = true, nil
		}
		if word>>3&7 != recordMark {
			return n, lostTrack
		}
		rec, e := &recs[n], &ents[n]
		s.describe(rec, e, time, word)
		size := 0
		if e.More {
			size, st = s.payloadAt(s.in.buf[s.in.pos+recordSize:], e, rec)
			switch {
			case st == needMore && (!s.in.eof || s.limited()):
				return n, needMore
			case st != full && n > 0: // the damage comes after the records of this batch
				return n, st
			case st != full:
				return s.unknownPayload(time, st)
			}
			s.prev.payload = s.in.off + int64(s.in.pos) + recordSize
			s.prev.payloadEnd = s.prev.payload + int64(size)
		}
		s.in.pos += recordSize + size
		n++
		if s.hiding != nil {
			s.hiding.follow(word)
		}
		if time-s.prev.time <= maxSilence {
			s.prev.time = time
		} else if e.Kind != Lost {
			s.prev.jump(time)
		}
	}
}

// decodeFast is the fast part of walk. It decodes calls of one program image, in the order of time,
// whose payloads are complete. It stops at anything else. It skips calls below hidden ones.
// Constant parts of a batch are set when the batch is allocated.
func (s *Stream) decodeFast(recs []record.Record, ents []Entry, n int) int {
	cache := s.addr.cache
	if cache == nil {
		return n
	}
	last, from, span := s.prev.time, s.addr.from, s.addr.to-s.addr.from
	slots, shift := cache.slots, cache.shift
	ents = ents[:len(recs)]
	buf := s.in.buf[s.in.pos:]
	h := s.hiding
	if n == 0 && last >= from && h == nil {
		if n = cache.decodePlain(recs, ents, buf, last, s.addr.to); n > 0 {
			buf, last = buf[n*recordSize:], recs[n-1].Time
		}
	}
	for ; n < len(recs) && len(buf) >= recordSize; n++ {
		time, word := binary.LittleEndian.Uint64(buf), binary.LittleEndian.Uint64(buf[8:])
		if word&plainBits != plainCall || time-from >= span || time-last > maxSilence {
			break
		}
		addr := word >> 16
		plain := h == nil || cache.plain.has(addr)
		if h != nil && (!h.nests(word) || !plain && h.endsAt(cache, addr, time)) {
			break
		}
		slot := &slots[addr*spread>>(shift&63)]
		if slot.addr != addr {
			slot = cache.find(addr, time)
			slots, shift = cache.slots, cache.shift
		}
		rec, e := &recs[n], &ents[n]
		next := recordSize
		if word&withData != 0 {
			if next = s.payload(rec, slot, word&1, buf); next == 0 {
				break
			}
		}
		rec.Time, rec.ID = time, slot.id|uint32(word&1)
		e.Addr, e.Sym, e.Depth, e.Kind, e.More = addr, slot.sym, uint16(word>>6&1023), Kind(word&1), word&withData != 0
		buf = buf[next:]
		last = time
		if h != nil {
			if h.follow(word); word&1 == 0 && (!plain || h.open > h.below) {
				var size int
				size, last = s.skip(buf, slot.sym, time)
				buf = buf[size:]
			}
		}
	}
	s.in.pos, s.prev.time = len(s.in.buf)-len(buf), last
	return n
}

// decodePlain is decodeFast as long as there are no payloads, all addresses are known, and times
// are not before last nor after to. It returns the number of these records.
func (c *addressCache) decodePlain(recs []record.Record, ents []Entry, buf []byte, last, to uint64) int {
	n := min(len(recs), len(buf)/recordSize)
	recs, ents, buf = recs[:n], ents[:n], buf[:n*recordSize]
	slots, shift := c.slots, c.shift&63
	for i := range recs {
		b := buf[i*recordSize:][:recordSize]
		time, word := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		if word&(plainBits|withData) != plainCall || time-last > maxSilence || time >= to {
			return i
		}
		addr := word >> 16
		slot := &slots[addr*spread>>shift]
		if slot.addr != addr {
			return i
		}
		rec, e := &recs[i], &ents[i]
		rec.Time, rec.ID = time, slot.id|uint32(word&1)
		e.Addr, e.Sym, e.Depth, e.Kind, e.More = addr, slot.sym, uint16(word>>6&1023), Kind(word&1), false
		last = time
	}
	return n
}

// payload finds the payload of a record at the start of buf, and returns the offset of the next
// record. It returns 0 if the payload is not complete in buf, or if its length is unknown.
func (s *Stream) payload(rec *record.Record, slot *addressSlot, kind uint64, buf []byte) (next int) {
	size, padded, ok := slot.payload(kind, buf[recordSize:])
	if !ok {
		return 0
	}
	next = recordSize + padded
	rec.Data = buf[recordSize : recordSize+size : next]
	s.out.dirty = true
	s.prev.payloadEnd = s.in.off + int64(len(s.in.buf)-len(buf)+next)
	s.prev.payload = s.prev.payloadEnd - int64(padded)
	return next
}

// The second word of a record.
const (
	withData  = 1 << 2
	plainBits = 0x3a // bit 1 of the kind and the marker
	plainCall = recordMark << 3
)

// describe sets everything except the payload.
func (s *Stream) describe(rec *record.Record, e *Entry, time, word uint64) {
	addr, kind := word>>16, Kind(word&3)
	*e = Entry{Addr: addr, Depth: uint16(word >> 6 & 1023), Kind: kind, More: word&withData != 0}
	rec.Time, rec.Data, rec.Lost = time, nil, 0
	switch kind {
	case Enter, Leave:
		if time < s.addr.from || time >= s.addr.to {
			s.enterSession(time)
		}
		slot := s.addr.cache.find(addr, time)
		e.Sym, rec.ID = slot.sym, slot.id|uint32(kind)
	case Event:
		rec.ID = uint32(addr)
	case Lost:
		rec.ID, rec.Lost, s.out.dirty = NoSymbol, int64(addr), true
	}
}

// payloadAt finds the payload of a record at the start of data and its padded size.
func (s *Stream) payloadAt(data []byte, e *Entry, rec *record.Record) (size int, st state) {
	skip, n := 0, 0
	switch {
	case e.Kind == Event:
		if len(data) < 8 {
			return 0, needMore
		}
		skip, n = 2, int(binary.LittleEndian.Uint16(data))
		if s.big {
			n = int(binary.BigEndian.Uint16(data))
		}
	case e.Kind == Lost || e.Sym == nil:
		return 0, lostTrack
	default:
		switch fixed := e.Sym.sizes[e.Kind]; fixed {
		case sizeUnknown:
			return 0, lostTrack
		case sizeVaries:
			specs := e.Sym.Args
			if e.Kind == Leave {
				specs = e.Sym.Results
			}
			var ok bool
			if n, ok = payloadSize(specs, data[:min(len(data), maxPayload)], s.big); !ok {
				if len(data) < maxPayload {
					return 0, needMore
				}
				return 0, lostTrack
			}
		default:
			n = int(fixed)
		}
	}
	size = (skip + n + 7) &^ 7
	if size > len(data) {
		return 0, needMore
	}
	rec.Data = data[skip : skip+n : size] // the padding after it is for printing files byte by byte
	s.out.dirty = true
	return size, full
}
