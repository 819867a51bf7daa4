package trcfmt

import (
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// match is the value of a case.
type match struct {
	number uint64
	text   string
	ok     bool
}

// number reads a number: 0x is hexadecimal and a leading o octal wherever it stands, else base says it.
func number(text string, base int) (uint64, bool) {
	switch {
	case strings.HasPrefix(text, "0x"), strings.HasPrefix(text, "0X"):
		text, base = text[2:], 16
	case strings.HasPrefix(text, "o"):
		text, base = text[1:], 8
	}
	v, err := strconv.ParseUint(text, base, 64)
	return v, err == nil
}

// matches reads the values of all cases by the rules of aix.md 4.4.
func (l *lowerer) matches(n *grammar.Switch, d datum) []match {
	out := make([]match, len(n.Cases))
	if d.text != nil && n.Mask == nil {
		for i, c := range n.Cases {
			out[i] = match{text: c.Match, ok: true}
		}
		return out
	}
	base := l.base16or10(n)
	for i, c := range n.Cases {
		if c.Any {
			continue
		}
		v, ok := number(c.Match, base)
		if bits := fieldBits(n.Subject); ok && bits > 0 && bits < 64 && v>>bits != 0 {
			// B: hexadecimal, but binary when only that fits the field.
			if b, isBinary := number(c.Match, 2); isBinary && b>>bits == 0 {
				v = b
			}
		}
		if !ok {
			l.say(c.Pos, diag.Warning, "match", "%q is no number of base %d: the case is never taken", c.Match, base)
		}
		out[i] = match{number: v, ok: ok}
	}
	return out
}

// fieldBits is the width of a B subject, 0 for others.
func fieldBits(n grammar.Node) int {
	switch n := n.(type) {
	case *grammar.Code:
		if n.Letter == 'B' {
			return 8*n.Size + n.Size2
		}
	case *grammar.Macro:
		if n.Cast != nil {
			return fieldBits(n.Cast)
		}
	}
	return 0
}

// base16or10 is the base of match values without a prefix: that of the subject's own text.
func (l *lowerer) base16or10(n *grammar.Switch) int {
	switch s := n.Subject.(type) {
	case *grammar.Code:
		return codeBase(s)
	case *grammar.Macro:
		if s.Cast != nil {
			return codeBase(s.Cast)
		}
		if decimals[s.Name] || facts[s.Name].decimal {
			return 10
		}
	}
	if l.c.opts.HexMatches || looksHex(n.Cases) {
		return 16
	}
	for _, c := range n.Cases {
		if v, ok := number(c.Match, 10); ok && v > 9 && !strings.HasPrefix(c.Match, "0x") {
			l.say(c.Pos, diag.Note, "base", "%s is read in decimal; write 0x%s if it is hexadecimal", c.Match, c.Match)
			break
		}
	}
	return 10
}

func codeBase(c *grammar.Code) int {
	switch c.Letter {
	case 'D', 'U':
		return 10
	case 'o':
		return 8
	}
	return 16
}

// looksHex says whether a value can only be hexadecimal: it has a digit A to F, or is a group of four digits that
// starts with 0 and is above 9.
func looksHex(cases []*grammar.Case) bool {
	for _, c := range cases {
		m := c.Match
		if strings.HasPrefix(m, "0x") || strings.HasPrefix(m, "o") || c.Any {
			continue
		}
		if strings.ContainsAny(m, "ABCDEFabcdef") {
			return true
		}
		if v, ok := number(m, 16); ok && len(m) == 4 && m[0] == '0' && v > 9 {
			return true
		}
	}
	return false
}
