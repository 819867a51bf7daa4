package render

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Pairs of digits. Two characters per step halve the number of divisions and stores.
const (
	decPairs = "00010203040506070809" +
		"10111213141516171819" +
		"20212223242526272829" +
		"30313233343536373839" +
		"40414243444546474849" +
		"50515253545556575859" +
		"60616263646566676869" +
		"70717273747576777879" +
		"80818283848586878889" +
		"90919293949596979899"
	hexLower = "0123456789abcdef"
	hexUpper = "0123456789ABCDEF"
)

var pow10 = [20]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
}

// decDigits returns the number of decimal digits of v, at least 1.
func decDigits(v uint64) int {
	// 1233/4096 is a little more than log10(2). For 64 bits, one correction by table is enough.
	n := bits.Len64(v|1) * 1233 >> 12
	if n < len(pow10) && v >= pow10[n] {
		n++
	}
	return max(n, 1)
}

// hexDigits returns the number of hexadecimal digits of v, at least 1.
func hexDigits(v uint64) int { return (bits.Len64(v|1) + 3) / 4 }

// putDec writes v right-aligned into b, with zeros before it.
func putDec(b []byte, v uint64) {
	for v >= 1e8 && len(b) >= 8 {
		q := v / 1e8
		binary.LittleEndian.PutUint64(b[len(b)-8:], dec8(uint32(v-q*1e8)))
		b = b[:len(b)-8]
		v = q
	}
	if len(b) >= 8 {
		binary.LittleEndian.PutUint64(b[len(b)-8:], dec8(uint32(v)))
		b, v = b[:len(b)-8], 0
	}
	w := uint32(v)
	for i := len(b) - 1; i >= 0; i, w = i-1, w/10 {
		b[i] = byte('0' + w%10)
	}
}

const eachByte = 0x0101010101010101

// dec8 returns the eight digits of v < 1e8 as characters, the first in the lowest byte. Groups of
// four, pairs and digits are divided all at once, each in a part of the word: x*10486>>20 is x/100
// below 10000, x*103>>10 is x/10 below 100.
func dec8(v uint32) uint64 {
	fours := uint64(v/10000) | uint64(v%10000)<<32
	hundreds := fours * 10486 >> 20 & 0x7F_0000_007F
	pairs := hundreds | (fours-100*hundreds)<<16
	tens := pairs * 103 >> 10 & 0xF_000F_000F_000F
	return (tens | (pairs-10*tens)<<8) + '0'*eachByte
}

// The distance from the character after 9 to A and to a.
const (
	upper = 'A' - '9' - 1
	lower = 'a' - '9' - 1
)

// hex8 returns the eight hexadecimal digits of v as characters, the first in the lowest byte.
// letters is upper or lower.
func hex8(v uint32, letters uint64) uint64 {
	w := uint64(v)
	w = (w | w<<16) & 0x0000FFFF0000FFFF
	w = (w | w<<8) & 0x00FF00FF00FF00FF
	w = (w | w<<4) & 0x0F0F0F0F0F0F0F0F
	above9 := (w + 6*eachByte) >> 4 & eachByte
	return bits.ReverseBytes64(w + '0'*eachByte + above9*letters)
}

// appendHex appends v with n digits. n must be at least the number of digits of v.
func appendHex(dst []byte, v uint64, n int, letters uint64) []byte {
	for ; n > 16; n-- {
		dst = append(dst, '0')
	}
	dst = slices.Grow(dst, 16)
	at, b := len(dst), dst[len(dst):len(dst)+16]
	if n > 8 {
		binary.LittleEndian.PutUint64(b, hex8(uint32(v>>32), letters)>>(8*(16-n)))
		binary.LittleEndian.PutUint64(b[n-8:], hex8(uint32(v), letters))
	} else {
		binary.LittleEndian.PutUint64(b, hex8(uint32(v), letters)>>(8*(8-n)))
	}
	return dst[:at+n]
}

// Dec appends v as %d does without flags.
func Dec(dst []byte, v int64) []byte {
	u := uint64(v)
	if v < 0 {
		dst = append(dst, '-')
		u = -u
	}
	return Udec(dst, u)
}

// Udec appends v as %u does without flags.
func Udec(dst []byte, v uint64) []byte {
	if v < 10 {
		return append(dst, byte('0'+v))
	}
	if v < 100 {
		return append(dst, decPairs[v*2], decPairs[v*2+1])
	}
	n, at := decDigits(v), len(dst)
	dst = slices.Grow(dst, 20)[:at+n]
	if v < 1e8 { // bytes after the last digit are overwritten
		binary.LittleEndian.PutUint64(dst[at:at+8], dec8(uint32(v))>>(8*(8-n)))
		return dst
	}
	putDec(dst[at:], v)
	return dst
}

// The following functions are for callers that write into a buffer themselves.

// LowerHex and UpperHex select the letters of [Hex8].
const (
	LowerHex = lower
	UpperHex = upper
)

// Zeros8 is the result of [Dec8] for 0.
const Zeros8 = '0' * eachByte

// Hex8 returns the eight hexadecimal digits of v as characters, the first in the lowest byte.
func Hex8(v uint32, letters uint64) uint64 { return hex8(v, letters) }

// Dec8 returns the eight decimal digits of v, which is less than 1e8, as characters, the first in
// the lowest byte.
func Dec8(v uint32) uint64 { return dec8(v) }

// The functions whose names begin with Put write to the beginning of b and return the number of
// bytes. The text is the same as from the function that appends. There must be room for 20 bytes,
// and bytes after the text may be overwritten.

// PutUdec writes the text of [Udec].
func PutUdec(b []byte, v uint64) int {
	if v < 10 {
		b[0] = byte('0' + v)
		return 1
	}
	if v < 1e8 {
		w := dec8(uint32(v))
		skip := bits.TrailingZeros64(w^'0'*eachByte) / 8
		binary.LittleEndian.PutUint64(b, w>>(8*skip))
		return 8 - skip
	}
	if v < 1e16 {
		high := v / 1e8
		w := dec8(uint32(high))
		skip := bits.TrailingZeros64(w^'0'*eachByte) / 8
		binary.LittleEndian.PutUint64(b, w>>(8*skip&63))
		binary.LittleEndian.PutUint64(b[8-skip:], dec8(uint32(v-high*1e8)))
		return 16 - skip
	}
	n := decDigits(v)
	putDec(b[:n], v)
	return n
}

// PutHex writes the text of [HexPad]. width is at most 16.
func PutHex(b []byte, v uint64, width int) int { return putHex(b, v, width, lower) }

// PutHexUpper writes the text of [HexPadUpper]. width is at most 16.
func PutHexUpper(b []byte, v uint64, width int) int { return putHex(b, v, width, upper) }

func putHex(b []byte, v uint64, width int, letters uint64) int {
	n := max(hexDigits(v), width)
	_ = b[15]
	if n > 8 {
		binary.LittleEndian.PutUint64(b, hex8(uint32(v>>32), letters)>>(8*(16-n)&63))
		binary.LittleEndian.PutUint64(b[n-8:], hex8(uint32(v), letters))
	} else {
		binary.LittleEndian.PutUint64(b, hex8(uint32(v), letters)>>(8*(8-n)&63))
	}
	return n
}

// HexLower appends v as %x does without flags.
func HexLower(dst []byte, v uint64) []byte { return appendHex(dst, v, hexDigits(v), lower) }

// HexPad appends v as %0*x does: zero-padded to width digits, never cut.
func HexPad(dst []byte, v uint64, width int) []byte {
	return appendHex(dst, v, max(hexDigits(v), min(width, MaxWidth)), lower)
}

// hex0x appends 0x%x.
func hex0x(dst []byte, v uint64) []byte {
	return HexLower(append(dst, '0', 'x'), v)
}

// udecPad appends %0*u.
func udecPad(dst []byte, v uint64, width int) []byte {
	for n := decDigits(v); n < width; n++ {
		dst = append(dst, '0')
	}
	return Udec(dst, v)
}

// hexByte appends %02x.
func hexByte(dst []byte, b byte) []byte {
	return append(dst, hexLower[b>>4], hexLower[b&15])
}
