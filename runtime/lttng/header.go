package lttng

import (
	"encoding/binary"
	"fmt"
)

// magic is the number in every sub-buffer, at magicOld up to 2.0 and at magicNew since 2.1
// (lttng.md 0).
const (
	magic    = 0x00D6B7ED
	magicOld = 40
	magicNew = 16
)

// unclosed as a size marks a sub-buffer that was never closed.
const unclosed = 0xFFFFFFFF

// header is the head of a sub-buffer, with the properties of the trace that it repeats (lttng.md
// 3).
type header struct {
	order        binary.ByteOrder
	dialect      Dialect
	major, minor uint8
	size         int // size of the header itself, in bytes
	begin, end   uint64
	block        int64 // size of the sub-buffer, in bytes; 0 if unknown
	used         int64 // bytes with events, including the header; not used if open is set
	open         bool  // the sub-buffer was never closed

	flight uint8

	machine machine
	clock   headerClock
	short   compactForm
	missed  missed
}

// layoutKind is the part of the headers that all sub-buffers of a file share.
type layoutKind struct {
	dialect Dialect
	order   binary.ByteOrder
}

func (h *header) kind() layoutKind { return layoutKind{h.dialect, h.order} }

// maxHeader is the size of the largest header.
const maxHeader = 112

// parseHeader reads the header at the start of b. b must have the rest of the file, or at least
// maxHeader bytes of it. If as is not Auto, it overrides the version. ok is false if b does not
// begin with a header.
func parseHeader(b []byte, as Dialect) (h header, ok bool) {
	old := false
	switch {
	case len(b) >= magicNew+4 && isMagic(b[magicNew:], &h.order):
	case len(b) >= magicOld+4 && isMagic(b[magicOld:], &h.order):
		old = true
	default:
		return h, false
	}
	if old {
		return h.parseOld(b, as)
	}
	return h.parseNew(b, as)
}

func isMagic(b []byte, order *binary.ByteOrder) bool {
	switch uint32(magic) {
	case binary.LittleEndian.Uint32(b):
		*order = binary.LittleEndian
		return true
	case binary.BigEndian.Uint32(b):
		*order = binary.BigEndian
		return true
	}
	return false
}

// parseOld reads the packed headers of 0.7 to 2.0 (lttng.md 3.1, 3.2).
func (h *header) parseOld(b []byte, as Dialect) (header, bool) {
	if len(b) < 59 {
		return *h, false
	}
	h.machine.arch, h.machine.variant, h.machine.floats = h.order.Uint32(b[44:]), h.order.Uint32(b[48:]),
		h.order.Uint32(b[52:])
	h.machine.word, h.major, h.minor = int(b[56]), b[57], b[58]
	h.dialect = as
	if as == Auto {
		h.dialect = dialectOf(h.major, h.minor)
	}
	var scale int
	if scale, h.size = oldHeader(h.dialect); h.size == 0 || len(b) < h.size {
		return *h, false
	}
	o := h.order
	h.begin, h.end = o.Uint64(b), o.Uint64(b[16:])
	h.flight = b[59]
	h.block = int64(o.Uint32(b[36:]))
	h.setLost(o.Uint32(b[32:]))
	h.oldBytes(b)
	h.clock.scale = o.Uint32(b[scale:])
	rest := b[scale+4:]
	h.clock.freq, h.clock.tsc, h.clock.monotonic = o.Uint64(rest), o.Uint64(rest[8:]), o.Uint64(rest[16:])
	if h.dialect == Seed { // seconds and nanoseconds
		h.clock.sec, h.clock.usec = uint64(o.Uint32(rest[24:])), uint64(o.Uint32(rest[28:])/1000)
	} else {
		h.clock.sec, h.clock.usec = o.Uint64(rest[24:]), o.Uint64(rest[32:])
	}
	return *h, h.plausible()
}

// oldHeader returns the offset of freq_scale in a header up to 2.0, and the size of the header. For
// newer dialects it returns 0.
func oldHeader(d Dialect) (scale, size int) {
	switch d {
	case V07:
		return 62, 106
	case V08, V20:
		return 64, 108
	case V10:
		return 65, 109
	case Seed: // its start_time has half the length
		return 65, 101
	}
	return 0, 0
}

// countedHeader is the size of headers that count lost events.
const countedHeader = 68

// newHeader returns the size of a header since 2.1. For older dialects it returns 0.
func newHeader(d Dialect) int {
	switch d {
	case V21:
		return 60
	case V22, V23, V24, V25, V26:
		return countedHeader
	}
	return 0
}

// oldBytes reads the single bytes that differ between versions.
func (h *header) oldBytes(b []byte) {
	switch h.dialect {
	case V07:
		h.short.heartbeat = b[60] != 0
		if b[61] != 0 {
			h.machine.alignment = h.machine.word
		}
	case V08:
		h.short.heartbeat, h.machine.alignment, h.short.lsb, h.short.bits = b[60] != 0, int(b[61]), uint(b[62]),
			uint(b[63])
	case V10, Seed:
		h.short.heartbeat, h.machine.alignment, h.short.lsb, h.short.bits, h.short.shift = b[60] != 0, int(b[61]),
			uint(b[62]), uint(b[63]), uint(b[64])
	case V20:
		h.machine.alignment = int(b[60])
	}
}

// parseNew reads the headers of 2.1 to 2.6 (lttng.md 3.3).
func (h *header) parseNew(b []byte, as Dialect) (header, bool) {
	if len(b) < 60 {
		return *h, false
	}
	o := h.order
	h.begin, h.end = o.Uint64(b), o.Uint64(b[8:])
	h.major, h.minor, h.machine.word, h.machine.alignment = b[20], b[21], int(b[22]), int(b[23])
	h.clock.sec, h.clock.usec, h.clock.freq, h.clock.scale = o.Uint64(b[24:]), o.Uint64(b[32:]), o.Uint64(b[40:]),
		o.Uint32(b[48:])
	h.dialect = as
	if as == Auto {
		h.dialect = dialectOf(h.major, h.minor)
	}
	h.block = int64(o.Uint32(b[56:]))
	if h.size = newHeader(h.dialect); h.size == 0 || len(b) < h.size {
		return *h, false
	}
	if h.size == countedHeader {
		h.missed.lost, h.missed.corrupt, h.missed.known = o.Uint32(b[60:]), o.Uint32(b[64:]), true
	}
	if h.dialect < V25 {
		h.setLost(o.Uint32(b[52:]))
	} else {
		h.used = int64(o.Uint32(b[52:]))
		h.open = h.used == unclosed
	}
	if h.block == unclosed {
		h.open, h.block = true, 0
	}
	return *h, h.plausible()
}

// setLost sets the number of unused bytes at the end of the block.
func (h *header) setLost(lost uint32) {
	if lost == unclosed {
		h.open = true
		return
	}
	h.used = h.block - int64(lost)
}

// plausible rejects data that only looks like a header.
func (h *header) plausible() bool {
	word := h.machine.word == 4 || h.machine.word == 8
	align := h.machine.alignment >= 0 && h.machine.alignment <= 8 && h.machine.alignment&(h.machine.alignment-1) == 0
	sized := h.open || h.used >= int64(h.size) && h.used <= h.block
	return word && align && sized && h.short.bits <= 32 && h.short.lsb <= 32
}

// dialectOf returns the dialect of a version, or Auto for an unknown version.
func dialectOf(major, minor uint8) Dialect {
	switch [2]uint8{major, minor} {
	case [2]uint8{0, 7}:
		return V07
	case [2]uint8{0, 8}:
		return V08
	case [2]uint8{1, 0}:
		return V10
	case [2]uint8{2, 0}:
		return V20
	case [2]uint8{2, 1}:
		return V21
	case [2]uint8{2, 2}:
		return V22
	case [2]uint8{2, 3}:
		return V23
	case [2]uint8{2, 4}:
		return V24
	case [2]uint8{2, 5}:
		return V25
	case [2]uint8{2, 6}:
		return V26
	}
	return Auto
}

// natural reports whether fields are aligned to their size (lttng.md 0.5).
func (d Dialect) natural() bool { return d == V24 || d == V25 }

// String returns the version, or seed.
func (d Dialect) String() string {
	names := [...]string{"auto", "0.7", "0.8", "1.0", "2.0", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "seed"}
	if int(d) < len(names) {
		return names[d]
	}
	return fmt.Sprintf("Dialect(%d)", d)
}
