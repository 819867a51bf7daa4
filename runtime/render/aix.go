package render

import (
	"math"
	"strconv"
	"time"
)

// The output of the format codes of AIX templates (aix.md 3.3).

// HexUpper appends the first n bytes of r as pairs of upper-case digits: Xn.
func HexUpper(dst []byte, _ *Env, r []byte, n uint64) []byte {
	for _, c := range first(r, n) {
		dst = append(dst, hexUpper[c>>4], hexUpper[c&15])
	}
	return dst
}

// HexPadUpper is like [HexPad] with upper-case digits.
func HexPadUpper(dst []byte, v uint64, width int) []byte {
	return appendHex(dst, v, max(hexDigits(v), min(width, MaxWidth)), upper)
}

// maxBinary bounds the digits of Binary. The longest bit field of a template is far shorter, but
// the count may be a number of a damaged record.
const maxBinary = 1 << 13

// Binary appends count binary digits of r, from bit on: Bm.n. Bit 0 is the most significant one of
// the first byte. Bits after the end of r, or before its start, are 0. A negative count appends
// nothing. At most 8192 digits are appended.
func Binary(dst []byte, _ *Env, r []byte, bit, count uint64) []byte {
	if int64(count) <= 0 {
		return dst
	}
	for end := bit + min(count, maxBinary); bit != end; bit++ {
		c := byte('0')
		if int64(bit) >= 0 && bit>>3 < uint64(len(r)) {
			c += r[bit>>3] >> (7 - bit&7) & 1
		}
		dst = append(dst, c)
	}
	return dst
}

// BinaryValue appends the low n bits of v, at most 64, as binary digits: $macro%Bm.n.
func BinaryValue(dst []byte, _ *Env, v, n uint64) []byte {
	if int64(n) <= 0 {
		return dst
	}
	for i := int(min(n, 64)) - 1; i >= 0; i-- {
		dst = append(dst, '0'+byte(v>>i&1))
	}
	return dst
}

// MacroHex appends v with at least four upper-case digits: a macro without a cast.
func MacroHex(dst []byte, _ *Env, v uint64) []byte { return HexPadUpper(dst, v, 4) }

// Float appends the IEEE number with the bits v as C's %0.4E does: Fm. It is a float if size is 4,
// otherwise a double. Infinities and NaNs print as INF and NAN, as in C99.
func Float(dst []byte, _ *Env, v, size uint64) []byte {
	f := math.Float64frombits(v)
	if size == 4 {
		f = float64(math.Float32frombits(uint32(v)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		if math.Signbit(f) {
			dst = append(dst, '-')
		}
		if math.IsNaN(f) {
			return append(dst, "NAN"...)
		}
		return append(dst, "INF"...)
	}
	return strconv.AppendFloat(dst, f, 'E', 4, 64)
}

// CTime appends the low 32 bits of v, seconds since 1970, as ctime does in GMT but without the
// newline: Tm. They are signed, as time_t is in 32-bit AIX.
func CTime(dst []byte, _ *Env, v uint64) []byte {
	return time.Unix(int64(int32(v)), 0).UTC().AppendFormat(dst, time.ANSIC)
}
