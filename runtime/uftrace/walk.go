package uftrace

import (
	"encoding/binary"
	"math/bits"

	"github.com/tracec/tracec/runtime/record"
)

// state is why a walk stopped.
type state uint8

const (
	full      state = iota // the batch
	needMore               // bytes
	lostTrack              // no record at pos
)

// walk takes records from the buffer into recs and ents until the batch is full, the buffer ends within a record or
// there is none. All that a batch aliases stays in the buffer until the next call.
func (s *Stream) walk(recs []record.Record, ents []Entry) (n int, st state) {
	ents = ents[:len(recs)]
	buf, pos := s.buf, s.pos
	for n < len(recs) {
		if len(buf)-pos < recordSize {
			s.pos = pos
			return n, needMore
		}
		time, word := binary.LittleEndian.Uint64(buf[pos:]), binary.LittleEndian.Uint64(buf[pos+8:])
		if s.big {
			time, word = bits.ReverseBytes64(time), bits.ReverseBytes64(word)
		}
		if word>>3&7 != recordMark {
			s.pos = pos
			return n, lostTrack
		}
		addr, kind := word>>16, Kind(word&3)
		e := &ents[n]
		*e = Entry{Addr: addr, Depth: uint16(word >> 6 & 1023), Kind: kind, More: word&4 != 0}
		rec := &recs[n]
		rec.Time, rec.Data, rec.Lost, rec.CPU, rec.Task = time, nil, 0, -1, s.task.TID
		switch kind {
		case Enter, Leave:
			if time < s.from || time >= s.to {
				s.enterSession(time)
			}
			rec.ID = NoSymbol
			if s.cache != nil {
				if e.Sym = s.cache.find(addr, time); e.Sym != nil {
					rec.ID = uint32(e.Sym.Index)
				}
			}
		case Event:
			rec.ID = uint32(addr)
		case Lost:
			rec.ID, rec.Lost = NoSymbol, int64(addr)
		}
		if word&4 == 0 {
			pos += recordSize
			n++
			s.payload = -1
		} else {
			size, st := s.payloadAt(buf[pos+recordSize:], e, rec)
			if st == needMore && !s.eof {
				s.pos = pos
				return n, needMore
			}
			s.payload = s.off + int64(pos) + recordSize
			if st != full {
				if n > 0 { // the damage belongs behind what comes before
					s.pos, s.payload = pos, -1
					return n, st
				}
				return s.unknownPayload(pos, time, st)
			}
			pos += recordSize + size
			n++
		}
		if time-s.last <= maxSilence {
			s.last = time
		} else if kind != Lost {
			s.jump(time)
		}
	}
	s.pos = pos
	return n, full
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
	rec.Data = data[skip : skip+n : size] // the padding behind it is for who prints files byte by byte
	return size, full
}
