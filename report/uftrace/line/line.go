// Package line writes what lines have in common. Parts of lines are copied by a fixed number of bytes, of which as many count as they have: that takes a
// few instructions, where a copy of some bytes is a call.
package line

import "encoding/binary"

// Short is how long a text can be that is copied by a fixed number of bytes, and how much room it needs in both places.
const Short = 32

// IsShort reports whether Copy can copy a text.
func IsShort(text []byte) bool { return len(text) <= Short && cap(text) >= Short }

// Copy copies Short bytes. They must not overlap. In words it takes no call.
func Copy(dst, src []byte) {
	dst, src = dst[:Short], src[:Short]
	le := binary.LittleEndian
	a, b, c, d := le.Uint64(src), le.Uint64(src[8:]), le.Uint64(src[16:]), le.Uint64(src[24:])
	le.PutUint64(dst, a)
	le.PutUint64(dst[8:], b)
	le.PutUint64(dst[16:], c)
	le.PutUint64(dst[24:], d)
}

// Digits are the digits of the numbers 000 to 999, and Blanks those of the numbers with blanks before them, as three bytes of a little-endian word whose last
// byte is 0.
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
