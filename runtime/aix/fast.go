package aix

import (
	"encoding/binary"
	"math"
)

// The loops of this file decode most of a trace: stamped entries without processor id and
// registers, each followed by another such entry. They read every hook word once and stop before
// anything else. step then decodes or doubts it. Their results equal the results of step: a test
// compares them.

// fastSize64 returns the size of hook word and data of such an entry in bytes, or 0 for any other
// hook word. The tables are indexed by the flags g and b, generic and of a 32-bit program.
func (y *history) fastSize64(w uint64) int {
	id, n := w>>16&0xFFFF, w>>32&0xFFFF
	t := &y.sizes[w>>61&3]
	if w>>48&^(flag64Generic|flag64App32) != flag64Stamped || n > t.most || n&t.odd != 0 ||
		id < 0x1000 && id&0xF != 0 || id == 0 || id == idUtility {
		return 0
	}
	return int(t.head + n)
}

// sizes are the allowed lengths in a 64-bit hook word.
type sizes struct {
	most uint64
	odd  uint64 // bits that must not be set
	head uint64 // bytes before the part that the length counts
}

func (f *form) sizes() [4]sizes {
	generic := sizes{most: uint64(f.maxBuffer), head: 16}
	return [4]sizes{{maxData64, 3, 8}, {maxData32, 3, 8}, generic, generic}
}

func (s *Stream) decodeFast64() {
	b, pos, raw := s.win.buf, s.win.pos, s.past.raw
	back := uint64(s.past.back)
	span := uint64(s.past.ahead) + back
	if len(b)-pos < 8 {
		return
	}
	w := binary.BigEndian.Uint64(b[pos:])
	data := s.past.fastSize64(w)
	for data != 0 && s.out.n < batchSize {
		tid := (data + 7) &^ 7
		size := tid + 16
		if len(b)-pos < max(size+8, shortSize) {
			break
		}
		entry := b[pos : pos+size : pos+size]
		next := binary.BigEndian.Uint64(b[pos+size:])
		following := s.past.fastSize64(next)
		stamp := binary.BigEndian.Uint64(entry[tid+8:])
		if following == 0 || stamp-raw+back >= span { // see near
			break
		}
		// The possible matches of swallowed64, only by the stamps, at all places of a short entry
		// of any length. The next hook is not predictable, so there is no branch on the size of its
		// data.
		short := (*[shortSize]byte)(b[pos:])
		first := binary.BigEndian.Uint64(short[16:24]) - raw - 1 | unlessSize(size, 48)
		second := binary.BigEndian.Uint64(short[24:32]) - raw - 1 | unlessSize(size, 56)
		third := binary.BigEndian.Uint64(short[32:40]) - raw - 1 | unlessSize(size, 64)
		if (size > shortSize || min(first, second, third) < stamp-raw) &&
			s.past.swallowed64(entry, raw, stamp-raw) > 0 {
			break
		}
		thread := binary.BigEndian.Uint64(entry[tid:])
		*s.past.threads.place(thread) = thread
		s.past.hooks.add(uint16(w >> 16))
		r, e := &s.out.records[s.out.n], &s.out.entries[s.out.n]
		r.Data = entry[:data:data]
		r.Lost, r.ID, r.CPU, r.Task = 0, uint32(w>>16&0xFFFF), s.cpu, -1
		if thread <= math.MaxInt32 {
			r.Task = int32(thread)
		}
		e.TID, e.Ticks, e.Offset, e.Raw = thread, stamp, s.win.base+int64(pos), entry
		e.Buffer, e.HookData, e.registers = s.win.region.buffer, uint16(w), 0
		e.Flags = Flags(w>>62&1)*Generic | Hook64 | Trace64 | Stamped
		if w>>48&flag64App32 != 0 {
			h, _ := s.past.form.parse64(w)
			if !s.out.room(&h) {
				break
			}
			s.reformed(r, e, &h)
		}
		s.out.n++
		pos += size
		raw, w, data = stamp, next, following
	}
	s.win.pos, s.past.raw = pos, raw
}

// shortSize is the size up to which decodeFast64 itself looks for entries that have swallowed
// others.
const shortSize = 64

// unlessSize returns 0 for a size of least or more, and all bits otherwise.
func unlessSize(size, least int) uint64 { return uint64(int64(size-least) >> 63) }

// fastSize32 returns the size of hook word and data of a stamped entry of a 32-bit trace, or 0 for
// any other hook word.
func (y *history) fastSize32(w uint32) int {
	if w>>20 == 0 || w>>20 == idUtility>>4 || w>>20 == idHook64>>4 {
		return 0
	}
	n := int(quickSize32[w>>16&0xF])
	if n == 1 {
		if n = 8 + int(w&0xFFFF); n > 8+y.form.maxBuffer {
			return 0
		}
	}
	return n
}

// quickSize32 is size32 of stamped entries: 0 for invalid types, 1 for generic hooks.
var quickSize32 = [16]uint8{8: 1, 9: 4, 10: 8, 14: 24}

func (s *Stream) decodeFast32() {
	b, pos, raw := s.win.buf, s.win.pos, uint32(s.past.raw)
	back := uint32(s.past.back)
	span := uint32(s.past.ahead) + back
	if len(b)-pos < 4 {
		return
	}
	w := binary.BigEndian.Uint32(b[pos:])
	data := s.past.fastSize32(w)
	for data != 0 && s.out.n < batchSize {
		tid := (data + 3) &^ 3
		size := tid + 8
		if len(b)-pos < size+4 {
			break
		}
		entry := b[pos : pos+size : pos+size]
		next := binary.BigEndian.Uint32(b[pos+size:])
		following := s.past.fastSize32(next)
		stamp := binary.BigEndian.Uint32(entry[tid+4:])
		if following == 0 || stamp-raw+back >= span {
			break
		}
		if size >= 24 && s.past.swallowed32(entry, raw, stamp-raw) > 0 {
			break
		}
		thread := binary.BigEndian.Uint32(entry[tid:])
		*s.past.threads.place(uint64(thread)) = uint64(thread)
		s.past.hooks.add(uint16(w >> 16))
		r, e := &s.out.records[s.out.n], &s.out.entries[s.out.n]
		r.Data = entry[:data:data]
		r.Lost, r.ID, r.CPU, r.Task = 0, w>>16&0xFFF0, s.cpu, -1
		if thread <= math.MaxInt32 {
			r.Task = int32(thread)
		}
		e.TID, e.Ticks, e.Offset, e.Raw = uint64(thread), uint64(stamp), s.win.base+int64(pos), entry
		e.Buffer, e.HookData, e.registers = s.win.region.buffer, uint16(w), 0
		e.Flags = Stamped
		if w>>16&7 == 0 {
			e.Flags |= Generic
		}
		s.out.n++
		pos += size
		raw, w, data = stamp, next, following
	}
	s.win.pos, s.past.raw = pos, uint64(raw)
}
