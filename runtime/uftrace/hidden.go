package uftrace

import (
	"encoding/binary"
	"unsafe"
)

// Hidden selects calls that a reader hides together with the calls below them. A stream skips the
// records of the calls below; see [Stream.Hide].
type Hidden struct {
	// Depth is the least depth in the recorded call stack at which calls are hidden. If it is 0, no
	// calls are hidden by depth.
	Depth int
	// Functions hides calls of functions. Its index is Symbol.Index.
	Functions []bool
	// Ends are functions whose first call ends the skipping. Its index is Symbol.Index.
	Ends []bool
}

// Skipped are the calls that a stream has skipped.
type Skipped struct {
	// Last has the last skipped call of each depth. If its Time is 0, there is none.
	Last *[maxDepth]SkippedCall
	// Over is set if nothing is skipped in the last batch and after it.
	Over bool
}

// SkippedCall is a skipped call.
type SkippedCall struct {
	Time uint64 // of its end
	Addr uint64
}

// Hide makes a stream, before it is read, skip the calls below hidden calls. It skips all calls
// below one call, or none of them. Their records are not decoded, so the reader must not need them.
// A stream skips calls while the calls of its thread nest, with depths from 0, and times ascend.
// From the first other record on, it returns all records. That record is the first of its batch.
func (s *Stream) Hide(h *Hidden) *Skipped {
	skipped := &Skipped{}
	if s.big || s.part != nil || s.unwanted != nil || s.grow.live != nil || s.limit > 0 || s.in.off > 0 ||
		s.lease.Swap(0, hidingBytes) != nil {
		skipped.Over = true
		return skipped
	}
	s.hiding = &hiding{Hidden: h, skipped: skipped, pending: pending{begins: make([]int, 0, maxDepth)}}
	s.hiding.leave()
	return skipped
}

const (
	hidingBytes = int64(unsafe.Sizeof(hiding{}) + maxDepth*unsafe.Sizeof(int(0)) +
		unsafe.Sizeof([maxDepth]SkippedCall{}))
	plainBytes = int64(unsafe.Sizeof(plainTable{}))

	maxDepth = 1 << 10 // more than the depth of any record
	// mostTries limits the number of unsuccessful searches for the end of a hidden call in a block.
	mostTries = 4
)

// hiding is the state of a stream that skips calls.
type hiding struct {
	*Hidden
	skipped *Skipped

	open  int // open calls
	below int // calls of at least this depth are hidden
	until int // as long as a call of this depth is open; -1 means always
	tries int // number of ends of hidden calls that were not found in this block

	// at has the place of the last skipped record of each depth: the number of bytes from its begin
	// to the end of the block.
	at      [maxDepth]uint32
	pending pending
}

// pending are calls that begin in a block and do not end in it, from depth from on. For each of
// them it has the number of bytes from its begin to the end of the block.
type pending struct {
	from   int
	begins []int
}

// plainTable has addresses of functions that are not hidden, and whose calls do not end the
// skipping.
type plainTable [2048]uint64

// has reports whether an address is in the table. It may lack addresses of such functions.
func (p *plainTable) has(addr uint64) bool { return p[addr*spread>>53] == addr }

// nests reports whether a record is the begin or the end of a call that nests in the calls before.
func (h *hiding) nests(word uint64) bool {
	return int(word>>6&1023) == h.open-int(word&1) && word&plainBits == plainCall
}

// follow notes a record that nests, at the begin or the end of a call.
func (h *hiding) follow(word uint64) {
	if word&1 == 0 {
		h.open++
	} else if h.open--; h.open == h.until {
		h.leave()
	}
}

// leave resets the hiding after the end of the call that until describes.
func (h *hiding) leave() {
	if h.until, h.below = -1, h.Depth; h.Depth == 0 {
		h.below = maxDepth
	}
}

// ends reports whether nothing is skipped from a record on.
func (s *Stream) ends(time, word uint64) bool {
	if !s.hiding.nests(word) || time-s.prev.time > maxSilence && s.prev.time != 0 {
		return true
	}
	if time-s.addr.from >= s.addr.to-s.addr.from {
		s.enterSession(time)
	}
	return s.hiding.endsAt(s.addr.cache, word>>16, time)
}

// endsAt reports whether nothing is skipped from a call of a function on. It notes other functions
// as plain if they are not hidden.
func (h *hiding) endsAt(c *addressCache, addr, time uint64) bool {
	if c.plain == nil {
		if c.lease.Swap(0, plainBytes) != nil {
			return true
		}
		c.plain = new(plainTable)
	}
	if c.plain.has(addr) {
		return false
	}
	sym := c.find(addr, time).sym
	if sym != nil && (int(sym.Index) >= len(h.Ends) || h.Ends[sym.Index]) {
		return true
	}
	if !h.isHidden(sym) {
		c.plain[addr*spread>>53] = addr
	}
	return false
}

// isHidden reports whether calls of a function are hidden.
func (h *hiding) isHidden(sym *Symbol) bool {
	return sym != nil && int(sym.Index) < len(h.Functions) && h.Functions[sym.Index]
}

// skip returns the size of the records at the start of buf to skip after the begin of a call, and
// the time of the last one. last is the time of the call.
func (s *Stream) skip(buf []byte, sym *Symbol, last uint64) (size int, time uint64) {
	h := s.hiding
	if h.open <= h.below && !h.isHidden(sym) || h.tries >= mostTries {
		return 0, last
	}
	if !h.pending.has(h.open-1, len(buf)) {
		if size, time = s.calls(buf, last); size >= 0 {
			return size, time
		}
		if !h.pending.has(h.open-1, len(buf)) {
			h.tries++
		}
	}
	if h.until < 0 {
		h.until, h.below = h.open-1, min(h.below, h.open)
	}
	return 0, last
}

// has reports whether the innermost call is pending. depth is its depth, and it begins before the
// last left bytes of the block.
func (p *pending) has(depth, left int) bool {
	i := depth - p.from
	return uint(i) < uint(len(p.begins)) && p.begins[i] > left
}

// setPending notes the calls that do not end in the block: the innermost one, whose begin is before
// the last left bytes, and the calls below it. The last record of each depth below is a begin.
func (h *hiding) setPending(b *below, left int) {
	p := &h.pending
	p.from = h.open - 1
	p.begins = append(p.begins[:0], left+1)
	for i := h.open; i < b.open; i++ {
		p.begins = append(p.begins, int(h.at[i&1023]))
	}
}

// calls returns the size of the records of all calls below the innermost one, and the time of the
// last record. The size is -1 if buf does not contain them up to the end of that call. The call is
// then noted as pending, unless a record ends the skipping.
func (s *Stream) calls(buf []byte, last uint64) (size int, time uint64) {
	if s.hiding.skipped.Last == nil {
		s.hiding.skipped.Last = new([maxDepth]SkippedCall)
	}
	b := below{rest: buf, last: last, open: s.hiding.open}
	for {
		s.plainCalls(&b)
		if len(b.rest) < recordSize {
			s.hiding.setPending(&b, len(buf))
			return -1, last
		}
		time, word := binary.LittleEndian.Uint64(b.rest), binary.LittleEndian.Uint64(b.rest[8:])
		depth, addr := int(word>>6&1023), word>>16
		if word&plainBits != plainCall || depth != b.open-int(word&1) ||
			time-b.last > maxSilence || time-s.addr.from >= s.addr.to-s.addr.from {
			return -1, last
		}
		if depth < s.hiding.open {
			return len(buf) - len(b.rest), b.last
		}
		if s.hiding.endsAt(s.addr.cache, addr, time) {
			return -1, last
		}
		left, next := uint32(len(b.rest)), b.rest[recordSize:]
		if word&withData != 0 {
			_, padded, ok := s.addr.cache.find(addr, time).payload(word&1, next)
			if !ok {
				s.hiding.setPending(&b, len(buf))
				return -1, last
			}
			next = next[padded:]
		}
		b.rest = next
		s.hiding.skipped.Last[depth], s.hiding.at[depth] = SkippedCall{time, addr}, left
		b.open += 1 - 2*int(word&1)
		b.last = time
	}
}

// below are the calls below a hidden one that have not been read yet.
type below struct {
	rest []byte
	last uint64 // time of the previous record
	open int    // open calls
}

// plainCalls skips records of functions in the plain table, without payloads, below the hidden
// call. The loop contains no calls, so that its variables stay in registers.
func (s *Stream) plainCalls(b *below) {
	list, at, plain, buf := s.hiding.skipped.Last, &s.hiding.at, s.addr.cache.plain, b.rest
	last, open, least, to := b.last, uint64(b.open), uint64(s.hiding.open), s.addr.to
	if last < s.addr.from {
		return
	}
	for len(buf) >= recordSize {
		time, word := binary.LittleEndian.Uint64(buf), binary.LittleEndian.Uint64(buf[8:])
		depth, addr := word>>6&1023, word>>16
		if word&(plainBits|withData)^plainCall|(depth^(open-word&1)) != 0 || depth < least ||
			time-last > maxSilence || time >= to || !plain.has(addr) {
			break
		}
		list[depth&1023], at[depth&1023] = SkippedCall{time, addr}, uint32(len(buf))
		open += 1 - 2*(word&1)
		last = time
		buf = buf[recordSize:]
	}
	b.rest, b.last, b.open = buf, last, int(open)
}
