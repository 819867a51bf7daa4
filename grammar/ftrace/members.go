package ftrace

// structType parses struct, union or enum with a name, members or both.
func (p *cparser) structType(t *TypeName) {
	enum := p.word() == "enum"
	t.Base = p.word()
	p.next()
	for p.kind() == kwAttr {
		p.attribute()
	}
	if p.kind() == tIdent {
		t.Base += " " + p.word()
		p.next()
	} else if p.kind() != tLBrace {
		p.expected("the name of a " + t.Base + " or `{`")
		return
	}
	if p.kind() != tLBrace || !p.enter() {
		return
	}
	defer p.leave()
	p.next()
	t.Body = []*Decl{}
	h := 0
	for p.kind() != tRBrace && p.kind() != tEOF {
		if enum {
			t.Body = append(t.Body, p.enumerator())
			h = max(h, p.height)
			if !p.accept(tComma) {
				break
			}
			continue
		}
		p.members(t)
		h = max(h, p.height)
	}
	p.expect(tRBrace, "`}`")
	for p.kind() == kwAttr {
		p.attribute()
	}
	p.height = h
	p.above(0)
}

func (p *cparser) enumerator() *Decl {
	p.height = 1
	d := &Decl{Node: p.node(), Type: &TypeName{Pos: p.position(p.pos), Base: "int"}}
	d.Name = p.word()
	if !p.expect(tIdent, "a name in the enum") {
		return d
	}
	if p.kind() == tAssign {
		p.designated()
		d.Init = p.expr(rankCond)
	}
	return d
}

// members parses one line of a struct.
func (p *cparser) members(t *TypeName) {
	if p.accept(tSemi) {
		return
	}
	if p.kind() == kwStaticAssert {
		t.Asserts = append(t.Asserts, p.staticAssert())
		return
	}
	base := p.specifier()
	h := p.height
	for {
		d := &Decl{Node: Node{base.Pos}}
		d.Type, d.Name = p.declared(base)
		h = max(h, p.height)
		if p.accept(tColon) {
			d.Type.Bits = p.expr(rankCond)
			h = max(h, p.height)
		}
		t.Body = append(t.Body, d)
		if !p.accept(tComma) {
			break
		}
	}
	p.height = h
	p.memberEnd()
}

// memberEnd takes the semicolon. Like gcc, it does not require one before the closing brace.
func (p *cparser) memberEnd() {
	if p.kind() != tRBrace {
		p.expect(tSemi, "`;`")
	}
}
