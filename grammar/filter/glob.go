package filter

import (
	"regexp"
	"strings"
)

// globExpr returns the regular expression of a glob that must match a whole text. * matches any
// characters, ? one character, and [a-z] and [!a-z] one character of a set (lib/glob.c of the
// kernel). For a set without an end, which the kernel takes literally, it returns "": the caller
// reports a mistake.
func globExpr(glob string) string {
	var b strings.Builder
	b.WriteString("(?s)^")
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; c {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteByte('.')
		case '[':
			n := setExpr(&b, glob[i:])
			if n == 0 {
				return ""
			}
			i += n - 1
		case '\\':
			if i+1 < len(glob) {
				i++
			}
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		default:
			n := 1
			for i+n < len(glob) && strings.IndexByte(`*?[\`, glob[i+n]) < 0 {
				n++
			}
			b.WriteString(regexp.QuoteMeta(glob[i : i+n]))
			i += n - 1
		}
	}
	b.WriteByte('$')
	return b.String()
}

// setExpr writes the set at the beginning of a glob and returns its length, or 0 if it has no end.
func setExpr(b *strings.Builder, glob string) int {
	at, negated := 1, false
	if at < len(glob) && (glob[at] == '!' || glob[at] == '^') {
		at, negated = 2, true
	}
	n := -1
	if at < len(glob) { // a ] in the first place belongs to the set
		n = strings.IndexByte(glob[at+1:], ']')
	}
	if n < 0 {
		return 0
	}
	set := glob[at : at+1+n]
	b.WriteByte('[')
	if negated {
		b.WriteByte('^')
	}
	for i := 0; i < len(set); i++ {
		if strings.IndexByte(`[]^\&~`, set[i]) >= 0 || set[i] == '-' && (i == 0 || i == len(set)-1) {
			b.WriteByte('\\')
		}
		b.WriteByte(set[i])
	}
	b.WriteByte(']')
	return at + 1 + n + 1
}
