package trcfmt

// dollar reads the text after a $: a macro or a subroutine. If no name follows, the $ is text.
func (p *parser) dollar() Node {
	from := p.off
	name := p.macroName()
	if name == "" {
		p.off = from + 1
		p.warn(from, CodeNear, "$ before no name is text")
		return &Word{Base: p.base(from), Value: "$"}
	}
	if c := p.cast(); c != nil {
		return &Macro{Base: p.base(from), Name: name, Cast: c}
	}
	if p.isSub(name) {
		id, _ := hookID(name)
		return &Sub{Base: p.base(from), Hook: id}
	}
	return &Macro{Base: p.base(from), Name: name}
}

// macro reads $name or $name%cast where only a macro is allowed. If there is no macro, it returns
// nil and reads nothing.
func (p *parser) macro() *Macro {
	from := p.off
	if p.peekByte() != '$' {
		return nil
	}
	name := p.macroName()
	if name == "" {
		p.off = from
		return nil
	}
	return &Macro{Base: p.base(from), Name: name, Cast: p.cast()}
}

// macroName takes $ and the name after it.
func (p *parser) macroName() string {
	p.off++
	from := p.off
	for p.off < p.end && isName(p.src[p.off]) {
		p.off++
	}
	return p.src[from:p.off]
}

// isSub reports whether $name is the template of another hook: three hexadecimal digits (aix.md
// 3.5), unless the stanza declares a macro of that name.
func (p *parser) isSub(name string) bool {
	return len(name) == 3 && hexDigits(name) == 3 && !p.declared[name]
}

// cast reads %fmt. A % before anything but a letter is text.
func (p *parser) cast() *Code {
	if p.peekByte() != '%' {
		return nil
	}
	from := p.off
	c, n := parseCast(p.src[from+1 : p.end])
	if n == 0 {
		return nil
	}
	p.off += 1 + n
	p.castEnd = p.off
	if c == nil {
		// aix.md 3.4: "others default to X2".
		p.warn(from, CodeCast, quote(p.src[from:p.off])+" is not a cast: the value is printed as with %X2")
		c = &Code{Letter: 'X', Size: 2, HasSize: true}
	} else if p.off < p.end && isName(p.src[p.off]) {
		p.warn(from, CodeCast, quote(p.src[from:p.off])+" is taken as the cast; the rest is text")
	}
	c.Base = p.base(from + 1)
	return c
}

// scanDeclared collects the names that {{ … }} introduce in the text of a stanza: functions, and
// macros with the parameters of functions. Either map may be nil.
func (f *fileParser) scanDeclared(text string, functions, macros map[string]bool) {
	p := &parser{fileParser: &fileParser{places: places{src: text, line: 1}, update: f.update}, end: len(text)}
	for p.off < p.end {
		switch p.src[p.off] {
		case '\\':
			if next := p.blankEnd(p.off, false); next > p.off { // it may contain comments
				p.off = next
				continue
			}
			p.off += 2
		case '"', '`':
			p.passQuoted()
		case '{':
			p.off++
			if p.peekByte() != '{' {
				continue
			}
			p.off = p.blankEnd(p.off+1, false)
			p.scanBraces(functions, macros)
		default:
			p.off++
		}
	}
}

// scanBraces examines the text after {{.
func (p *parser) scanBraces(functions, macros map[string]bool) {
	if p.peekByte() == '$' {
		if name := p.macroName(); macros != nil {
			macros[name] = true
		}
		return
	}
	name := p.name()
	p.off = p.blankEnd(p.off, false)
	if name == "" || p.peekByte() != '(' {
		return
	}
	if functions != nil {
		functions[name] = true
	}
	for p.off < p.end && macros != nil {
		p.off = p.blankEnd(p.off+1, false)
		if p.peekByte() == '$' {
			p.off++
		}
		param := p.name()
		if param == "" {
			return
		}
		macros[param] = true
		p.off = p.blankEnd(p.off, false)
		if p.peekByte() != ',' {
			return
		}
	}
}

// name takes letters, digits and underscores that do not start with a digit.
func (p *parser) name() string {
	from := p.off
	for p.off < p.end && isName(p.src[p.off]) && (p.off > from || !isDigit(p.src[p.off])) {
		p.off++
	}
	return p.src[from:p.off]
}

// passQuoted passes a string or back quotes.
func (p *parser) passQuoted() {
	quote := p.src[p.off]
	p.off++
	for p.off < p.end && p.src[p.off] != quote {
		if p.src[p.off] == '\\' {
			p.off++
		}
		p.off++
	}
	p.off++
}
