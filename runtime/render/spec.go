package render

import (
	"bytes"
	"math"
)

// MaxWidth bounds the width of a conversion and the precision of a number. The kernel builds a line
// in a buffer of 8 KiB (TRACE_SEQ_SIZE; a page before 6.8) and drops the rest.
const MaxWidth = 1 << 13

// MaxText bounds the text of a region, a name or a row of a table. Longer texts are cut, and a list
// ends with the element that exceeds the bound. Text of the kernel is never near it, because all of
// an event has to fit into the 8 KB of a trace_seq (include/linux/trace_seq.h). Without it, one
// event could become gigabytes: by a separator of 1 MB in a damaged description, or by a record of
// 16 MB that is printed 200 times.
const MaxText = 1 << 16

// clip cuts s to MaxText.
func clip(s string) string { return s[:min(len(s), MaxText)] }

// Spec is a printf conversion. Zero values of the flags and of Width mean that they are absent.
type Spec struct {
	Verb                            byte
	Minus, Plus, Space, Sharp, Zero bool
	Width, Prec                     int // if absent, Width is 0 and Prec is -1
}

// With returns s with the values of `*` arguments: a negative width means the flag '-', a negative
// precision means no precision.
func (s Spec) With(width, prec int64, hasWidth, hasPrec bool) Spec {
	if hasWidth {
		if width < 0 {
			s.Minus = true
			width = -width
		}
		if width < 0 { // the most negative number has no positive counterpart
			width = MaxWidth
		}
		s.Width = int(min(width, MaxWidth))
	}
	if hasPrec {
		s.Prec = int(max(min(prec, math.MaxInt32), -1))
	}
	return s
}

// Int appends v by the verb d (or i). Other verbs print the 64 bits of v as Uint does. For a
// narrower type, the caller must truncate v first.
func Int(dst []byte, v int64, s Spec) []byte {
	if s.Verb != 'd' && s.Verb != 'i' {
		return Uint(dst, uint64(v), s)
	}
	if s.plain() {
		return Dec(dst, v)
	}
	sign := byte(0)
	switch {
	case v < 0:
		sign = '-'
	case s.Plus:
		sign = '+'
	case s.Space:
		sign = ' '
	}
	u := uint64(v)
	if v < 0 {
		u = -u
	}
	return number(dst, u, sign, s)
}

// Uint appends v by the verb x, X, o or c, and in decimal for any other verb. The flags '+' and ' '
// count only with d and i: the kernel ignores them for unsigned conversions.
func Uint(dst []byte, v uint64, s Spec) []byte {
	switch s.Verb {
	case 'c':
		return Char(dst, v, s)
	case 'x':
		switch {
		case s.plain():
			return HexLower(dst, v)
		case s.zeroOnly():
			return HexPad(dst, v, s.Width)
		}
	case 'X', 'o':
	case 'd', 'i':
		if s.plain() {
			return Udec(dst, v)
		}
		sign := byte(0)
		if s.Plus {
			sign = '+'
		} else if s.Space {
			sign = ' '
		}
		return number(dst, v, sign, s)
	default:
		if s.plain() {
			return Udec(dst, v)
		}
	}
	return number(dst, v, 0, s)
}

// plain reports whether only the digits must be printed. A precision of 0 or 1 requires one digit,
// and there always is one.
func (s *Spec) plain() bool {
	return s.Width <= 1 && s.Prec <= 1 && !s.Plus && !s.Space && !s.Sharp
}

func (s *Spec) zeroOnly() bool {
	return s.Zero && s.Prec <= 1 && !s.Minus && !s.Plus && !s.Space && !s.Sharp
}

// number lays out sign, prefix, padding and digits in the order of number() in lib/vsprintf.c. It
// differs from C in two ways: '0' pads even if there is a precision, and 0 also has the prefix
// "0x".
func number(dst []byte, v uint64, sign byte, s Spec) []byte {
	var tmp [24]byte // 64 bits have 22 octal digits
	digits := digitsOf(tmp[:], v, s.Verb)
	prefix := ""
	if s.Sharp {
		switch {
		case s.Verb == 'x':
			prefix = "0x"
		case s.Verb == 'X':
			prefix = "0X"
		case s.Verb == 'o' && v != 0:
			prefix = "0"
		}
	}
	zeros := max(min(s.Prec, MaxWidth)-len(digits), 0)
	pad := min(s.Width, MaxWidth) - len(prefix) - zeros - len(digits)
	if sign != 0 {
		pad--
	}
	if !s.Minus {
		if s.Zero {
			zeros += max(pad, 0)
		} else {
			dst = fill(dst, ' ', pad)
		}
		pad = 0
	}
	if sign != 0 {
		dst = append(dst, sign)
	}
	dst = append(dst, prefix...)
	dst = fill(dst, '0', zeros)
	dst = append(dst, digits...)
	return fill(dst, ' ', pad)
}

// digitsOf puts the digits of v at the end of tmp and returns them.
func digitsOf(tmp []byte, v uint64, verb byte) []byte {
	i := len(tmp)
	switch verb {
	case 'x', 'X':
		set := hexLower
		if verb == 'X' {
			set = hexUpper
		}
		for {
			i--
			tmp[i] = set[v&15]
			if v >>= 4; v == 0 {
				return tmp[i:]
			}
		}
	case 'o':
		for {
			i--
			tmp[i] = byte('0' + v&7)
			if v >>= 3; v == 0 {
				return tmp[i:]
			}
		}
	}
	i -= decDigits(v)
	putDec(tmp[i:], v)
	return tmp[i:]
}

// Char appends the low byte of v for the verb c. A width pads with spaces, for any flags.
func Char(dst []byte, v uint64, s Spec) []byte {
	pad := min(s.Width, MaxWidth) - 1
	if !s.Minus {
		dst = fill(dst, ' ', pad)
		pad = 0
	}
	return fill(append(dst, byte(v)), ' ', pad)
}

// Verbatim appends all of b: a string whose length the description determines. It is bounded by its
// record.
func Verbatim(dst []byte, _ *Env, b []byte) []byte { return append(dst, b...) }

// ToNUL returns the number of bytes of b before its first 0, or its length.
func ToNUL(b []byte) uint64 {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return uint64(i)
	}
	return uint64(len(b))
}

// Text returns b up to its first NUL, or all of b: the value of a field. The result aliases b.
func Text(b []byte) []byte { return b[:ToNUL(b)] }

// CString is Text for text that is printed: it returns at most MaxText bytes.
func CString(b []byte) []byte {
	return Text(b[:min(len(b), MaxText)])
}

// Pad cuts the text that was appended to dst since start to the precision of s and pads it with
// spaces to its width, as %s does.
func Pad(dst []byte, start int, s Spec) []byte {
	if start < 0 || start > len(dst) {
		return dst
	}
	if s.Prec >= 0 && len(dst)-start > s.Prec {
		dst = dst[:start+s.Prec]
	}
	pad := min(s.Width, MaxWidth) - (len(dst) - start)
	if pad <= 0 {
		return dst
	}
	n := len(dst) - start
	dst = fill(dst, ' ', pad)
	if !s.Minus {
		copy(dst[start+pad:], dst[start:start+n])
		for i := start; i < start+pad && i < start+n; i++ {
			dst[i] = ' '
		}
	}
	return dst
}

const (
	spaces = "                                                                "
	zeros  = "0000000000000000000000000000000000000000000000000000000000000000"
)

// fill appends n times c, which is ' ' or '0'.
func fill(dst []byte, c byte, n int) []byte {
	from := spaces
	if c == '0' {
		from = zeros
	}
	for n > len(from) {
		dst = append(dst, from...)
		n -= len(from)
	}
	if n > 0 {
		dst = append(dst, from[:n]...)
	}
	return dst
}
