package render

import (
	"math/bits"
	"slices"
)

// Pairs of digits: two characters a step halve the number of divisions and stores.
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
	// 1233/4096 is a little more than log10(2), close enough for 64 bits: one correction by table.
	n := bits.Len64(v|1) * 1233 >> 12
	if n < len(pow10) && v >= pow10[n] {
		n++
	}
	return max(n, 1)
}

// hexDigits returns the number of hexadecimal digits of v, at least 1.
func hexDigits(v uint64) int { return (bits.Len64(v|1) + 3) / 4 }

// putDec writes v right-aligned into b, which has exactly its digits.
func putDec(b []byte, v uint64) {
	for v >= 1e8 && len(b) >= 8 {
		q := v / 1e8
		put8((*[8]byte)(b[len(b)-8:]), uint32(v-q*1e8))
		b = b[:len(b)-8]
		v = q
	}
	w := uint32(v)
	i := len(b)
	for w >= 100 && i >= 2 {
		q := w / 100
		p := (w - q*100) * 2
		w = q
		i -= 2
		b[i], b[i+1] = decPairs[p], decPairs[p+1]
	}
	for i > 0 {
		i--
		b[i] = byte('0' + w%10)
		w /= 10
	}
}

// put8 writes all eight digits of v < 1e8: four pairs that do not wait for each other.
func put8(b *[8]byte, v uint32) {
	hi, lo := v/10000, v%10000
	for at, four := range [2]uint32{hi, lo} {
		p, q := four/100*2, four%100*2
		b[4*at], b[4*at+1] = decPairs[p], decPairs[p+1]
		b[4*at+2], b[4*at+3] = decPairs[q], decPairs[q+1]
	}
}

// putHex writes the low digits of v over all of b.
func putHex(b []byte, v uint64) {
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = hexLower[v&15]
		v >>= 4
	}
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
	n := decDigits(v)
	at := len(dst)
	dst = slices.Grow(dst, n)[:at+n]
	putDec(dst[at:], v)
	return dst
}

// HexLower appends v as %x does without flags.
func HexLower(dst []byte, v uint64) []byte {
	n := hexDigits(v)
	at := len(dst)
	dst = slices.Grow(dst, n)[:at+n]
	putHex(dst[at:], v)
	return dst
}

// HexPad appends v as %0*x does: zero-padded to width digits, never cut.
func HexPad(dst []byte, v uint64, width int) []byte {
	n := max(hexDigits(v), min(width, MaxWidth))
	at := len(dst)
	dst = slices.Grow(dst, n)[:at+n]
	putHex(dst[at:], v)
	return dst
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
