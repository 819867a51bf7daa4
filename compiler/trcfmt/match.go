package trcfmt

import (
	"math"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// match is the value of a case.
type match struct {
	number uint64
	text   string
	ok     bool
}

// number parses a number: 0x is hexadecimal, and a leading o is octal everywhere. Otherwise base
// applies.
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

// maskValue reads the mask of a subject. A mask is decimal like other constants (aix.md 4.5),
// unless it can only be hexadecimal.
func maskValue(n *grammar.Number) uint64 {
	v, ok := number(n.Text, 10)
	if !ok {
		v, _ = number(n.Text, 16)
	}
	return v
}

// matches reads the values of all cases by the rules of aix.md 4.4.
func (l *lowerer) matches(n *grammar.Switch, d datum) []match {
	out := make([]match, len(n.Cases))
	if d.text != nil && n.Mask == nil {
		for i, c := range n.Cases {
			out[i] = match{text: l.textMatch(n.Subject, l.matchText(c)), ok: true}
		}
		return out
	}
	base := l.base16or10(n)
	for i, c := range n.Cases {
		if c.Any {
			continue
		}
		v, ok := number(c.Match, base)
		if !ok && len(c.Match) > 1 && c.Match[0] == '-' {
			v, ok = number(c.Match[1:], base)
			v = -v
		}
		if !ok {
			l.say(c.Pos, diag.Warning, "match", "%q is not a number of base %d: the case is never taken", c.Match, base)
		}
		out[i] = match{number: l.fit(n.Subject, c.Match, v), ok: ok}
	}
	return out
}

// fit returns the value of a case in the form of the subject's field. For a B field, a value is
// binary if only its binary reading fits. For a signed field, the value is the bits of the field.
func (l *lowerer) fit(subject grammar.Node, text string, v uint64) uint64 {
	if bits := fieldBits(subject); bits > 0 && bits < 64 && v>>bits != 0 {
		if b, ok := number(text, 2); ok && b>>bits == 0 {
			return b
		}
	}
	c, ok := subject.(*grammar.Code)
	if m, isMacro := subject.(*grammar.Macro); isMacro {
		c, ok = m.Cast, m.Cast != nil
	}
	if ok && c.Letter == 'D' {
		if t := (ir.Type{Size: int8(l.bytes(c)), Signed: true}); t.Size < 8 && v>>(8*uint(t.Size)) == 0 {
			return t.Extend(v)
		}
	}
	return v
}

func (l *lowerer) matchText(c *grammar.Case) string {
	if c.Quoted {
		return l.c.opts.unquote(c.Match)
	}
	return c.Match
}

// textMatch returns the value of a case in the form in which the code of the subject prints.
// Hexadecimal digits of more than 64 bits are padded, and numbers of a floating-point field have
// their printed form.
func (l *lowerer) textMatch(subject grammar.Node, text string) string {
	c, ok := subject.(*grammar.Code)
	if m, isMacro := subject.(*grammar.Macro); isMacro {
		c, ok = m.Cast, m.Cast != nil
	}
	switch {
	case !ok:
	case c.Letter == 'X':
		digits := strings.ToUpper(strings.TrimPrefix(text, "0x"))
		if n := 2 * l.bytes(c); len(digits) < n {
			digits = strings.Repeat("0", n-len(digits)) + digits
		}
		return digits
	case c.Letter == 'F':
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			return string(render.Float(nil, nil, math.Float64bits(v), 8))
		}
	}
	return text
}

// fieldBits returns the width of a B subject in bits, and 0 for other subjects.
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

// base16or10 returns the base of match values without a prefix. It is the base of the subject's own
// text.
func (l *lowerer) base16or10(n *grammar.Switch) int {
	switch s := n.Subject.(type) {
	case *grammar.Code:
		return codeBase(s)
	case *grammar.Macro:
		if s.Cast != nil {
			return codeBase(s.Cast)
		}
		if decimals[s.Name] || facts[s.Name].form == 'U' {
			return 10
		}
	}
	if l.c.opts.HexMatches || looksHex(n.Cases) {
		return 16
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

// looksHex reports whether a value can only be hexadecimal: it has a digit A to F, or is a group of
// four digits that starts with 0 and is above 9.
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
