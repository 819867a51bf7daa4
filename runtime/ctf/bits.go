package ctf

import (
	"encoding/binary"
	"math/bits"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// cursor is a place in the bits of a packet (docs/spec/ctf.md 3). Places count from the start of
// the packet; data begins at base.
type cursor struct {
	data []byte
	base uint64 // offset of data in bits, a multiple of 8
	at   uint64
	end  uint64 // end of the part of the packet's content that is in data
	// big is the byte order of the last field. If the next field begins inside a byte, it must have
	// the same order.
	big bool
}

// align moves to a multiple of n, a power of two. It returns false beyond the end.
func (c *cursor) align(n int) bool {
	to := (c.at + uint64(n) - 1) &^ (uint64(n) - 1)
	if to > c.end || to < c.at {
		return false
	}
	c.at = to
	return true
}

// has reports whether n bits are left.
func (c *cursor) has(n uint64) bool { return n <= c.end-c.at }

// skip passes n bits. It returns false if fewer are left.
func (c *cursor) skip(n uint64) bool {
	if !c.has(n) {
		return false
	}
	c.at += n
	return true
}

// bytes returns the bytes from the current place to the end. The place must be a multiple of 8.
func (c *cursor) bytes() []byte { return c.data[(c.at-c.base)/8 : (c.end-c.base)/8] }

// read reads an integer of n bits, 1 to 64. It returns false if fewer are left.
func (c *cursor) read(n int, order metadata.Order) (value uint64, ok bool) {
	if !c.has(uint64(n)) {
		return 0, false
	}
	p := c.at - c.base
	c.at += uint64(n)
	c.big = order.BigEndian
	b, shift := c.data[p/8:], int(p%8)
	value = load(b, shift, n, order.BigEndian)
	if order.Reversed {
		value = bits.Reverse64(value) >> (64 - n)
	}
	return value, true
}

// ones returns a number whose n low bits are set.
func ones(n int) uint64 { return ^uint64(0) >> (64 - n) }

// load returns n bits that begin shift bits after the start of b.
func load(b []byte, shift, n int, big bool) uint64 {
	if shift == 0 && n&7 == 0 {
		switch {
		case n == 64 && big:
			return binary.BigEndian.Uint64(b)
		case n == 64:
			return binary.LittleEndian.Uint64(b)
		case n == 32 && big:
			return uint64(binary.BigEndian.Uint32(b))
		case n == 32:
			return uint64(binary.LittleEndian.Uint32(b))
		case n == 8:
			return uint64(b[0])
		}
	}
	mask := ones(n)
	if len(b) >= 8 && shift+n <= 64 {
		if big {
			return binary.BigEndian.Uint64(b) << shift >> (64 - n)
		}
		return binary.LittleEndian.Uint64(b) >> shift & mask
	}
	size := (shift + n + 7) / 8 // up to 9
	if !big {
		v := uint64(0)
		for i := range min(size, 8) {
			v |= uint64(b[i]) << (8 * i)
		}
		if v >>= shift; size == 9 {
			v |= uint64(b[8]) << (64 - shift)
		}
		return v & mask
	}
	v := uint64(0)
	for i := range min(size, 8) {
		v = v<<8 | uint64(b[i])
	}
	if rest := size*8 - shift - n; size < 9 {
		v >>= rest
	} else {
		v = v<<(8-rest) | uint64(b[8])>>rest
	}
	return v & mask
}

// varint reads an LEB128 number of up to 64 bits (docs/spec/ctf.md 4.2). ok is false if the number
// ends beyond the end. wide is true if it has more bits.
func (c *cursor) varint(signed bool) (value uint64, ok, wide bool) {
	b := c.bytes()
	for i := range min(len(b), maxVarint) {
		x := b[i]
		value |= uint64(x&0x7f) << (7 * i)
		if x&0x80 != 0 {
			continue
		}
		c.at += uint64(i+1) * 8
		if i == maxVarint-1 { // only one bit is left for it, and it must be the last byte
			return value, true, x != 1 && !signed || x != 0 && x != 0x7f && signed
		}
		if signed && x&0x40 != 0 {
			value |= ^uint64(0) << (7 * (i + 1))
		}
		return value, true, false
	}
	return 0, len(b) >= maxVarint, true
}

// maxVarint is the number of bytes of the longest LEB128 number.
const maxVarint = 10
