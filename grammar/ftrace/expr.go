package ftrace

// expr parses an expression whose operators bind at least as tight as min.
func (p *cparser) expr(min rank) Expr {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	x := p.unary()
	for {
		k := p.kind()
		if int(k) >= len(infixRank) {
			return x
		}
		r := infixRank[k]
		if r == 0 || r < min {
			return x
		}
		if k == tQuestion {
			x = p.cond(x)
			continue
		}
		h, op := p.height, p.word()
		p.next()
		below := r + 1
		if k == tAssign {
			below = r // groups from the right
		}
		y := p.expr(below)
		p.above(h)
		x = &Binary{Node: nodeOf(x), Op: op, X: x, Y: y}
	}
}

// nodeOf returns the node of an operand. After an error there may be no operand.
func nodeOf(x Expr) Node {
	if x == nil {
		return Node{}
	}
	return Node{x.Position()}
}

// cond parses the rest of `test ? then : else` or `test ?: else`.
func (p *cparser) cond(test Expr) Expr {
	h := p.height
	p.next()
	x := &Cond{Node: nodeOf(test), If: test}
	if p.kind() != tColon {
		x.Then = p.expr(rankComma)
		h = max(h, p.height)
	}
	if p.expect(tColon, "`:`") {
		x.Else = p.expr(rankCond)
		p.above(h)
	}
	return x
}

// unary parses prefix operators, casts and sizeof with their operand.
func (p *cparser) unary() Expr {
	switch p.kind() {
	case tPlus, tNot, tStar, tAnd, tInc:
		x := &Unary{Node: p.node(), Op: p.word()}
		p.next()
		x.X = p.operand()
		return x
	case kwExtension:
		p.next()
		return p.operand()
	case kwSizeof, kwAlignof:
		return p.sizeof()
	case tLParen:
		switch p.parenType(p.pos, afterNothing) {
		case typeCast:
			return p.cast()
		case typeLiteral:
			return p.postfix(p.compound())
		}
	}
	return p.postfix(p.primary())
}

// operand parses the operand of a prefix operator.
func (p *cparser) operand() Expr {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	x := p.unary()
	p.above(0)
	return x
}

func (p *cparser) cast() Expr {
	x := &Cast{Node: p.node()}
	p.next()
	x.Type = p.typeName()
	h := p.height
	if p.expect(tRParen, "`)` after a type") {
		x.X = p.operand()
		p.above(h)
	}
	return x
}

// compound parses `(type){ … }`.
func (p *cparser) compound() Expr {
	x := &CompoundLit{Node: p.node()}
	p.next()
	x.Type = p.typeName()
	h := p.height
	if p.expect(tRParen, "`)` after a type") {
		x.Init = p.initList()
		p.above(h)
	}
	return x
}

func (p *cparser) sizeof() Expr {
	x := &Sizeof{Node: p.node(), Alignof: p.kind() == kwAlignof}
	p.next()
	if p.kind() == tLParen {
		switch p.parenType(p.pos, afterSizeof) {
		case typeCast:
			p.next()
			x.Type = p.typeName()
			p.expect(tRParen, "`)` after a type")
			p.above(0)
			return x
		case typeLiteral:
			x.X = p.postfix(p.compound())
			p.above(0)
			return x
		}
	}
	x.X = p.operand()
	return x
}

// postfix parses postfix operators.
func (p *cparser) postfix(x Expr) Expr {
	for {
		h, at := p.height, nodeOf(x)
		switch k := p.kind(); k {
		case tLBrack:
			p.next()
			i := p.expr(rankComma)
			p.expect(tRBrack, "`]`")
			x = &Index{Node: at, X: x, I: i}
		case tLParen:
			x = p.call(x)
		case tDot, tArrow:
			p.next()
			m := &Member{Node: at, X: x, Arrow: k == tArrow}
			// Keywords are allowed: the author of a probe chooses the names of its fields.
			if isWord(p.kind()) {
				m.Name = p.word()
				p.next()
			} else {
				p.expected("the name of a member")
			}
			x = m
		case tInc:
			x = &Postfix{Node: at, Op: p.word(), X: x}
			p.next()
		default:
			return x
		}
		p.above(h)
	}
}

// call parses `(args)`. Its height follows from the highest argument.
func (p *cparser) call(fun Expr) Expr {
	x := &Call{Node: nodeOf(fun), Fun: fun}
	name, _ := fun.(*Ident)
	p.next()
	base, h := len(p.args), 0
	for p.kind() != tRParen && p.kind() != tEOF {
		p.args = append(p.args, p.arg(name, len(p.args) == base))
		h = max(h, p.height)
		if !p.accept(tComma) { // a comma before the bracket ends a table
			break
		}
	}
	p.height = h
	p.expect(tRParen, "`,` or `)`")
	x.Args = p.popArgs(base)
	return x
}

// arg parses one argument of fun. fun is nil if it is not a plain name.
func (p *cparser) arg(fun *Ident, first bool) Expr {
	k := p.kind()
	switch {
	case k == tLBrace:
		return p.initList()
	case first && fun != nil && k >= kwBase && takesField(fun.Name):
		// A field of a probe may have the name `int`.
		p.height = 1
		x := &Ident{Node: p.node(), Name: p.word()}
		p.next()
		return p.postfix(x)
	case startsType(k), k == tIdent && fun != nil && takesType(fun.Name) && p.typeArg():
		x := &TypeExpr{Node: p.node()}
		x.Type = p.typeName()
		p.above(0)
		return x
	}
	return p.expr(rankAssign)
}

// takesField reports whether the first argument of a helper is the name of a field.
func takesField(fun string) bool {
	return len(fun) > 6 && fun[:6] == "__get_" || fun == "__print_dynamic_array"
}

// takesType reports whether a built-in function of the compiler takes types as arguments.
func takesType(fun string) bool {
	switch fun {
	case "__builtin_types_compatible_p", "__builtin_va_arg", "__builtin_offsetof", "offsetof":
		return true
	}
	return false
}

// typeArg reports whether the current name is a type by itself or by the stars after it.
func (p *cparser) typeArg() bool {
	i := p.pos + 1
	for p.kindAt(i) == tStar || p.kindAt(i) == kwQual {
		i++
	}
	k := p.kindAt(i)
	return (k == tComma || k == tRParen) && (i > p.pos+1 || knownType(p.word()))
}

// primary parses names, literals and parentheses.
func (p *cparser) primary() Expr {
	p.height = 1
	at := p.pos
	switch p.kind() {
	case tIdent:
		x := &Ident{Node: p.node(), Name: p.word()}
		p.next()
		return x
	case tNumber:
		x := &Number{Node: p.node()}
		if msg := parseNumber(x, p.word()); msg != "" {
			p.fail(p.code, msg)
			return x
		}
		p.next()
		return x
	case tChar:
		x := &Char{Node: p.node()}
		v, ok := charValue(p.word())
		if !ok {
			p.expected("one character of one byte between the quotes")
			return x
		}
		x.Value = v
		p.next()
		return x
	case tString:
		x := &String{Node: p.node()}
		x.Value = p.text()
		return x
	case kwGeneric:
		return p.generic()
	case tLParen:
		p.next()
		if p.kind() == tLBrace {
			x := &StmtExpr{Node: Node{p.position(at)}}
			x.Stmts = p.block()
			p.above(0)
			p.expect(tRParen, "`)` after `}`")
			return x
		}
		x := p.expr(rankComma)
		p.expect(tRParen, "`)`")
		return x
	}
	p.expected("an expression")
	return nil
}

// text takes one or more adjacent string literals and joins them.
func (p *cparser) text() string {
	s := p.unquoted()
	for p.kind() == tString {
		if n := p.peek(1); n != tString {
			s += p.unquoted()
			continue
		}
		joined := []byte(s)
		for p.kind() == tString {
			joined = append(joined, p.unquoted()...)
		}
		s = string(joined)
	}
	return s
}

func (p *cparser) unquoted() string {
	w := p.word()
	p.next()
	return unquote(w[1 : len(w)-1])
}
