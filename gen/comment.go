package gen

import (
	"strconv"
	"unicode/utf8"
)

// maxQuoted bounds how much of a description gets into a comment.
const maxQuoted = 120

// quoted makes s fit for a line of a comment: plain text as it is, anything else as a Go string.
func quoted(s string) string {
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
	// gofmt makes a build constraint of any "// +build" line, and jennifer prints what looks like a comment as it is.
	if s == "" || s[len(s)-1] == ' ' || !isAlnum(rune(s[0])) && s[0] != '_' {
		return strconv.Quote(s)
	}
	return s
}

// eventLabel is group:name for comments.
func eventLabel(group, name string) string { return quoted(group + ":" + name) }
