package uftrace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/tracec/tracec/runtime/record"
)

// maxSilence is the maximum distance of a time from the last record: a month, in nanoseconds. Noise
// is 7000 times as far.
const maxSilence = 30 * 24 * 3600 * 1e9

// jump handles a time that is not shortly after the last one. A single one may be damage. If two
// agree, they are accepted.
func (v *previous) jump(time uint64) { v.time, v.other = jump(v.time, v.other, time) }

func jump(last, other, time uint64) (uint64, uint64) {
	if last == 0 || time-other <= maxSilence && other != 0 {
		return time, 0
	}
	return last, time
}

// unknownPayload yields a record whose payload has an unknown length, without the payload.
func (s *Stream) unknownPayload(time uint64, st state) (int, state) {
	s.in.pos += recordSize
	if time-s.prev.time <= maxSilence {
		s.prev.time = time
	}
	at := s.in.off + int64(s.in.pos)
	why := fmt.Errorf("%w: of the record at offset %d, address %x", ErrPayload, at-recordSize, s.out.ents[0].Addr)
	if st == needMore {
		why = fmt.Errorf("%w within the payload of the record at offset %d", ErrTruncated, at-recordSize)
	}
	g := gap{from: at, at: at, why: why}
	if m := s.withoutDebug(s.out.ents[0].Addr, time); m != nil && st != needMore {
		g.file = m.Name + ".dbg"
		g.why = fmt.Errorf("%w: payloads of functions of %s have no known length without it", ErrMissing, m.Name)
	}
	s.leave(g)
	return 1, full
}

// withoutDebug returns the module of an address if the specs of that module were in a missing .dbg
// file. Otherwise it returns nil.
func (s *Stream) withoutDebug(addr, time uint64) *Module {
	if s.r.info.Features&FeatDebugInfo == 0 {
		return nil
	}
	if sym, _ := s.task.SessionAt(time).Find(addr, time); sym != nil && sym.Module.debug == nil {
		return sym.Module
	}
	return nil
}

// resync continues at the next plausible record. A payload of the last record may have been shorter
// than its specs, so the search begins in it.
func (s *Stream) resync() {
	at := s.in.off + int64(s.in.pos)
	if s.prev.payloadEnd == at {
		s.in.pos, s.prev.payloadEnd = int(s.prev.payload-s.in.off), -1
	}
	s.leave(gap{from: s.in.off + int64(s.in.pos), at: at, why: fmt.Errorf("%w: no record", ErrCorrupt)})
}

// gap is a place without a record.
type gap struct {
	from, at int64 // the place where the search begins, and where a record was expected
	why      error
	file     string // a missing file, which has one message for all its gaps; if empty, the stream's own file
}

// leave moves to the next plausible record, or notes that it must wait for more of the file.
func (s *Stream) leave(g gap) {
	if !s.search() {
		s.grow.gap = &g
		return
	}
	s.grow.gap = nil
	to := s.in.off + int64(s.in.pos)
	if to < g.at {
		s.note(g.from, to-g.from, fmt.Errorf("%w: it is shorter than its specs", ErrPayload))
		return
	}
	if g.file != "" {
		s.log().Note(g.file, 0, 0, g.why)
		return
	}
	s.note(g.at, to-g.at, g.why)
	if to > g.at && errors.Is(g.why, ErrCorrupt) {
		s.skipped.add(record.LostUnknown)
	}
}

// search sets pos to the next plausible record in steps of 8 bytes, or to the end. It returns false
// if the bytes to examine have not been written yet.
func (s *Stream) search() bool {
	for {
		b := s.peek(3 * recordSize)
		switch {
		case len(b) < 3*recordSize && !s.in.eof: // the file is being followed
			return false
		case len(b) < recordSize:
			s.in.pos = len(s.in.buf)
			return true
		case s.plausible(b):
			return true
		}
		s.in.pos += 8
	}
}

// words returns the two numbers of a record.
func (s *Stream) words(b []byte) (time, word uint64) {
	time, word = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	if s.big {
		time, word = bits.ReverseBytes64(time), bits.ReverseBytes64(word)
	}
	return time, word
}

// plausible distinguishes a record from noise by marker, kind, depth, time and the target of the
// address.
func (s *Stream) plausible(b []byte) bool {
	time, word := s.words(b)
	addr, more := word>>16, word&4 != 0
	if word>>3&7 != recordMark {
		return false
	}
	if Kind(word&3) == Lost {
		// Many payloads also contain zeros and a small number.
		b = b[recordSize:]
		return time == 0 && !more && addr > 0 && addr < 1<<32 && len(b) >= recordSize &&
			Kind(b[s.kindByte()]&3) != Lost && s.plausible(b)
	}
	if s.prev.time != 0 && time-s.prev.time > maxSilence || int(word>>6&1023) >= max(s.r.info.MaxStack, 1) {
		return false
	}
	if Kind(word&3) == Event {
		_, user := s.r.meta.user[uint32(addr)]
		return addr < 1<<32 && (user || fixedEvent(uint32(addr)) != "")
	}
	session := s.task.SessionAt(time)
	if sym, _ := session.Find(addr, time); sym != nil {
		return true
	}
	if session.hasSymbols() {
		return false
	}
	// No symbol has a name here. Then the next bytes must also be a record.
	if len(b) == recordSize {
		return true
	}
	if len(b) < 2*recordSize || more {
		return false
	}
	next, word := s.words(b[recordSize:])
	return word>>3&7 == recordMark && next-time <= maxSilence
}

// kindByte returns the offset of the kind in a record.
func (s *Stream) kindByte() int {
	if s.big {
		return 15
	}
	return 8
}

func (s *Session) hasSymbols() bool {
	if s == nil {
		return false
	}
	for i := range s.Maps {
		if len(s.Maps[i].Module.Symbols) > 0 {
			return true
		}
	}
	return false
}
