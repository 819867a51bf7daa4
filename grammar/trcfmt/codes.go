package trcfmt

import (
	"strconv"
	"strings"
)

// codeLetters are the first letters of the format codes (aix.md 3.3). H stands for HB and HT.
const codeLetters = "GORWASBXDUoFHTEP"

// maxCodeSize limits the numbers of a format code, because no event is longer (aix.md 2.2: 4096+12
// bytes).
const maxCodeSize = 9999

// parseCode parses a format code. The text must be exactly one code with a legal size.
func parseCode(text string) (*Code, bool) {
	if len(text) < 2 || !strings.Contains(codeLetters, text[:1]) {
		return nil, false
	}
	c := &Code{Letter: text[0]}
	rest := text[1:]
	switch {
	case c.Letter == 'H':
		c.Kind = rest[0]
		return c, rest == "B" || rest == "T"
	case rest == "W", text == "ow": // the seed of the language has this form
		c.Word = true
		return c, strings.IndexByte("SXDUoTEP", c.Letter) >= 0
	}
	m, n, two := strings.Cut(rest, ".")
	var ok bool
	if c.Size, ok = codeSize(m); !ok {
		return nil, false
	}
	c.HasSize = true
	if two {
		if c.Size2, ok = codeSize(n); !ok {
			return nil, false
		}
		c.HasSize2 = true
	}
	return c, c.legal()
}

// codeSize parses m or n of a code. With a leading zero it is not a size, but for example the
// number of a label.
func codeSize(s string) (int, bool) {
	if s == "" || decimalDigits(s) < len(s) || len(s) > 1 && s[0] == '0' {
		return 0, false
	}
	v, err := strconv.Atoi(s)
	return v, err == nil && v <= maxCodeSize
}

// legal reports whether the sizes are allowed by aix.md 3.3.
func (c *Code) legal() bool {
	m := c.Size
	switch c.Letter {
	case 'G', 'O', 'A':
		return true
	case 'B':
		return m+c.Size2 > 0
	case 'R', 'W':
		return !c.HasSize2
	case 'X':
		return !c.HasSize2 && m <= 16
	}
	if c.HasSize2 {
		return false
	}
	switch c.Letter {
	case 'S', 'D', 'U', 'o', 'E':
		return m == 1 || m == 2 || m == 4 || m == 8
	case 'F', 'T', 'P':
		return m == 4 || m == 8
	}
	return false
}

// parseCast parses a cast at the start of text, which follows the % of a macro, and returns its
// length. In addition to the codes there are single letters (%D) and bit ranges (%W24.27, aix.md
// 3.4). For an unknown cast it returns nil and the length of the text that looks like a cast, or 0
// if text does not start with a letter.
func parseCast(text string) (*Code, int) {
	if text == "" || !isAlnum(text[0]) || isDigit(text[0]) {
		return nil, 0
	}
	n := 1 + decimalDigits(text[1:])
	switch {
	case n == 1 && len(text) > 1 && (text[1] == 'W' || text[:2] == "ow") && (len(text) == 2 || !isName(text[2])):
		if c, ok := parseCode(text[:2]); ok {
			return c, 2
		}
		return nil, 2
	case n == 1 && strings.IndexByte("XDUoBEFTPAS", text[0]) >= 0:
		return &Code{Letter: text[0]}, 1
	case n < len(text) && text[n] == '.':
		if f := decimalDigits(text[n+1:]); f > 0 {
			c, ok := parseCode(text[:n+1+f])
			if ok && isCast(c) || c != nil && c.Letter == 'W' {
				return c, n + 1 + f
			}
		}
	}
	if c, ok := parseCode(text[:n]); ok && isCast(c) {
		return c, n
	}
	return nil, n
}

// isCast reports whether a format code outputs a value.
func isCast(c *Code) bool { return strings.IndexByte("GORWH", c.Letter) < 0 }

// nearCode reports whether a word may have been intended as a format code.
func nearCode(word string) bool {
	if len(word) < 2 || !strings.Contains(codeLetters, word[:1]) {
		return false
	}
	rest := word[1:]
	if word[0] == 'H' {
		return false
	}
	if rest == "W" {
		return true
	}
	m, n, two := strings.Cut(rest, ".")
	if !two {
		n = "0"
	}
	return m != "" && decimalDigits(m) == len(m) && n != "" && decimalDigits(n) == len(n)
}

// codeText writes a format code.
func codeText(c *Code) string {
	b := []byte{c.Letter}
	switch {
	case c.Kind != 0:
		b = append(b, c.Kind)
	case c.Word:
		b = append(b, 'W')
	default:
		if c.HasSize {
			b = strconv.AppendInt(b, int64(c.Size), 10)
		}
		if c.HasSize2 {
			b = append(b, '.')
			b = strconv.AppendInt(b, int64(c.Size2), 10)
		}
	}
	return string(b)
}
