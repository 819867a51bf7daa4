package page

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuoted limits the length of description text in a comment.
const maxQuoted = 120

// Plain makes s fit for the middle of a comment line. Printable text stays as it is. Other text
// becomes a Go string.
func Plain(s string) string {
	if len(s) > maxQuoted {
		n := maxQuoted
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "..."
	}
	for _, r := range s {
		if r < ' ' || r > '~' {
			return strconv.QuoteToASCII(s)
		}
	}
	return s
}

// Quoted is Plain for the beginning of a comment. At this place, gofmt turns "+build" into a build
// constraint, and jennifer prints text that looks like a comment unchanged.
func Quoted(s string) string {
	s = Plain(s)
	if s == "" || !strings.ContainsRune(`"$_`, rune(s[0])) && !alnum(s[0]) {
		return strconv.Quote(s)
	}
	return strings.TrimRight(s, " ")
}

func alnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
