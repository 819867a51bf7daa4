package ftrace

import (
	"encoding/binary"

	"github.com/tracec/tracec/runtime/record"
)

// Types of a ring-buffer event (include/linux/ring_buffer.h; ftrace.md 2.2). Types 1 to 28 are
// records whose payload has that many words.
const (
	typeLong    = 0 // a record with its length in the next word
	typeMaxData = 28
	typePadding = 29
	typeExtend  = 30
	typeStamp   = 31
)

// The commit word of a page (kernel/trace/ring_buffer.c: RB_MISSED_*; libtraceevent masks 27 bits).
const (
	commitMask   = 1<<27 - 1
	commitMissed = 1 << 31
	commitStored = 1 << 30
)

// topBits are the bits of a time that do not fit into an absolute stamp.
const topBits = 0xf8 << 56

// A page is the position of a walk in a sub-buffer.
type page struct {
	data []byte // from the page's first byte to the end of the committed bytes
	pos  int    // of the next event
	time uint64
	lost int64 // number of records lost before the next record
	wild bool  // times go back, or may
}

// A fault is the reason why a walk left a page before its end.
type fault uint8

const (
	faultNone     fault = iota
	faultCrossing       // an event ends after the committed bytes
	faultShort          // a record is too short for its type
)

func (f fault) want() string {
	if f == faultShort {
		return "a record with room for its type"
	}
	return "an event that ends within the page's committed bytes"
}

// committed returns the number of bytes that were written to the page that begins with head.
func (l *layout) committed(head []byte) int { return int(l.commitWord(head) & commitMask) }

func (l *layout) commitWord(head []byte) uint64 { return l.native(head[l.commit:]) }

// native reads an unsigned long.
func (l *layout) native(b []byte) uint64 {
	switch {
	case l.word == 8 && l.big:
		return binary.BigEndian.Uint64(b)
	case l.word == 8:
		return binary.LittleEndian.Uint64(b)
	case l.big:
		return uint64(binary.BigEndian.Uint32(b))
	}
	return uint64(binary.LittleEndian.Uint32(b))
}

func (l *layout) stamp(head []byte) uint64 {
	if l.big {
		return binary.BigEndian.Uint64(head[l.stampOff:])
	}
	return binary.LittleEndian.Uint64(head[l.stampOff:])
}

// enter begins a sub-buffer. raw may be incomplete. enter returns the number of missing committed
// bytes. ok is false if the page is invalid. lost keeps the losses of empty pages before it.
func (p *page) enter(l *layout, raw []byte, size int) (missing int, ok bool) {
	if len(raw) < l.data {
		return 0, false
	}
	word := l.commitWord(raw)
	n := int(word & commitMask)
	if n > size-l.data {
		return 0, false
	}
	end := l.data + n
	if missed := uint32(word); missed&commitMissed != 0 {
		p.lost = addLost(p.lost, l.lostCount(raw, missed, end))
	}
	p.pos, p.time = l.data, l.stamp(raw)
	p.wild = p.time > mostTime
	if end > len(raw) {
		missing, end = end-len(raw), len(raw)
	}
	p.data = raw[:end:end]
	return missing, true
}

// lostCount returns the number of events missing before a page. It is stored after the committed
// bytes if it fits there.
func (l *layout) lostCount(raw []byte, flags uint32, end int) int64 {
	if flags&commitStored == 0 || end+l.word > len(raw) {
		return record.LostUnknown
	}
	if n := int64(l.native(raw[end:])); n > 0 {
		return n
	}
	return record.LostUnknown
}

func addLost(a, b int64) int64 {
	if a < 0 || b < 0 || a+b < 0 {
		return record.LostUnknown
	}
	return a + b
}

// mostTime is so far below the maximum time that the times of a regular page cannot reach the
// maximum.
const mostTime = 1 << 63

// ended reports that no event can follow.
func (p *page) ended() bool { return p.pos+4 > len(p.data) }

// decodeFast fills dst with the next records. The page is little-endian, and a record's type and
// task are at their usual place. decodeFast returns early at the end of the page and at a fault.
// CPU of dst is not changed.
//
// Unless kinds is nil, decodeFast skips records of other kinds. A record with a loss before it
// stays. Stream of dst becomes the end of the record in the page.
//
// This is the hot loop: position and time are kept in registers, and each event is bounds-checked
// once.
func (p *page) decodeFast(dst []record.Record, kinds *kindSet) (n int, f fault) {
	data, pos, now, lost := p.data, p.pos, p.time, p.lost
	for n < len(dst) && uint(pos+4) <= uint(len(data)) {
		h := binary.LittleEndian.Uint32(data[pos:])
		pos += 4
		words := int(h & 31)
		var payload []byte
		if uint(words-1) >= typeMaxData {
			payload, pos, now, f = p.special(data, pos, now, h&31, uint64(h>>5))
			if f != faultNone {
				break
			}
			if payload == nil {
				continue
			}
		} else {
			end := pos + words*4
			if end > len(data) {
				pos -= 4
				f = faultCrossing
				break
			}
			now += uint64(h >> 5)
			payload = data[pos:end:end]
			pos = end
		}
		r := &dst[n]
		if kinds != nil {
			if lost == 0 && !kinds.has(binary.LittleEndian.Uint16(payload)) {
				continue
			}
			r.Stream = int32(pos)
		}
		n++
		r.Time, r.Data, r.Lost = now, payload, lost
		lost = 0
		if len(payload) >= 8 {
			w := binary.LittleEndian.Uint64(payload)
			r.ID, r.Task = uint32(uint16(w)), int32(w>>32)
			continue
		}
		r.ID, r.Task = uint32(binary.LittleEndian.Uint16(payload)), -1
	}
	p.pos, p.time, p.lost = pos, now, lost
	return n, f
}

// special is special for little-endian pages.
func (p *page) special(
	data []byte, pos int, now uint64, typ uint32, delta uint64,
) (payload []byte, next int, time uint64, f fault) {
	payload, next, time, f = special(data, pos, now, typ, delta, binary.LittleEndian)
	p.wild = p.wild || time < now || time > mostTime
	return payload, next, time, f
}

// walkAny is decodeFast for every other layout.
func (p *page) walkAny(l *layout, dst []record.Record) (n int, f fault) {
	order := l.order()
	for n < len(dst) && !p.ended() {
		at := p.pos
		typ, delta := l.head(p.data[at:])
		payload, pos, now, f := l.event(p.data, at+4, p.time, typ, delta, order)
		if f != faultNone {
			return n, f
		}
		p.pos, p.time = pos, now
		if payload == nil {
			continue
		}
		if len(payload) < l.typeOff+l.typeSize {
			p.pos = at
			return n, faultShort
		}
		r := &dst[n]
		n++
		r.Time, r.Data, r.Lost = now, payload, p.lost
		p.lost = 0
		r.ID = l.small(payload[l.typeOff:], l.typeSize)
		r.Task = -1
		if l.pidOff+l.pidSize <= len(payload) {
			r.Task = int32(l.small(payload[l.pidOff:], l.pidSize))
		}
	}
	return n, faultNone
}

func (l *layout) order() binary.ByteOrder {
	if l.big {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// head decodes the header of an event. Its bit fields are laid out as by C compilers in each byte
// order.
func (l *layout) head(b []byte) (typ uint32, delta uint64) {
	if l.big {
		h := binary.BigEndian.Uint32(b)
		return h >> 27, uint64(h & (1<<27 - 1))
	}
	h := binary.LittleEndian.Uint32(b)
	return h & 31, uint64(h >> 5)
}

// event is one step of walkAny.
func (l *layout) event(data []byte, pos int, now uint64, typ uint32, delta uint64, order binary.ByteOrder,
) ([]byte, int, uint64, fault) {
	if typ-1 >= typeMaxData {
		return special(data, pos, now, typ, delta, order)
	}
	end := pos + int(typ)*4
	if end > len(data) {
		return nil, pos - 4, now, faultCrossing
	}
	return data[pos:end:end], end, now + delta, faultNone
}

// small reads an unsigned number of 1, 2 or 4 bytes.
func (l *layout) small(b []byte, size int) uint32 {
	switch {
	case size == 1:
		return uint32(b[0])
	case size == 2 && l.big:
		return uint32(binary.BigEndian.Uint16(b))
	case size == 2:
		return uint32(binary.LittleEndian.Uint16(b))
	case l.big:
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

// special handles the events that are not short records. pos is after the header, and delta is not
// yet added to now. It returns the payload of a long record, or nil, and the position and time at
// which to continue.
func special(data []byte, pos int, now uint64, typ uint32, delta uint64, order binary.ByteOrder,
) (payload []byte, next int, time uint64, f fault) {
	if typ == typePadding && delta == 0 {
		return nil, len(data), now, faultNone // the rest of the page is unused
	}
	if pos+4 > len(data) {
		return nil, pos - 4, now, faultCrossing
	}
	word := order.Uint32(data[pos:])
	left := uint64(len(data) - pos)
	switch typ {
	case typePadding: // a discarded event; libtraceevent's kbuffer adds its delta, so that later times agree
		return nil, pos + int(min(uint64(word), left)), now + delta, faultNone
	case typeExtend:
		return nil, pos + 4, now + delta + uint64(word)<<27, faultNone
	case typeStamp:
		return nil, pos + 4, absolute(delta|uint64(word)<<27, now), faultNone
	}
	// Android b/204564312: commit may claim more bytes than were written. The rest is then zeros.
	if word == 0 {
		return nil, len(data), now, faultNone
	}
	size := (uint64(word) + 3) &^ 3
	if word < 4 || size > left {
		return nil, pos - 4, now, faultCrossing
	}
	end := pos + int(size)
	if size < 4+2 {
		return nil, pos - 4, now, faultShort
	}
	return data[pos+4 : end : end], end, now + delta, faultNone
}

// absolute completes a stamp of 59 bits with the top bits of the time before it. If the result is
// earlier, the 59 bits have wrapped (kernel/trace/ring_buffer.c: rb_fix_abs_ts). The kernel checks
// this only if there are top bits. Without them, a stamp that is slightly earlier means that the
// clock went back. A stamp that is earlier by more than half the range has wrapped.
func absolute(stamp, before uint64) uint64 {
	top := before & topBits
	stamp |= top
	if stamp < before && (top != 0 || before-stamp > 1<<58) {
		stamp += 1 << 59
	}
	return stamp
}
