package ftrace

import "strings"

// typeName parses a type without a name. It leaves the height of the expressions inside.
func (p *cparser) typeName() *TypeName {
	t := p.specifier()
	h := p.height
	if name := p.declarator(t); name != "" {
		p.expected("a type without a name")
	}
	p.height = max(h, p.height)
	return t
}

// specifier parses the part of a declaration that is the same for all its names.
func (p *cparser) specifier() *TypeName {
	t := &TypeName{Pos: p.position(p.pos)}
	p.height = 1
	first, last := -1, -1 // tokens of the words that make the base
	whole := false        // the type is complete: a further name is the declared name
	for {
		switch p.kind() {
		case kwQual, kwStorage, kwExtension:
			p.next()
			continue
		case kwAttr:
			p.attribute()
			continue
		case tIdent:
			if whole || first >= 0 {
				return p.named(t, first, last)
			}
			first, last, whole = p.pos, p.pos, true
			p.next()
			continue
		case kwBase, kwStruct, kwTypeof:
		default:
			if !whole && first < 0 {
				p.expected("a type")
			}
			return p.named(t, first, last)
		}
		if whole || first >= 0 && p.kind() != kwBase {
			p.expected("one type")
			return t
		}
		switch p.kind() {
		case kwBase:
			if first < 0 {
				first = p.pos
			}
			last = p.pos
			p.next()
		case kwStruct:
			whole = true
			p.structType(t)
		case kwTypeof:
			whole = true
			p.typeof(t)
		}
	}
}

// named sets the base of a type from its words, the tokens from first to last without qualifiers.
func (p *cparser) named(t *TypeName, first, last int) *TypeName {
	if first < 0 || p.err != nil {
		return t
	}
	if first == last {
		t.Base = p.textAt(first)
		return t
	}
	var words []string
	for i := first; i <= last; i++ {
		if p.kindAt(i) == kwBase {
			words = append(words, p.textAt(i))
		}
	}
	t.Base = strings.Join(words, " ")
	return t
}

// attribute skips __attribute__((…)).
func (p *cparser) attribute() {
	p.next()
	depth := 0
	for p.kind() != tEOF {
		switch p.kind() {
		case tLParen:
			depth++
		case tRParen:
			depth--
		case tBad:
			p.expected("`)`")
			return
		}
		if depth <= 0 && p.kind() != tRParen {
			p.expected("`((` after __attribute__")
			return
		}
		p.next()
		if depth == 0 {
			return
		}
	}
	p.expected("`))`")
}

// typeof parses `typeof(expression or type)`.
func (p *cparser) typeof(t *TypeName) {
	p.next()
	if p.kind() != tLParen {
		p.expected("`(` after typeof")
		return
	}
	if !p.enter() {
		return
	}
	defer p.leave()
	isType := p.parenType(p.pos, afterTypeof) == typeCast
	p.next()
	if isType {
		x := &TypeExpr{Node: p.node()}
		x.Type = p.typeName()
		t.Typeof = x
	} else {
		t.Typeof = p.expr(rankComma)
	}
	p.above(0)
	p.expect(tRParen, "`)`")
}

// declared parses one declarator and returns its type and name. Several declarators share base.
func (p *cparser) declared(base *TypeName) (*TypeName, string) {
	t := *base
	name := p.declarator(&t)
	return &t, name
}

// declarator parses stars, name, dimensions and, without keeping them, parameters.
func (p *cparser) declarator(t *TypeName) (name string) {
	t.Pointers += p.stars()
	p.height = 1
	function := false
	switch {
	case p.kind() == tIdent:
		name = p.word()
		p.next()
	case p.kind() == tLParen && p.peek(1) == tStar:
		p.next()
		t.FuncPointers = p.stars()
		if p.kind() == tIdent {
			name = p.word()
			p.next()
		}
		p.expect(tRParen, "`)`")
		if p.kind() != tLParen {
			p.expected("`(` and parameters: pointers to arrays are not supported")
			return name
		}
		function = true
	}
	if p.kind() == tLParen && (function || name != "") {
		t.Func = true
		p.parameters()
		return name
	}
	h := 1
	for p.accept(tLBrack) {
		var dim Expr
		if p.kind() != tRBrack {
			dim = p.expr(rankComma)
			h = max(h, p.height)
		}
		p.expect(tRBrack, "`]`")
		t.Dims = append(t.Dims, dim)
	}
	p.height = h
	return name
}

// stars counts the stars at the current token and skips the qualifiers between them.
func (p *cparser) stars() int {
	n := 0
	for {
		switch p.kind() {
		case tStar:
			n++
			p.next()
		case kwQual:
			p.next()
		case kwAttr:
			p.attribute()
		default:
			return n
		}
	}
}

// parameters skips the parameters of a function type. They are not needed, because such a function
// is never called.
func (p *cparser) parameters() {
	for depth := 0; p.kind() != tEOF; {
		switch p.kind() {
		case tLParen:
			depth++
		case tRParen:
			depth--
		case tBad:
			p.expected("`)`")
			return
		}
		p.next()
		if depth == 0 {
			return
		}
	}
	p.expected("`)`")
}
