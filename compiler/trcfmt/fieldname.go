package trcfmt

import (
	"strconv"
	"strings"

	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// maxLabelWords is the maximum number of words of a label in a name: the last ones, which are next
// to the value.
const maxLabelWords = 4

// labelName returns the name that a label gives the value after it, or "" if the label has no
// letter. The text before the last of = , ; ( [ { | < belongs to something else, unless only blanks
// and similar characters follow.
func labelName(label string) string {
	label = strings.TrimRightFunc(label, notName)
	if i := len(label) - 2; i > 0 && strings.EqualFold(label[i:], "0x") && notName(rune(label[i-1])) {
		label = strings.TrimRightFunc(label[:i], notName)
	}
	label = label[strings.LastIndexAny(label, "=,;([{|<")+1:]
	words := strings.FieldsFunc(label, func(r rune) bool { return notName(r) })
	words = words[max(0, len(words)-maxLabelWords):]
	name := strings.Join(words, " ")
	if !strings.ContainsFunc(name, isLetter) {
		return ""
	}
	return name
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

func notName(r rune) bool { return !isLetter(r) && (r < '0' || r > '9') && r != '_' }

// key returns the part of a name that Go names can distinguish. If it begins with a digit, an X is
// put in front (gen/names.go).
func key(name string) string {
	k := strings.Map(func(r rune) rune {
		if notName(r) || r == '_' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	if k != "" && k[0] >= '0' && k[0] <= '9' {
		k = "x" + k
	}
	return k
}

// codeText returns a code as written.
func codeText(c *grammar.Code) string {
	s := string(rune(c.Letter))
	switch {
	case c.Kind != 0:
		s += string(rune(c.Kind))
	case c.Word:
		s += "W"
	case c.HasSize:
		s += strconv.Itoa(c.Size)
	}
	if c.HasSize2 {
		s += "." + strconv.Itoa(c.Size2)
	}
	return s
}

// macroText returns a macro as written.
func macroText(m *grammar.Macro) string {
	if m.Cast == nil {
		return "$" + m.Name
	}
	return "$" + m.Name + "%" + codeText(m.Cast)
}
