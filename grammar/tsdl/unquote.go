package tsdl

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// unquote returns the text of a C string or character.
func unquote(quoted string) string {
	text := strings.TrimPrefix(quoted, "L")
	text = text[1 : len(text)-1]
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for text != "" {
		if text[0] != '\\' || len(text) == 1 {
			b.WriteByte(text[0])
			text = text[1:]
			continue
		}
		n := escape(&b, text[1:])
		text = text[1+n:]
	}
	return b.String()
}

// letters are the escapes with one letter.
const letters, controls = `abefnrtv`, "\a\b\x1b\f\n\r\t\v"

// escape writes the character for an escape, and returns the length of the escape without its
// backslash. An escape that C does not define stands for the character after the backslash.
func escape(b *strings.Builder, s string) int {
	switch c := s[0]; {
	case c == 'x' && length(s[1:], hexadecimal) > 0:
		n := min(length(s[1:], hexadecimal), 2)
		v, _ := strconv.ParseUint(s[1:1+n], 16, 8)
		b.WriteByte(byte(v))
		return 1 + n
	case c >= '0' && c <= '7':
		n := min(length(s, octal), 3)
		v, _ := strconv.ParseUint(s[:n], 8, 16)
		b.WriteByte(byte(v))
		return n
	case escapedLetter(`\`+s[:min(len(s), 9)]) > 0:
		n := escapedLetter(`\`+s[:min(len(s), 9)]) - 1
		v, _ := strconv.ParseUint(s[1:n], 16, 32)
		b.WriteRune(rune(v))
		return n
	case strings.IndexByte(letters, c) >= 0:
		b.WriteByte(controls[strings.IndexByte(letters, c)])
		return 1
	}
	_, n := utf8.DecodeRuneInString(s)
	b.WriteString(s[:n])
	return n
}

func hexadecimal(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func octal(c byte) bool { return c >= '0' && c <= '7' }
