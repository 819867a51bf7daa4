package filter

import (
	"errors"
	"regexp/syntax"
	"strings"
)

// cutNames cuts a filter at the colon before its condition. This is the first colon that is not
// part of a name. A double colon belongs to a name of C++.
func cutNames(text string) (names, rest string, found bool) {
	for i := nextMark(text, 0); i < len(text); i = nextMark(text, i+1) {
		if text[i] == ':' && !inName(text, i) {
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// inName reports whether the colon at i is between a system and an event: the word after it is
// followed by another colon or a comma.
func inName(text string, i int) bool {
	end := nextMark(text, i+1)
	word := text[i+1 : end]
	return end < len(text) && word != "" && strings.IndexByte(blanks, word[0]) < 0 &&
		!strings.ContainsAny(strings.Trim(word, blanks), blanks+"=<>\"'")
}

// systemColon returns the index of the colon in SYSTEM:EVENT, or -1. The colons of [[:alpha:]] do
// not count.
func systemColon(word string) int {
	if strings.Contains(word, "[:") {
		return -1
	}
	for i := nextMark(word, 0); i < len(word); i = nextMark(word, i+1) {
		if word[i] == ':' {
			return i
		}
	}
	return -1
}

// splitNames splits a list of names at commas.
func splitNames(names string) (list []string) {
	at := 0
	for i := nextMark(names, 0); i < len(names); i = nextMark(names, i+1) {
		if names[i] == ',' {
			list = append(list, names[at:i])
			at = i + 1
		}
	}
	return append(list, names[at:])
}

// nextMark returns the index of the next comma or single colon from i on that is not in quotes, or
// the length of the text.
func nextMark(text string, i int) int {
	quote := byte(0)
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && quote != '`' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '`' || c == '"' || c == '\'':
			quote = c
		case strings.HasPrefix(text[i:], "::"):
			i++
		case strings.HasPrefix(text[i:], "[:") && strings.Contains(text[i:], ":]"): // [[:alpha:]]
			i += strings.Index(text[i:], ":]") + 1
		case c == ',' || c == ':':
			return i
		}
	}
	return len(text)
}

// faultOf returns a message about an error of a regular expression.
func faultOf(err error) string {
	var e *syntax.Error
	switch {
	case !errors.As(err, &e):
		return err.Error()
	case e.Code == syntax.ErrMissingParen:
		return "missing )"
	case e.Code == syntax.ErrMissingBracket:
		return "missing ]"
	}
	return e.Code.String()
}
