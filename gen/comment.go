package gen

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuoted limits the length of description text in a comment.
const maxQuoted = 120

// plain makes s fit for the middle of a comment line. Printable text stays as it is, and other text
// becomes a Go string.
func plain(s string) string {
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

// quoted is plain for the beginning of a comment. There gofmt turns "+build" into a build
// constraint, and jennifer prints text that looks like a comment unchanged.
func quoted(s string) string {
	s = plain(s)
	if s == "" || s[0] != '"' && !isAlnum(rune(s[0])) && s[0] != '_' {
		return strconv.Quote(s)
	}
	return strings.TrimRight(s, " ")
}

// eventLabel is group:name for comments.
func eventLabel(group, name string) string { return plain(group + ":" + name) }
