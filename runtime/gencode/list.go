package gencode

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// grown returns a list with n more elements, and the new elements, whose values are not set.
func grown[T any](list []T, n int) (all, more []T) {
	all = slices.Grow(list, n)[:len(list)+n]
	return all, all[len(list):]
}

// Append8 appends the integers of one byte in b.
func Append8[T ~int8 | ~uint8](list []T, b []byte) []T {
	list, more := grown(list, len(b))
	for i := range more {
		more[i] = T(b[i])
	}
	return list
}

// Append16 appends the integers of two bytes in b, in a byte order.
func Append16[T ~int16 | ~uint16](list []T, b []byte, big bool) []T {
	list, more := grown(list, len(b)/2)
	for i := range more {
		v := binary.LittleEndian.Uint16(b[2*i:])
		if big {
			v = bits.ReverseBytes16(v)
		}
		more[i] = T(v)
	}
	return list
}

// Append32 is like [Append16] for four bytes.
func Append32[T ~int32 | ~uint32](list []T, b []byte, big bool) []T {
	list, more := grown(list, len(b)/4)
	for i := range more {
		v := binary.LittleEndian.Uint32(b[4*i:])
		if big {
			v = bits.ReverseBytes32(v)
		}
		more[i] = T(v)
	}
	return list
}

// Append64 is like [Append16] for eight bytes.
func Append64[T ~int64 | ~uint64](list []T, b []byte, big bool) []T {
	list, more := grown(list, len(b)/8)
	for i := range more {
		v := binary.LittleEndian.Uint64(b[8*i:])
		if big {
			v = bits.ReverseBytes64(v)
		}
		more[i] = T(v)
	}
	return list
}
