package ftrace

// initList parses `{ … }`.
func (p *cparser) initList() *InitList {
	x := &InitList{Node: p.node()}
	if !p.expect(tLBrace, "`{`") || !p.enter() {
		return x
	}
	defer p.leave()
	h := 0
	for p.kind() != tRBrace && p.kind() != tEOF {
		if x.Elems == nil {
			x.Elems = make([]InitElem, 0, 2) // nearly all are { value, "name" }
		}
		x.Elems = append(x.Elems, p.initElem())
		h = max(h, p.height)
		if !p.accept(tComma) {
			break
		}
	}
	p.expect(tRBrace, "`,` or `}`")
	p.height = h
	p.above(0)
	return x
}

// initElem parses `value`, `.field = value`, `[index] = value` or the old GNU `field: value`.
func (p *cparser) initElem() InitElem {
	var e InitElem
	h := 0
	switch {
	case p.kind() == tDot && isWord(p.peek(1)):
		p.next()
		e.Field = p.word()
		p.next()
		p.designated()
	case p.kind() == tIdent && p.peek(1) == tColon:
		e.Field = p.word()
		p.next()
		p.next()
	case p.kind() == tLBrack:
		p.next()
		e.Index = p.expr(rankCond)
		h = p.height
		if p.accept(tEllipsis) {
			e.Last = p.expr(rankCond)
			h = max(h, p.height)
		}
		p.expect(tRBrack, "`]`")
		p.designated()
	}
	e.Value = p.initValue()
	p.height = max(h, p.height)
	return e
}

// designated takes the = after a designator.
func (p *cparser) designated() {
	if p.kind() != tAssign || p.word() != "=" {
		p.expected("`=` after a designator")
		return
	}
	p.next()
}

func (p *cparser) initValue() Expr {
	if p.kind() == tLBrace {
		return p.initList()
	}
	return p.expr(rankAssign)
}

// generic parses `_Generic(x, type: value, default: value)`.
func (p *cparser) generic() Expr {
	x := &Generic{Node: p.node()}
	p.next()
	p.expect(tLParen, "`(` after _Generic")
	x.X = p.expr(rankAssign)
	h := p.height
	for p.accept(tComma) {
		var arm GenericArm
		if !p.accept(kwDefault) {
			arm.Type = p.typeName()
			h = max(h, p.height)
		}
		p.expect(tColon, "`:`")
		arm.Value = p.expr(rankAssign)
		h = max(h, p.height)
		x.Arms = append(x.Arms, arm)
	}
	p.expect(tRParen, "`,` or `)`")
	p.height = h
	p.above(0)
	return x
}
