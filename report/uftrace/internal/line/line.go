// Package line writes the common parts of lines in uftrace's commands: times, durations, numbers
// and names of functions. Short texts are copied with a fixed number of bytes, which takes a few
// instructions. A copy of variable length takes a call.
package line

import (
	"encoding/binary"
	"math/bits"

	"github.com/tracec/tracec/runtime/render"
)

// Short is the number of bytes that Copy copies, and the maximum length of a text for Copy. The
// destination and the source must both have Short bytes.
const Short = 32

// IsShort reports whether Copy can copy a text.
func IsShort(text []byte) bool { return len(text) <= Short && cap(text) >= Short }

// Copy copies Short bytes. dst and src must not overlap. It copies words, without a call.
func Copy(dst, src []byte) {
	dst, src = dst[:Short], src[:Short]
	le := binary.LittleEndian
	a, b, c, d := le.Uint64(src), le.Uint64(src[8:]), le.Uint64(src[16:]), le.Uint64(src[24:])
	le.PutUint64(dst, a)
	le.PutUint64(dst[8:], b)
	le.PutUint64(dst[16:], c)
	le.PutUint64(dst[24:], d)
}

// Number writes the decimal text of a number to the start of b, and returns its length. b must have
// 20 bytes. Bytes after the number may be overwritten. Below 1000 there is no branch on the number
// of digits.
func Number(b []byte, v uint64) int {
	if v >= 1000 {
		return render.PutUdec(b, v)
	}
	word := Digits[v]
	zeros := bits.TrailingZeros32(word^0x303030|1<<16) / 8 // leading zeros of the number, which has at least one digit
	binary.LittleEndian.PutUint32(b, word>>(8*zeros))
	return 3 - zeros
}

// Digits holds the digits of the numbers 000 to 999, and Blanks the same with leading blanks. Each
// is three bytes of a little-endian word, whose last byte is 0.
var Digits, Blanks = func() (digits, blanks [1000]uint32) {
	for i := range digits {
		a, b, c := uint32('0'+i/100), uint32('0'+i/10%10), uint32('0'+i%10)
		digits[i] = a | b<<8 | c<<16
		if i < 100 {
			a = ' '
		}
		if i < 10 {
			b = ' '
		}
		blanks[i] = a | b<<8 | c<<16
	}
	return digits, blanks
}()
