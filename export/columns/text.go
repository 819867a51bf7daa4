package columns

import (
	"strconv"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendValid appends a text as UTF-8, in the form of the package documentation.
func AppendValid[T string | []byte](dst []byte, s T) []byte {
	from := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '\\':
			if isEscape(s, i) {
				dst = append(append(dst, s[from:i]...), `\x5c`...)
				from = i + 1
			}
			i++
		case c < utf8.RuneSelf:
			i++
		default:
			n := sequence(s, i)
			if n == 0 {
				dst = append(append(dst, s[from:i]...), '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
				n, from = 1, i+1
			}
			i += n
		}
	}
	return append(dst, s[from:]...)
}

// sequence returns the length of the UTF-8 sequence at i, or 0.
func sequence[T string | []byte](s T, i int) int {
	var b [utf8.UTFMax]byte
	r, n := utf8.DecodeRune(b[:copy(b[:], s[i:])])
	if r == utf8.RuneError && n == 1 {
		return 0
	}
	return n
}

// isEscape reports whether s has \x and two hexadecimal digits at i.
func isEscape[T string | []byte](s T, i int) bool {
	return len(s)-i >= 4 && s[i+1] == 'x' && isHex(s[i+2]) && isHex(s[i+3])
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' }

// Original appends the original of a text from AppendValid.
func Original(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && isEscape(s, i) {
			v, _ := strconv.ParseUint(s[i+2:i+4], 16, 8)
			dst = append(dst, byte(v))
			i += 3
			continue
		}
		dst = append(dst, s[i])
	}
	return dst
}

// special marks bytes of a text that JSON cannot hold unchanged, or that AppendValid changes.
var special = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf
	}
	return t
}()

// AppendJSON appends a text as a JSON string.
func AppendJSON[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		if special[s[i]] {
			return appendEscaped(append(dst, s[:i]...), s[i:])
		}
	}
	return append(append(dst, s...), '"')
}

// appendEscaped appends the rest of a JSON string.
func appendEscaped[T string | []byte](dst []byte, s T) []byte {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if !special[c] {
			i++
			continue
		}
		n := 1
		if c >= utf8.RuneSelf {
			if n = sequence(s, i); n > 0 {
				i += n
				continue
			}
			n = 1
		}
		dst = append(dst, s[from:i]...)
		switch {
		case c >= utf8.RuneSelf:
			dst = append(dst, '\\', '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		case c == '\\' && isEscape(s, i):
			dst = append(dst, `\\x5c`...)
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i += n
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

// IsValid reports whether AppendValid appends a text unchanged.
func IsValid(s []byte) bool {
	for i, c := range s {
		if c == '\\' && isEscape(s, i) {
			return false
		}
	}
	return utf8.Valid(s)
}
