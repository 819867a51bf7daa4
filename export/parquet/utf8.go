package parquet

import "unicode/utf8"

const hexDigits = "0123456789abcdef"

// appendValid appends a text for a column of texts, which must be UTF-8. Other bytes become \x and
// two digits.
func appendValid[T string | []byte](dst []byte, s T) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return appendEscaped(append(dst, s[:i]...), []byte(s[i:]))
		}
	}
	return append(dst, s...)
}

func appendEscaped(dst, s []byte) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRune(s)
		if r == utf8.RuneError && n == 1 {
			dst = append(dst, '\\', 'x', hexDigits[s[0]>>4], hexDigits[s[0]&15])
		} else {
			dst = append(dst, s[:n]...)
		}
		s = s[n:]
	}
	return dst
}
