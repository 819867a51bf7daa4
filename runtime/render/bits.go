package render

import (
	"encoding/binary"
	"math/bits"
)

// The value functions, named by Func nodes of the IR. Each has the signature func(a, b uint64)
// uint64, so that a back end can hold any of them in one type. b is not used so far.

// Swab16 swaps the bytes of the low 16 bits.
func Swab16(a, _ uint64) uint64 { return uint64(bits.ReverseBytes16(uint16(a))) }

// Swab32 swaps the bytes of the low 32 bits.
func Swab32(a, _ uint64) uint64 { return uint64(bits.ReverseBytes32(uint32(a))) }

// Swab64 swaps the bytes of a.
func Swab64(a, _ uint64) uint64 { return bits.ReverseBytes64(a) }

// Ffs returns the number of the lowest set bit, counted from 1. For 0 it returns 0.
func Ffs(a, _ uint64) uint64 {
	if a == 0 {
		return 0
	}
	return uint64(bits.TrailingZeros64(a)) + 1
}

// Fls returns the number of the highest set bit, counted from 1. For 0 it returns 0.
func Fls(a, _ uint64) uint64 { return uint64(bits.Len64(a)) }

// Ctz returns the number of zero bits below the lowest set bit. For 0, which C leaves undefined, it
// returns 64.
func Ctz(a, _ uint64) uint64 { return uint64(bits.TrailingZeros64(a)) }

// Clz64 returns the number of zero bits above the highest set bit. For 0 it returns 64.
func Clz64(a, _ uint64) uint64 { return uint64(bits.LeadingZeros64(a)) }

// Clz32 returns the number of zero bits above the highest set bit of the low 32 bits. For 0 it
// returns 32.
func Clz32(a, _ uint64) uint64 { return uint64(bits.LeadingZeros32(uint32(a))) }

// Popcount returns the number of set bits.
func Popcount(a, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) }

// OrderBase2 returns the logarithm of a to base 2, rounded up. For 0 and 1 it returns 0
// (order_base_2 of include/linux/log2.h).
func OrderBase2(a, _ uint64) uint64 {
	if a <= 1 {
		return 0
	}
	return uint64(bits.Len64(a - 1))
}

// Ilog2 returns the logarithm of a to base 2, rounded down. For 0 it returns all ones, like
// fls(0)-1.
func Ilog2(a, _ uint64) uint64 { return uint64(bits.Len64(a)) - 1 }

// Bits returns count bits of b, from bit at on, as an unsigned number. The most significant bit of
// a byte is the first. It implements a Bits node of the IR. At most 64 bits are read. Bits after
// the end of b are 0. A negative at or count counts as 0.
func Bits(b []byte, at, count int64) uint64 {
	at = max(at, 0)
	if count <= 0 || at>>3 >= int64(len(b)) {
		return 0
	}
	count = min(count, 64)
	b = b[at>>3:]
	at &= 7
	if len(b) >= 8 && at+count <= 64 {
		return binary.BigEndian.Uint64(b) << (at & 63) >> ((64 - count) & 63)
	}
	v := uint64(0)
	for i := range at + count {
		if i < at {
			continue
		}
		v <<= 1
		if int(i>>3) < len(b) {
			v |= uint64(b[i>>3]>>(7-i&7)) & 1
		}
	}
	return v
}
