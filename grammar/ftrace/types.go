package ftrace

import "strings"

// parenMeaning is what an opening bracket stands before.
type parenMeaning uint8

const (
	typeNone    parenMeaning = iota // an expression
	typeCast                        // (type)
	typeLiteral                     // (type){
)

// parenUse is where the parenthesis stands.
type parenUse uint8

const (
	afterNothing parenUse = iota // a cast, if it holds a type: an operand follows
	afterSizeof
	afterTypeof
)

// parenType finds whether the parenthesis at token i holds a type. Nothing declares types in a
// format file, so spelling and neighbours decide: keywords, `(x *)` and `(x){` are types; `(x)` before
// something that can only begin an operand is one; before `- + & * (`, which may as well go on with an
// expression, x must be a known word.
func (p *cparser) parenType(i int, use parenUse) parenMeaning {
	k := p.kindAt(i + 1)
	if startsType(k) {
		if p.literalAfter(i) {
			return typeLiteral
		}
		return typeCast
	}
	if k != tIdent {
		return typeNone
	}
	known := knownType(p.textAt(i + 1))
	j, stars := i+2, 0
	for ; p.kindAt(j) == tStar || p.kindAt(j) == kwQual; j++ {
		stars++
	}
	switch k := p.kindAt(j); {
	case k == tLBrack && (known || stars > 0) && p.literalAfter(i):
		return typeLiteral
	case k == tLBrack && known && stars == 0 && use != afterNothing: // nothing can be cast to an array
		return typeCast
	case k != tRParen:
		return typeNone
	case p.kindAt(j+1) == tLBrace:
		return typeLiteral
	case stars > 0:
		return typeCast
	}
	switch after := p.kindAt(j + 1); {
	case use == afterTypeof:
		return castIf(known)
	case use == afterSizeof:
		return castIf(known && after != tLBrack && after != tDot && after != tArrow && after != tInc)
	default:
		return castIf(startsOperand(after) || known && maybeOperand(after))
	}
}

func castIf(is bool) parenMeaning {
	if is {
		return typeCast
	}
	return typeNone
}

// startsOperand says whether a token of kind k can go on with nothing, only start an operand.
func startsOperand(k kind) bool {
	switch k {
	case tIdent, tNumber, tChar, tString, tNot, kwSizeof, kwAlignof, kwGeneric, kwExtension:
		return true
	}
	return false
}

// maybeOperand says whether a token of kind k can do both.
func maybeOperand(k kind) bool {
	switch k {
	case tPlus, tStar, tAnd, tInc, tLParen:
		return true
	}
	return false
}

// literalAfter says whether `{` follows the parenthesis that closes the one at token i.
func (p *cparser) literalAfter(i int) bool {
	closing := p.toks[i].match
	return closing > 0 && p.kindAt(int(closing)+1) == tLBrace
}

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
	first, last, words := p.pos, p.pos, 0
	word := func() {
		if words == 0 {
			first = p.pos
		}
		last = p.pos
		words++
		p.next()
	}
	for {
		switch p.kind() {
		case kwQual, kwStorage, kwExtension:
			p.next()
		case kwAttr:
			p.attribute()
		case kwBase:
			if words < 0 || words >= 1<<30 {
				p.expected("one type")
				return t
			}
			word()
		case kwStruct:
			if words > 0 {
				p.expected("one type")
				return t
			}
			t.Base = p.word()
			p.structType(t)
			words = -1 << 30
		case kwTypeof:
			if words != 0 {
				p.expected("one type")
				return t
			}
			p.typeof(t)
			words = -1 << 30
		case tIdent:
			if words != 0 {
				return p.named(t, first, last, words)
			}
			word()
			words = 1 << 30
		default:
			if words == 0 {
				p.expected("a type")
			}
			return p.named(t, first, last, words)
		}
	}
}

// named sets the base of a type from its words, the tokens from first to last without qualifiers.
func (p *cparser) named(t *TypeName, first, last, words int) *TypeName {
	if words <= 0 || p.err != nil {
		return t
	}
	if first == last {
		t.Base = p.textAt(first)
		return t
	}
	var parts []string
	for i := first; i <= last; i++ {
		if k := p.kindAt(i); k == kwBase || k == tIdent {
			parts = append(parts, p.textAt(i))
		}
	}
	t.Base = strings.Join(parts, " ")
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

// structType parses struct, union or enum with a name, members or both.
func (p *cparser) structType(t *TypeName) {
	enum := p.word() == "enum"
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

// memberEnd takes the semicolon; gcc lets it go before the closing brace.
func (p *cparser) memberEnd() {
	if p.kind() != tRBrace {
		p.expect(tSemi, "`;`")
	}
}

// declared parses one declarator and returns its own type. Several names share what is behind base.
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

// stars counts the stars at hand and skips the qualifiers between them.
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

// parameters skips the parameters of a function type: nothing here can call it.
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
