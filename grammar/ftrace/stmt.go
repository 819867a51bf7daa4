package ftrace

// block parses `{ statements }`; the current token is the brace. It leaves the height of the
// highest statement.
func (p *cparser) block() []Stmt {
	if !p.expect(tLBrace, "`{`") || !p.enter() {
		return nil
	}
	defer p.leave()
	var list []Stmt
	h := 0
	for p.kind() != tRBrace && p.kind() != tEOF {
		p.height = 1
		list = p.stmt(list)
		h = max(h, p.height)
	}
	p.expect(tRBrace, "`}`")
	p.height = h
	return list
}

// stmt parses one statement and appends it to list. A declaration may append several statements.
// The empty statement appends nothing.
func (p *cparser) stmt(list []Stmt) []Stmt {
	at := p.node()
	switch p.kind() {
	case tSemi:
		p.next()
		return list
	case tLBrace:
		b := &Block{Node: at, Stmts: p.block()}
		p.above(0)
		return append(list, b)
	case kwIf:
		return append(list, p.ifStmt())
	case kwFor:
		return append(list, p.forStmt())
	case kwWhile:
		p.next()
		s := &For{Node: at, Cond: p.parenthesised("while")}
		h := p.height
		s.Body = p.body()
		p.above(h)
		return append(list, s)
	case kwDo:
		return append(list, p.doStmt())
	case kwSwitch:
		return append(list, p.switchStmt())
	case kwCase, kwDefault:
		return append(list, p.label())
	case kwJump:
		s := &Jump{Node: at, Word: p.word()}
		p.next()
		if s.Word == "return" && p.kind() != tSemi {
			s.X = p.expr(rankComma)
			p.above(0)
		}
		p.expect(tSemi, "`;`")
		return append(list, s)
	case kwStaticAssert:
		return append(list, p.staticAssert())
	case kwOther:
		p.expected("a statement (goto, typedef and asm are not supported)")
		return list
	}
	if p.declares() {
		return p.declaration(list)
	}
	s := &ExprStmt{Node: at, X: p.expr(rankComma)}
	p.above(0)
	p.expect(tSemi, "`;`")
	return append(list, s)
}

// body parses the statement after if, for and similar words. An empty statement becomes an empty
// Block.
func (p *cparser) body() Stmt {
	at := p.node()
	p.height = 1
	if !p.enter() {
		return nil
	}
	defer p.leave()
	switch list := p.stmt(nil); len(list) {
	case 0:
		return &Block{Node: at}
	case 1:
		return list[0]
	default:
		p.above(0)
		return &Block{Node: at, Stmts: list}
	}
}

// parenthesised parses `(expression)` after a word.
func (p *cparser) parenthesised(word string) Expr {
	p.expect(tLParen, "`(` after "+word)
	x := p.expr(rankComma)
	p.expect(tRParen, "`)`")
	return x
}

func (p *cparser) ifStmt() Stmt {
	s := &If{Node: p.node()}
	p.next()
	s.Cond = p.parenthesised("if")
	h := p.height
	s.Then = p.body()
	h = max(h, p.height)
	if p.accept(kwElse) {
		s.Else = p.body()
	}
	p.above(h)
	return s
}

func (p *cparser) forStmt() Stmt {
	s := &For{Node: p.node()}
	p.next()
	p.expect(tLParen, "`(` after for")
	at := p.node()
	p.height = 1
	h := 0
	if p.kind() == tLBrace {
		p.expected("an expression or a declaration")
	}
	switch list := p.stmt(nil); len(list) {
	case 0:
	case 1:
		s.Init = list[0]
	default:
		s.Init = &Block{Node: at, Stmts: list}
	}
	switch s.Init.(type) {
	case nil, *Decl, *ExprStmt, *Block:
	default:
		p.failAt(at.Pos, p.code, "expected a declaration or an expression in for (…)")
	}
	h = max(h, p.height)
	if p.kind() != tSemi {
		s.Cond = p.expr(rankComma)
		h = max(h, p.height)
	}
	p.expect(tSemi, "`;`")
	if p.kind() != tRParen {
		s.Post = p.expr(rankComma)
		h = max(h, p.height)
	}
	p.expect(tRParen, "`)`")
	s.Body = p.body()
	p.above(h)
	return s
}

func (p *cparser) doStmt() Stmt {
	s := &For{Node: p.node(), Do: true}
	p.next()
	s.Body = p.body()
	h := p.height
	p.expect(kwWhile, "while after the body of do")
	s.Cond = p.parenthesised("while")
	p.above(h)
	p.expect(tSemi, "`;`")
	return s
}

func (p *cparser) switchStmt() Stmt {
	s := &Switch{Node: p.node()}
	p.next()
	s.X = p.parenthesised("switch")
	h := p.height
	s.Body = p.block()
	p.above(h)
	return s
}

// label parses `case value:`, `case low ... high:` or `default:`.
func (p *cparser) label() Stmt {
	s := &Case{Node: p.node()}
	isCase := p.kind() == kwCase
	p.next()
	h := 0
	if isCase {
		s.Value = p.expr(rankCond)
		h = p.height
		if p.accept(tEllipsis) {
			s.High = p.expr(rankCond)
			h = max(h, p.height)
		}
	}
	p.height = max(h, 1)
	p.above(0)
	p.expect(tColon, "`:`")
	return s
}

func (p *cparser) staticAssert() *StaticAssert {
	s := &StaticAssert{Node: p.node()}
	p.next()
	p.expect(tLParen, "`(` after _Static_assert")
	s.Cond = p.expr(rankAssign)
	p.above(0)
	if p.accept(tComma) {
		msg := &String{Node: p.node()}
		if p.kind() != tString {
			p.expected("the message of _Static_assert")
			return s
		}
		msg.Value = p.text()
		s.Message = msg
	}
	p.expect(tRParen, "`)`")
	p.memberEnd()
	return s
}

// declares reports whether a declaration begins here. It begins at a word that can only begin a
// declaration, or at a name that another name follows. With stars between the names, the first name
// must be a known type, or the rest must be possible only in a declaration.
func (p *cparser) declares() bool {
	k := p.kind()
	if startsType(k) || k == kwStatic || k == kwExtern || k == kwStorage {
		return true
	}
	if k != tIdent {
		return false
	}
	i := p.pos + 1
	for p.kindAt(i) == tStar || p.kindAt(i) == kwQual {
		i++
	}
	if p.kindAt(i) != tIdent {
		return false
	}
	assigned := p.kindAt(i+1) == tAssign && p.textAt(i+1) == "="
	return i == p.pos+1 || knownType(p.word()) || assigned || p.kindAt(i-1) == kwQual
}

// declaration parses `type a = x, *b, c[] = { … };`.
func (p *cparser) declaration(list []Stmt) []Stmt {
	at := p.node()
	static, extern := false, false
	for {
		if k := p.kind(); k == kwStatic {
			static = true
		} else if k == kwExtern {
			extern = true
		} else if k == kwAttr {
			p.attribute()
			continue
		} else if k != kwQual && k != kwStorage {
			break
		}
		p.next()
	}
	base := p.specifier()
	h := p.height
	for {
		d := &Decl{Node: at, Static: static, Extern: extern}
		d.Type, d.Name = p.declared(base)
		h = max(h, p.height)
		if d.Name == "" {
			p.expected("the name of a variable")
			return list
		}
		for p.kind() == kwAttr {
			p.attribute()
		}
		if p.kind() == tAssign {
			p.designated()
			d.Init = p.initValue()
			h = max(h, p.height)
		}
		list = append(list, d)
		if !p.accept(tComma) {
			break
		}
	}
	p.height = h
	p.above(0)
	p.expect(tSemi, "`;` after a declaration")
	return list
}
