package aix

import "encoding/binary"

// The bits of the first half word of a 64-bit hook word (aix.md 2.2). Only the five flags and the
// count of registers may be set.
const (
	flag64Stamped   = 0x8000
	flag64Generic   = 0x4000
	flag64App32     = 0x2000
	flag64CPU       = 0x1000
	flag64Registers = 0x0800
	flag64Count     = 0x0007
	flag64Valid     = flag64Stamped | flag64Generic | flag64App32 | flag64CPU | flag64Registers | flag64Count
)

// Hook ids in their form of 16 bits.
const (
	idUtility = 0x00A0 // TRACE_UTIL
	idHook64  = 0x00B0 // a 64-bit hook inside a 32-bit trace
)

// The largest numbers of data bytes of hooks that are not generic: five data words (aix.md 2.2 and
// 2.4).
const (
	maxData64 = 5 * 8
	maxData32 = 5 * 4
)

// hook64Extra is the number of bytes by which a 64-bit hook may exceed MaxBuffer in a 32-bit trace
// (aix.md 2.2).
const hook64Extra = 12

// head is a decoded hook word, which determines the end of the entry.
type head struct {
	size  int32 // of the entry, with thread id, stamp, processor id and registers
	data  int32 // hook word and data, without padding
	tid   int32 // place of the thread id
	stamp int32 // place of the time stamp
	flags Flags
	id    uint16
	sub   uint16
	// reform reports whether the data must be rewritten before a template sees it.
	reform bool
	// extra reports whether the entry has a processor id or registers.
	extra bool
}

// size32 is the size of hook word and data by the type nibble: 0 for generic hooks, 1 for types
// that do not exist. The 32-bit kernel records zero, one or five data words (aix.md 2.1).
var size32 = [16]uint8{0, 4, 8, 1, 1, 1, 24, 1, 0, 4, 8, 1, 1, 1, 24, 1}

// form is the format that the entries of one file share.
type form struct {
	is64      bool
	cpuid     CPUIDPlace
	maxBuffer int
}

// step returns the alignment of entries, relative to the first one. It is also the size of the hook
// word.
func (f *form) step() int {
	if f.is64 {
		return 8
	}
	return 4
}

// parse decodes the hook word at the beginning of b, which has at least step bytes. It reports
// whether such an entry is possible. The id 0 should not occur, but the caller decides.
func (f *form) parse(b []byte) (head, bool) {
	if f.is64 {
		return f.parse64(binary.BigEndian.Uint64(b))
	}
	return f.parse32(binary.BigEndian.Uint32(b))
}

func (f *form) parse32(w uint32) (h head, ok bool) {
	h.id = uint16(w>>16) &^ 0xF
	h.sub = uint16(w)
	h.data = int32(size32[w>>16&0xF])
	switch h.data {
	case 1:
		return h, false
	case 0:
		h.flags = Generic
		h.data = 8 + int32(h.sub)
		h.reform = h.id == idHook64
		limit := f.maxBuffer
		if h.reform {
			limit += hook64Extra
		}
		if int(h.sub) > limit {
			return h, false
		}
	}
	h.tid = (h.data + 3) &^ 3
	h.stamp = h.tid + 4
	h.size = h.stamp
	if w&0x80000 != 0 {
		h.flags |= Stamped
		h.size += 4
	}
	return h, true
}

func (f *form) parse64(w uint64) (h head, ok bool) {
	bits, n := uint16(w>>48), int(w>>32&0xFFFF)
	h.id, h.sub = uint16(w>>16), uint16(w)
	h.flags = Hook64 | Trace64
	limit := maxData64
	if bits&flag64App32 != 0 {
		h.reform = true
		limit = maxData32
	}
	h.data = 8 + int32(n)
	if bits&flag64Generic != 0 {
		h.flags |= Generic
		limit = f.maxBuffer
		h.data += 8
	} else if n&3 != 0 {
		return h, false // data words have 4 or 8 bytes
	}
	if bits&^flag64Valid != 0 || n > limit || h.id < 0x1000 && h.id&0xF != 0 ||
		bits&(flag64Registers|flag64Count) != 0 && bits&flag64Registers == 0 {
		return h, false
	}
	h.tid = (h.data + 7) &^ 7
	h.stamp = h.tid + 8
	h.size = h.stamp
	if bits&flag64Stamped != 0 {
		h.flags |= Stamped
		h.size += 8
	}
	if bits&(flag64CPU|flag64Registers) != 0 {
		f.extras(&h, bits)
	}
	return h, true
}

// extras adds the sizes of processor id and registers.
func (f *form) extras(h *head, bits uint16) {
	h.extra = true
	if bits&flag64CPU != 0 && f.cpuid != CPUIDNone {
		h.flags |= HasCPU
		h.size += 8
		switch f.cpuid {
		case CPUIDBeforeTID:
			h.tid += 8
			h.stamp += 8
		case CPUIDAfterTID:
			h.stamp += 8
		}
	}
	if bits&flag64Registers != 0 {
		h.size += 8 * (int32(bits&flag64Count) + 1)
	}
}

// places finds processor id and registers of an entry that has them.
func (f *form) places(h *head, bits uint16) (cpu, registers, count int) {
	at := int(h.stamp)
	if h.flags&Stamped != 0 {
		at += 8
	}
	if bits&flag64Registers != 0 {
		count = int(bits&flag64Count) + 1
	}
	if h.flags&HasCPU == 0 {
		return 0, at, count
	}
	switch f.cpuid {
	case CPUIDBeforeTID:
		return int(h.tid) - 8, at, count
	case CPUIDAfterTID:
		return int(h.tid) + 8, at, count
	case CPUIDAfterRegisters:
		return at + 8*count, at, count
	}
	return at, at + 8, count
}

// tick reads the time stamp.
func (f *form) tick(b []byte, h *head) uint64 {
	return f.stampAt(b[h.stamp:])
}

// stampAt reads the time stamp at the beginning of b.
func (f *form) stampAt(b []byte) uint64 {
	if f.is64 {
		return binary.BigEndian.Uint64(b)
	}
	return uint64(binary.BigEndian.Uint32(b))
}
