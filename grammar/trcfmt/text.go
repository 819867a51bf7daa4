package trcfmt

import "strings"

// quoted scans a string and returns its text, the characters between the quotes (aix.md 4.1 a).
// Only a quote needs a backslash. A backslash at the end of a line continues with the next line.
func (p *parser) quoted() string {
	from := p.off
	p.off++
	var text []byte
	for p.off < p.end {
		switch b := p.src[p.off]; b {
		case '"':
			p.off++
			return string(text)
		case '\\':
			text = p.backslash(text)
		case '\n':
			// The newline that ends a line inside a string without a backslash: a comment line, see
			// extent.
			p.fail(from, CodeString, "string without closing quote")
			return string(text)
		default:
			text = append(text, b)
			p.off++
		}
	}
	p.fail(from, CodeString, "string without closing quote")
	return string(text)
}

// backslash scans a backslash of a string and the characters that belong to it.
func (p *parser) backslash(text []byte) []byte {
	from := p.off
	if next := p.continued(from, true); next > from {
		p.off = next
		return text
	}
	p.off++
	switch b := p.byteAt(p.off); b {
	case '"':
		p.off++
		return append(text, '"')
	case '\\':
		// A backslash before the one that ends the line is text: lines are cut first (aix.md 3.2).
		if p.continued(p.off, false) == p.off {
			p.off++
			return append(text, `\\`...)
		}
	case 'n', 't':
		p.warn(from, CodeEscape, quote(p.src[from:from+2])+
			" in a string is printed as written: it means something outside of quotes")
	}
	return append(text, '\\')
}

// Unescape returns the text of a string with \n, \t and \\ replaced as in other languages, as some
// writers of templates expect. Strings are otherwise printed exactly.
func Unescape(text string) string {
	return escapes.Replace(text)
}

var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\\`, `\`)

// textEscape scans a backslash of back quotes and the characters that belong to it.
func (p *parser) textEscape(text []byte) []byte {
	from := p.off
	if next := p.continued(from, true); next > from {
		p.off = next
		return text
	}
	b := p.byteAt(from + 1)
	p.off = from + 2
	switch b {
	case 'n':
		return append(text, '\n')
	case 't':
		return append(text, '\t')
	case '"', '`':
		return append(text, b)
	case '\\':
		// A backslash before the one that ends the line is text: lines are cut first (aix.md 3.2).
		if p.continued(from+1, false) > from+1 {
			p.off = from + 1
		}
		return append(text, b)
	}
	p.off = from + 1
	p.warn(from, CodeEscape, quote(p.src[from:from+2])+" in back quotes is taken as written")
	return append(text, '\\')
}

// backQuote reads `…`. Only values have a meaning inside it. Blanks, commas and braces are text
// (aix.md 4.1 e).
func (p *parser) backQuote() Node {
	q := &BackQuote{Base: p.base(p.off)}
	from := p.off
	p.off++
	var text []byte
	textFrom := p.off
	flush := func() {
		if len(text) > 0 {
			q.Nodes = append(q.Nodes, &String{Base: p.base(textFrom), Value: string(text)})
		}
		text = nil
	}
	start := true // whether a format code may start here
	for p.off < p.end && p.src[p.off] != '\n' {
		if len(text) == 0 {
			textFrom = p.off
		}
		b := p.src[p.off]
		switch {
		case b == '`':
			flush()
			p.off++
			return q
		case b == '\\':
			if p.continued(p.off, false) > p.off {
				text = append(text, ' ')
			}
			text = p.textEscape(text)
			// An escaped backslash or back quote is part of a word. Other characters are treated as
			// if not escaped.
			last := text[len(text)-1]
			start = last != '\\' && last != '`'
			continue
		case b == '$':
			if m := p.macro(); m != nil {
				flush()
				q.Nodes = append(q.Nodes, m)
				start = p.off != p.castEnd
				continue
			}
		case start:
			if c := p.code(); c != nil {
				flush()
				q.Nodes = append(q.Nodes, c)
				continue
			}
		}
		start = isBlank(b) || b == '"' || b == '{' || b == '}' || b == ','
		text = append(text, b)
		p.off++
	}
	p.fail(from, CodeString, "back quote without its partner")
	return q
}
