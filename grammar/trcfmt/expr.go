package trcfmt

import (
	"fmt"
	"strconv"
	"strings"
)

// braces reads `{{ … }}`. A single brace has no meaning here.
func (p *parser) braces() Node {
	from := p.off
	if !strings.HasPrefix(p.rest(), "{{") {
		p.fail(from, CodeItem, "{ after no LOOP and no case")
		return nil
	}
	p.off += 2
	p.skip()
	if m := p.macro(); m != nil {
		return p.assign(from, m)
	}
	if at := p.off; p.name() != "" {
		name := p.src[at:p.off]
		p.skip()
		if p.peekByte() == '(' {
			return p.function(from, name)
		}
		p.off = at
	}
	p.fail(p.off, CodeAssign, "expected a macro or the head of a function after {{, found "+p.found())
	return nil
}

// assign reads `= expr }}` or `}}` after the macro.
func (p *parser) assign(from int, m *Macro) Node {
	a := &Assign{Base: p.base(from), Macro: m}
	if m.Cast != nil {
		p.complain(m.Pos.Offset, CodeAssign, "an assigned macro has no cast")
	}
	p.skip()
	if p.peekByte() == '=' {
		p.off++
		a.Value = p.expr()
		p.skip()
	}
	if !p.closeDouble("an assignment: operators are + - * / &") {
		return nil
	}
	return a
}

func (p *parser) closeDouble(of string) bool {
	if p.bad != nil {
		return false
	}
	if !strings.HasPrefix(p.rest(), "}}") {
		p.fail(p.off, CodeAssign, "expected }} at the end of "+of+"; found "+p.found())
		return false
	}
	p.off += 2
	return true
}

// function reads `(param, …) body }}`.
func (p *parser) function(from int, name string) Node {
	f := &FuncDef{Base: p.base(from), Name: name}
	if p.nest > 1 {
		p.complain(from, CodeFunc, "function "+quote(name)+" defined inside braces or another function")
	}
	p.off++
	p.skip()
	for p.peekByte() != ')' {
		dollar := p.peekByte() == '$'
		if dollar {
			p.off++
		}
		param := p.name()
		if param == "" {
			p.fail(p.off, CodeFunc, "expected a parameter of "+quote(name)+" or ), found "+p.found())
			return nil
		}
		f.Params = append(f.Params, param)
		f.Dollar = append(f.Dollar, dollar)
		p.skip()
		if p.peekByte() == ',' {
			p.off++
			p.skip()
		} else if p.peekByte() != ')' {
			p.fail(p.off, CodeFunc, "expected , or ) after a parameter of "+quote(name)+", found "+p.found())
			return nil
		}
	}
	p.off++
	f.Body = p.items(closeFunc)
	if !p.closeDouble("function " + name) {
		return nil
	}
	return f
}

// isFunction reports whether name( starts a call.
func (p *parser) isFunction(name string) bool {
	return p.functions[name] || IsBuiltin(name) || IsTimer(name)
}

// callName returns the name of the call that starts here, or "". The parenthesis must follow the
// name directly.
func (p *parser) callName() string {
	at := p.off
	name := p.name()
	next := p.peekByte()
	p.off = at
	if name == "" || next != '(' || !p.isFunction(name) {
		return ""
	}
	return name
}

// call reads `name(expr, …)`.
func (p *parser) call(name string) Node {
	c := &Call{Base: p.base(p.off), Name: name}
	from := p.off
	p.off += len(name) + 1
	if !p.enter() {
		return nil
	}
	defer p.leave()
	p.skip()
	for p.peekByte() != ')' {
		x := p.expr()
		if x == nil {
			return nil
		}
		c.Args = append(c.Args, x)
		p.skip()
		if p.peekByte() == ',' {
			p.off++
			p.skip()
		} else if p.peekByte() != ')' {
			p.fail(p.off, CodeCall, "expected an operator, a comma or ) among the arguments of "+name+", found "+
				p.found())
			return nil
		}
	}
	p.off++
	if IsTimer(name) && len(c.Args) != 2 {
		p.complain(from, CodeCall, fmt.Sprintf("%s takes 2 arguments, not %d", name, len(c.Args)))
	}
	return c
}

// expr reads operand { op operand }.
func (p *parser) expr() *Expr {
	p.skip()
	x := &Expr{Pos: p.at(p.off)}
	if x.First = p.operand(); x.First == nil {
		return nil
	}
	for {
		next := p.blankEnd(p.off, false)
		op := p.byteAt(next)
		if op == 0 || strings.IndexByte("+-*/&", op) < 0 {
			return x
		}
		p.skip()
		o := Operation{Pos: p.at(p.off), Op: op}
		p.off++
		p.skip()
		if o.X = p.operand(); o.X == nil {
			return nil
		}
		x.Rest = append(x.Rest, o)
	}
}

func (p *parser) operand() Node {
	if m := p.macro(); m != nil {
		return m
	}
	if name := p.callName(); name != "" {
		return p.call(name)
	}
	if isDigit(p.peekByte()) {
		n := numberLen(p.rest())
		if text := p.src[p.off : p.off+n]; n > 0 &&
			(decimalDigits(text) == n || strings.HasPrefix(strings.ToLower(text), "0x")) {
			return p.number(n)
		}
		p.fail(p.off, CodeNumber, "expected a decimal number or 0x and hexadecimal digits, found "+p.found())
		return nil
	}
	if c := p.code(); c != nil {
		return c
	}
	p.fail(p.off, CodeExpr, "expected a format code, a macro or a number, found "+p.found())
	return nil
}

// number takes the n characters of a number.
func (p *parser) number(n int) *Number {
	x := &Number{Pos: p.at(p.off), Text: p.src[p.off : p.off+n]}
	if !fits(x.Text) {
		p.complain(p.off, CodeNumber, "number "+quote(x.Text)+" has more than 64 bits")
	}
	p.off += n
	return x
}

// fits reports whether a number has at most 64 bits in one of its possible bases.
func fits(text string) bool {
	base, digits := 16, text
	switch b := text[0] | 0x20; {
	case b == 'o':
		base, digits = 8, text[1:]
	case len(text) > 1 && text[1]|0x20 == 'x':
		digits = text[2:]
	}
	_, err := strconv.ParseUint(digits, base, 64)
	if err != nil && base == 16 {
		_, err = strconv.ParseUint(text, 10, 64)
	}
	return err == nil
}

// numberLen returns the length of the number at the start of s, or 0. It is 0x and hexadecimal
// digits, o and octal digits, or digits whose base depends on their place.
func numberLen(s string) int {
	n := 0
	for n < len(s) && isName(s[n]) {
		n++
	}
	switch text := strings.ToLower(s[:n]); {
	case n > 2 && strings.HasPrefix(text, "0x") && hexDigits(text[2:]) == n-2:
		return n
	case n > 1 && text[0] == 'o' && strings.Trim(text[1:], "01234567") == "":
		return n
	case n > 0 && hexDigits(text) == n:
		return n
	}
	return 0
}
