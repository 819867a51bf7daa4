package ftrace

// parenMeaning is the meaning of an opening parenthesis.
type parenMeaning uint8

const (
	typeNone    parenMeaning = iota // an expression
	typeCast                        // (type)
	typeLiteral                     // (type){
)

// parenUse is the place of the parenthesis.
type parenUse uint8

const (
	afterNothing parenUse = iota // a cast, if it holds a type: an operand follows
	afterSizeof
	afterTypeof
)

// parenType finds whether the parenthesis at token i holds a type. Nothing declares types in a
// format file, so spelling and neighbours decide. Keywords, `(x *)` and `(x){` are types. `(x)` is
// a type before a token that can only begin an operand. Before `- + & * (`, which may also continue
// an expression, x must be a known word.
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
	case k == tLBrack && known && stars == 0 && use != afterNothing: // casts to arrays do not exist
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

// startsOperand reports whether a token of kind k can only start an operand, not continue an
// expression.
func startsOperand(k kind) bool {
	switch k {
	case tIdent, tNumber, tChar, tString, tNot, kwSizeof, kwAlignof, kwGeneric, kwExtension:
		return true
	}
	return false
}

// maybeOperand reports whether a token of kind k can do both.
func maybeOperand(k kind) bool {
	switch k {
	case tPlus, tStar, tAnd, tInc, tLParen:
		return true
	}
	return false
}

// literalAfter reports whether `{` follows the parenthesis that closes the one at token i.
func (p *cparser) literalAfter(i int) bool {
	closing := p.toks[i].match
	return closing > 0 && p.kindAt(int(closing)+1) == tLBrace
}
