package ftrace

import (
	"math/bits"
	"strings"
)

// stringLit scans a string literal.
//
// TRACE_EVENT pastes the format between quotes without escaping it (include/trace/stages/
// stage4_event_fields.h: TP_printk is `"\"" fmt "\", " __stringify(args)`), so that a format
// `name="%s"` is "name="%s"" in the file. In valid C, no letter, digit, % or backslash follows a
// literal directly, and only a comma or another literal follows the format. A quote in any other
// place is an inner one.
func (s *scanner) stringLit() {
	from := s.at
	end := quoteFrom(s.src, from+1)
	if end < 0 {
		s.at = len(s.src)
		s.refuse(from, "", "string without closing quote")
		return
	}
	if s.suspicious(end) && !s.innerFailed {
		if e := s.outerQuote(end); e > 0 {
			end = e
		} else {
			s.innerFailed = true
		}
	}
	line, lineStart := s.line, s.lineStart
	s.skipText(end + 1)
	s.toks = append(s.toks, token{
		kind: tString, off: int32(from), end: int32(s.at), line: int32(line), col: int32(from - lineStart + 1),
	})
}

// quoteFrom returns the offset of the first quote at or after at that no backslash escapes, or -1.
func quoteFrom(src string, at int) int {
	for {
		i := strings.IndexByte(src[at:], '"')
		if i < 0 {
			return -1
		}
		at += i
		n := 0
		for at-n > 0 && src[at-n-1] == '\\' {
			n++
		}
		if n%2 == 0 {
			return at
		}
		at++
	}
}

// suspicious reports whether the quote at end cannot be the end of the literal.
func (s *scanner) suspicious(end int) bool {
	if end+1 >= len(s.src) {
		return false
	}
	if b := s.src[end+1]; b == '%' || b == '\\' || isIdent(b) {
		return true
	}
	return s.format && s.literals && !endsFormat(s.src, end)
}

// endsFormat reports whether a comma, another literal or the end follows the quote at end.
func endsFormat(src string, end int) bool {
	for at := end + 1; at < len(src); at++ {
		if b := src[at]; !isBlank(b) && b != '\n' {
			return b == ',' || b == '"'
		}
	}
	return true
}

// outerQuote finds the quote that closes a literal whose first quote is an inner one. Inner quotes
// come in pairs. If that fails, it takes the first quote that can close the literal. It returns -1
// if there is no such quote.
func (s *scanner) outerQuote(first int) int {
	inside := true
	for at := first; !s.pairsFailed; {
		if at = quoteFrom(s.src, at+1); at < 0 {
			s.pairsFailed = true
			break
		}
		if !inside && !s.suspicious(at) {
			return at
		}
		inside = !inside
	}
	for at := first; ; {
		if at = quoteFrom(s.src, at+1); at < 0 || !s.suspicious(at) {
			return at
		}
	}
}

// unquote decodes the text between the quotes of a string literal.
func unquote(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i >= 0 {
		b.WriteString(s[:i])
		c, n, line := escape(s[i:])
		if !line {
			b.WriteByte(c)
		}
		s = s[i+n:]
		i = strings.IndexByte(s, '\\')
	}
	b.WriteString(s)
	return b.String()
}

// escape decodes the escape sequence at the start of s, which begins with a backslash, and returns
// its length. nothing is set for a backslash at the end of a line. An unknown sequence is its
// second character, as in gcc.
func escape(s string) (c byte, n int, nothing bool) {
	if len(s) < 2 {
		return '\\', 1, false
	}
	switch c = s[1]; c {
	case '\n':
		return 0, 2, true
	case 'n':
		return '\n', 2, false
	case 't':
		return '\t', 2, false
	case 'r':
		return '\r', 2, false
	case 'a':
		return '\a', 2, false
	case 'b':
		return '\b', 2, false
	case 'f':
		return '\f', 2, false
	case 'v':
		return '\v', 2, false
	case 'e':
		return 0x1b, 2, false // GNU
	case 'x':
		n = 2
		for v, ok := uint64(0), true; n < len(s); n++ {
			if v, ok = digit(s[n], 16); !ok {
				break
			}
			c = byte(v)
			if n > 2 {
				// Only the last two digits fit into a char.
				hi, _ := digit(s[n-1], 16)
				c = byte(hi<<4 | v)
			}
		}
		return c, n, false
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v := 0
		for n = 1; n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7'; n++ {
			v = v<<3 | int(s[n]-'0')
		}
		return byte(v), n, false
	}
	return c, 2, false
}

// charValue decodes a character literal with its quotes.
func charValue(s string) (byte, bool) {
	s = s[1 : len(s)-1]
	if s == "" {
		return 0, false
	}
	if s[0] != '\\' {
		return s[0], len(s) == 1
	}
	c, n, nothing := escape(s)
	return c, n == len(s) && !nothing && n > 1
}

// parseNumber decodes an integer literal. If it is wrong, it returns a message.
func parseNumber(n *Number, s string) (msg string) {
	n.Text = s
	base := uint64(10)
	digits := s
	switch {
	case len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x':
		base, digits = 16, s[2:]
	case len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'b':
		base, digits = 2, s[2:]
	case s[0] == '0':
		base = 8
	}
	n.Decimal = base == 10
	i := 0
	for ; i < len(digits); i++ {
		v, ok := digit(digits[i], base)
		if !ok {
			break
		}
		hi, lo := bits.Mul64(n.Value, base)
		sum, carry := bits.Add64(lo, v, 0)
		if hi != 0 || carry != 0 {
			return "number " + quote(s) + " does not fit 64 bits"
		}
		n.Value = sum
	}
	if i == 0 {
		return "expected digits in the number " + quote(s)
	}
	for suffix := digits[i:]; suffix != ""; {
		switch {
		case !n.Unsigned && suffix[0]|0x20 == 'u':
			n.Unsigned, suffix = true, suffix[1:]
		case n.Long == 0 && len(suffix) > 1 && suffix[0]|0x20 == 'l' && suffix[1] == suffix[0]:
			n.Long, suffix = 2, suffix[2:]
		case n.Long == 0 && suffix[0]|0x20 == 'l':
			n.Long, suffix = 1, suffix[1:]
		default:
			return "expected digits or a suffix of U and L in the number " + quote(s)
		}
	}
	return ""
}

func digit(b byte, base uint64) (uint64, bool) {
	v := uint64(99)
	switch {
	case b >= '0' && b <= '9':
		v = uint64(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'f':
		v = uint64(b|0x20-'a') + 10
	}
	return v, v < base
}
