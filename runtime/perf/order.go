package perf

import (
	"encoding/binary"
	"math/bits"
)

// order is the byte order of a recording. It is not an interface, because the walk calls its
// methods for each record.
type order struct{ big bool }

func (o order) u16(b []byte) uint16 {
	if o.big {
		return binary.BigEndian.Uint16(b)
	}
	return binary.LittleEndian.Uint16(b)
}

func (o order) u32(b []byte) uint32 {
	if o.big {
		return binary.BigEndian.Uint32(b)
	}
	return binary.LittleEndian.Uint32(b)
}

func (o order) u64(b []byte) uint64 {
	if o.big {
		return binary.BigEndian.Uint64(b)
	}
	return binary.LittleEndian.Uint64(b)
}

// i32 returns the number of a process, a thread or a processor.
func (o order) i32(b []byte) int32 { return int32(o.u32(b)) }

// The following functions read at a place. With bounds on both sides, the compiler need not check
// for an empty rest of b.

func (o order) u16At(b []byte, at int) uint16 { return o.u16(b[at : at+2 : at+2]) }
func (o order) u32At(b []byte, at int) uint32 { return o.u32(b[at : at+4 : at+4]) }
func (o order) u64At(b []byte, at int) uint64 { return o.u64(b[at : at+8 : at+8]) }

// pair returns the numbers of a process and a thread.
func (o order) pair(b []byte, at int) (process, thread int32) {
	v := binary.LittleEndian.Uint64(b[at : at+8 : at+8])
	if o.big {
		v = bits.RotateLeft64(bits.ReverseBytes64(v), 32)
	}
	return int32(v), int32(v >> 32)
}

// flags returns a C bit field of 64 bits with its first member as bit 0 (perf.md 1.5).
func (o order) flags(b []byte) uint64 {
	if o.big {
		return bits.Reverse64(o.u64(b))
	}
	return o.u64(b)
}
