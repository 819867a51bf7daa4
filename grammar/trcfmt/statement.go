package trcfmt

import "strings"

// switchTail makes a value the subject of a switch when a comma follows, with or without a mask
// before it.
func (p *parser) switchTail(subject Node) Node {
	next := p.blankEnd(p.off, false)
	sw := &Switch{Base: Base{Pos: subject.Position()}}
	switch p.byteAt(next) {
	case ',':
		p.skip()
	case '&':
		from := p.blankEnd(next+1, false)
		n := numberLen(p.src[from:p.end])
		if n == 0 || p.byteAt(p.blankEnd(from+n, false)) != ',' {
			return subject
		}
		p.skip()
		p.off++
		p.skip()
		sw.Mask = p.number(n)
		p.skip()
	default:
		return subject
	}
	if s, ok := subject.(*Sub); ok {
		subject = &Macro{Base: s.Base, Name: s.Hook.Text}
	}
	sw.Subject = subject
	p.cases(sw)
	return sw
}

// cases reads `, case { , case }`. A case without a comma after it is the last (aix.md 3.5).
func (p *parser) cases(sw *Switch) {
	for p.peekByte() == ',' {
		p.off++
		p.skip()
		c := p.switchCase()
		if c == nil {
			return
		}
		sw.Cases = append(sw.Cases, c)
		if p.byteAt(p.blankEnd(p.off, false)) == ',' {
			p.skip()
		}
	}
}

func (p *parser) switchCase() *Case {
	from := p.off
	c := &Case{Pos: p.at(from)}
	switch {
	case strings.HasPrefix(p.rest(), `\*`):
		c.Any = true
		p.off += 2
	case p.peekByte() == '"':
		c.Quoted = true
		c.Match = p.quoted()
	default:
		c.Match = p.wordText()
		if c.Match == "" {
			p.fail(from, CodeSwitch, "case expected after the comma (a match value and its result), found "+p.found())
			return nil
		}
		if code, ok := parseCode(c.Match); ok && code.Letter != 'A' && code.Letter != 'B' && code.Letter != 'D' &&
			code.Letter != 'E' && code.Letter != 'F' {
			p.warn(from, CodeNear, quote(c.Match)+
				" is a match value here and no format code: is the comma before it meant?")
		}
	}
	p.skip()
	p.result(c)
	return c
}

// result reads the result of a case.
func (p *parser) result(c *Case) {
	switch b := p.peekByte(); {
	case p.bad != nil:
		return
	case p.off >= p.end, b == ',', b == '}', strings.HasPrefix(p.rest(), `\*`):
		p.complain(p.off, CodeSwitch, `expected the result of the case ("" for none), found `+p.found())
		return
	case b == '{' && (!strings.HasPrefix(p.rest(), "{{") || strings.HasPrefix(p.rest(), "{{{")):
		c.Braces = true
		c.Body = p.block("a case")
		return
	case b == '{':
		if n := p.braces(); n != nil {
			c.Body = []Node{n}
		}
		return
	}
	n := p.element()
	if n == nil {
		return
	}
	if _, word := n.(*Word); word {
		p.setBlank(n)
	}
	c.Body = []Node{n}
	if b := p.peekByte(); p.off < p.end && b != ',' && b != '}' && b != '\n' && !isBlank(b) && b != '\\' {
		p.warn(p.off, CodeResult, "the result of the case ends here: more than one element needs braces")
	}
}

// block reads `{ … }`.
func (p *parser) block(of string) []Node {
	from := p.off
	p.off++
	nodes := p.items(closeBrace)
	if p.peekByte() != '}' {
		p.fail(from, CodeItem, "{ of "+of+" without }")
		return nodes
	}
	p.off++
	return nodes
}

// subject reads the value after LOOP or BITFLAGS.
func (p *parser) subject(code string, of string) Node {
	p.skip()
	if m := p.macro(); m != nil {
		return m
	}
	if c := p.code(); c != nil {
		return c
	}
	p.fail(p.off, code, "expected a format code or a macro after "+of+" (text in quotes), found "+p.found())
	return nil
}

// loop reads the text after LOOP.
func (p *parser) loop(from int) Node {
	l := &Loop{Base: p.base(from)}
	l.Subject = p.subject(CodeLoop, "LOOP")
	if l.Subject == nil {
		return nil
	}
	p.skip()
	if p.peekByte() != '{' {
		p.fail(p.off, CodeLoop, "expected { and the body of LOOP, found "+p.found())
		return nil
	}
	l.Body = p.block("LOOP")
	return l
}

// bitFlags reads the text after BITFLAGS.
func (p *parser) bitFlags(from int) Node {
	b := &BitFlags{Base: p.base(from)}
	b.Subject = p.subject(CodeBitFlags, "BITFLAGS")
	if b.Subject == nil {
		return nil
	}
	p.skip()
	if p.peekByte() != ',' {
		p.fail(p.off, CodeBitFlags, "expected a comma after the value of BITFLAGS, found "+p.found())
		return nil
	}
	for p.peekByte() == ',' {
		p.off++
		p.skip()
		f := p.flag()
		if f == nil {
			return nil
		}
		b.Flags = append(b.Flags, f)
		if p.byteAt(p.blankEnd(p.off, false)) == ',' {
			p.skip()
		}
	}
	return b
}

// flag reads `number "set" ["clear"]` or `& mask value "text"`.
func (p *parser) flag() *Flag {
	f := &Flag{Pos: p.at(p.off)}
	if p.peekByte() == '&' {
		p.off++
		p.skip()
		if f.Mask = p.flagNumber("a mask after &"); f.Mask == nil {
			return nil
		}
		p.skip()
	}
	if f.Value = p.flagNumber("a flag: a number and a string"); f.Value == nil {
		return nil
	}
	p.skip()
	switch b := p.peekByte(); {
	case b == '"' || b == '`':
		f.Set, f.SetBack = p.flagText()
	case p.off >= p.end || isDelimiter(b):
		p.fail(p.off, CodeBitFlags, "expected the string of the flag, found "+p.found())
		return nil
	default:
		from := p.off
		f.Set = p.wordText()
		p.warn(from, CodeBitFlags, "the text of a flag should be a string: "+quote(f.Set))
	}
	next := p.blankEnd(p.off, false)
	// otherwise back quotes are the text that follows
	if b := p.byteAt(next); f.Mask == nil && (b == '"' || b == '`' && f.SetBack) {
		p.skip()
		f.Clear, f.ClearBack = p.flagText()
		f.HasClear = true
	}
	return f
}

// flagText reads the text of a flag, and reports whether it is in back quotes.
func (p *parser) flagText() (text string, back bool) {
	if p.peekByte() == '"' {
		return p.quoted(), false
	}
	from := p.off
	q, _ := p.backQuote().(*BackQuote)
	if q == nil {
		return "", true
	}
	for _, n := range q.Nodes {
		s, ok := n.(*String)
		if !ok {
			p.fail(from, CodeBitFlags, "values in the text of a flag: only text can be there")
			return "", true
		}
		text += s.Value
	}
	return text, true
}

func (p *parser) flagNumber(what string) *Number {
	n := numberLen(p.rest())
	if b := p.byteAt(p.off + n); n == 0 || b != 0 && b != '\n' && !isBlank(b) && !isDelimiter(b) {
		p.fail(p.off, CodeBitFlags, "expected "+what+", found "+p.found())
		return nil
	}
	return p.number(n)
}
