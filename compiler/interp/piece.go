package interp

import (
	"math"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// statements compiles body.
func (c *builder) statements(body []ir.Stmt) *pieces {
	p := &pieces{}
	lit := "" // not yet in p
	for _, stmt := range body {
		if x, ok := stmt.(*ir.Lit); ok {
			lit += x.S
			continue
		}
		if text, s, ok := c.condition(stmt); ok {
			if lit != "" {
				p.add(lit, piece{}, 0)
			}
			lit = ""
			p.add(text, s, 0)
			continue
		}
		if s, size, ok := c.piece(stmt); ok {
			p.add(lit, s, size)
			lit = ""
		}
	}
	if lit != "" {
		p.add(lit, piece{}, 0)
	}
	if p.room > 0 {
		p.room += reach
	}
	p.calls, p.takes, p.sums = c.calls, c.takes, c.sums
	return p
}

// add appends a piece after the literal lit. The piece contains the end of lit. It writes at most
// size bytes without the literal.
func (p *pieces) add(lit string, s piece, size int) {
	for len(lit) >= litSize {
		var before piece
		before.n = uint8(copy(before.lit[:litSize-1], lit))
		p.list = append(p.list, before)
		p.room += litSize - 1
		lit = lit[litSize-1:]
	}
	s.n = uint8(copy(s.lit[:], lit))
	p.list = append(p.list, s)
	p.room += len(lit) + size
}

// closure returns a function that appends the pieces.
func (p *pieces) closure() textFn {
	switch {
	case len(p.list) == 0:
		return func(_ *Machine, dst []byte) []byte { return dst }
	case len(p.list) == 1 && p.list[0].n == 0 && p.list[0].text != nil:
		return p.list[0].text
	}
	return func(m *Machine, dst []byte) []byte { return p.append(m, dst, m.data) }
}

// piece returns the piece after a literal, and the maximum size of its output without the literal.
// It returns false if there is nothing to do.
func (c *builder) piece(stmt ir.Stmt) (s piece, size int, ok bool) {
	switch stmt := stmt.(type) {
	case *ir.PutInt:
		if s, ok = c.number(stmt); ok {
			return s, longest, true
		}
	case *ir.PutText:
		if s, size, ok = c.characters(stmt); ok {
			return s, size, true
		}
	case *ir.Let:
		if !c.reads[stmt.Slot] && !asks(stmt.V) {
			return s, 0, false
		}
		if s, ok = c.local(stmt); ok {
			return s, 0, true
		}
	case *ir.Require:
		if s, ok = c.long(stmt); ok {
			return s, 0, true
		}
		if s, ok = c.longSum(stmt); ok {
			return s, 0, true
		}
	}
	exits := c.exits
	s = piece{kind: pieceText, text: c.statement(stmt)}
	if c.exits > exits {
		s.kind = pieceExit
	}
	return s, 0, s.text != nil
}

// number is piece for an integer conversion without flags. Zero padding is allowed for decimals of
// up to eight digits.
func (c *builder) number(stmt *ir.PutInt) (s piece, ok bool) {
	spec, t := stmt.Spec, stmt.V.Type()
	if spec.WidthArg != nil || spec.PrecArg != nil || spec.Prec >= 0 || spec.Minus || spec.Plus || spec.Space ||
		spec.Sharp {
		return s, false
	}
	switch {
	case spec.Verb == 'd' && (spec.Width == 0 || spec.Zero && spec.Width <= 8) && t.Signed:
		s.kind = pieceDec
	case spec.Verb == 'd' && (spec.Width == 0 || spec.Zero && spec.Width <= 8):
		s.kind = pieceUdec
	case spec.Verb == 'x' && (spec.Width == 0 || spec.Zero && spec.Width <= 16):
		s.kind = pieceHex
	case spec.Verb == 'X' && (spec.Width == 0 || spec.Zero && spec.Width <= 16):
		s.kind = pieceUpper
	default:
		return s, false
	}
	s.width = uint8(spec.Width)
	if spec.Verb == 'd' {
		s.extra = 8 * uint32(max(spec.Width, 1)-1)
	}
	c.integer(&s, stmt.V)
	return s, true
}

// integer sets the place from which an integer is read.
func (c *builder) integer(s *piece, v ir.Value) {
	t := v.Type()
	digits := s.kind == pieceHex || s.kind == pieceUpper // they print the digits of the bits, independent of the sign
	f, ok := c.fieldLoad(v)
	if ok && s.kind == pieceDec && !f.t.Signed && f.t.Size < 8 {
		s.kind = pieceUdec
	}
	if ok && f.t.Size < 8 {
		switch {
		case s.kind == pieceDec:
			ok = f.t.Signed
		default:
			ok = !f.t.Signed || digits && f.t.Size == t.Size
		}
	}
	if ok && s.field(f, c.sure, c.big) {
		if n := f.t.Size; digits && int(s.width) == 2*int(n) && n >= 4 {
			s.fullHex()
		}
		if f.moved {
			s.number, s.kind = s.kind, pieceMoved
			s.value = c.value(v)
		}
		return
	}
	s.number, s.kind = s.kind, pieceValue
	s.value = c.value(v)
	if digits && t.Signed {
		s.left = 64 - 8*uint8(t.Size)
		s.right = s.left
	}
}

// fullHex selects the kind of an integer that is printed with all its hexadecimal digits.
func (s *piece) fullHex() {
	s.extra = render.LowerHex
	if s.kind == pieceUpper {
		s.extra = render.UpperHex
	}
	s.kind = pieceHex8
	if s.width == 16 {
		s.kind = pieceHex16
	}
}

// characters is piece for a text.
func (c *builder) characters(stmt *ir.PutText) (s piece, size int, ok bool) {
	if !stmt.Spec.Plain() {
		return s, 0, false
	}
	switch t := stmt.T.(type) {
	case *ir.Call:
		if s, ok = c.take(t); ok {
			return s, 0, true
		}
		return c.callOfOne(t)
	case *ir.CString:
		if lo, hi, ok := c.extent(t.Of); ok && hi-lo <= math.MaxUint8 && hi <= math.MaxInt32 {
			s = piece{kind: pieceString, at: int32(lo), width: uint8(hi - lo)}
			if s.width == nameSize {
				s.kind = pieceName
			}
			return s, hi - lo, true
		}
	}
	return s, 0, false
}

// callOfOne is piece for a call of a function that takes one number.
func (c *builder) callOfOne(t *ir.Call) (s piece, size int, ok bool) {
	if len(t.Args) != 1 {
		return s, 0, false
	}
	v, ok := t.Args[0].(ir.Value)
	if !ok || v.Type().Signed {
		return s, 0, false
	}
	if t.Name == "MacroHex" {
		s = piece{kind: pieceUpper, width: 4}
		c.integer(&s, v)
		return s, longest, true
	}
	fn, ok := textFuncs[t.Name].(callFn)
	if !ok {
		return s, 0, false
	}
	s = piece{kind: pieceCall, extra: uint32(len(c.calls))}
	c.calls = append(c.calls, fn)
	c.integer(&s, v)
	return s, 0, true
}

// local is piece for an assignment. Pointers that move along the record have special closures.
func (c *builder) local(stmt *ir.Let) (s piece, ok bool) {
	switch v := stmt.V.(type) {
	case *ir.ToNUL:
		at, ok := c.openSum(v.Of)
		return piece{kind: pieceNUL, at: int32(stmt.Slot), extra: at}, ok
	case *ir.Binary:
		at, ok := c.sum(v)
		return piece{kind: pieceSum, at: int32(stmt.Slot), extra: at}, ok
	}
	s = piece{kind: pieceLet, extra: uint32(stmt.Slot)}
	c.integer(&s, stmt.V)
	return s, true
}

// long is piece for the check of the record's length.
func (c *builder) long(stmt *ir.Require) (s piece, ok bool) {
	lo, hi, open, known := c.place(stmt.Of)
	n, isConst := constOr0(stmt.Bytes)
	if !known || !isConst || !open || n >= 1<<30 || n <= uint64(hi-lo) || lo > 1<<30 {
		return s, false
	}
	c.exits++
	c.sure = lo + int(n)
	return piece{kind: pieceLong, at: int32(n), extra: uint32(c.sure)}, true
}

// longSum is long for a length that is a sum.
func (c *builder) longSum(stmt *ir.Require) (s piece, ok bool) {
	if !isRecord(stmt.Of) {
		return s, false
	}
	s = piece{kind: pieceLongSum}
	s.extra, ok = c.sum(stmt.Bytes)
	if ok {
		c.exits++
	}
	return s, ok
}

// take is piece for a call of a function that takes a part of the record, and maybe two constants.
func (c *builder) take(t *ir.Call) (s piece, ok bool) {
	if len(t.Args) == 0 {
		return s, false
	}
	part, ok := t.Args[0].(*ir.Slice)
	if !ok || part.Len == nil || !isRecord(part.Of) {
		return s, false
	}
	s = piece{kind: pieceTake, at: int32(len(c.takes))}
	var fn takeFn
	switch f := textFuncs[t.Name].(type) {
	case takeFn:
		fn = f
	case func([]byte, *render.Env, []byte, uint64, uint64) []byte:
		x, ok1 := t.Args[1].(*ir.Const)
		y, ok2 := t.Args[2].(*ir.Const)
		if !ok1 || !ok2 {
			return s, false
		}
		fn = func(dst []byte, env *render.Env, b []byte) []byte { return f(dst, env, b, x.V, y.V) }
	default:
		return s, false
	}
	var ok2 bool
	s.extra, ok = c.sum(part.At)
	if _, ok2 = c.sum(part.Len); !ok || !ok2 {
		return s, false
	}
	c.takes = append(c.takes, fn)
	return s, true
}

// sum returns the number of a sum.
func (c *builder) sum(v ir.Value) (number uint32, ok bool) {
	s, ok := sumOf(v)
	if ok {
		c.sums = append(c.sums, s)
	}
	return uint32(len(c.sums) - 1), ok
}

// openSum is sum for the start of a region that reaches to the end of the record.
func (c *builder) openSum(r ir.Region) (number uint32, ok bool) {
	if isRecord(r) {
		return c.sum(nil)
	}
	part, ok := r.(*ir.Slice)
	if !ok || part.Len != nil || !isRecord(part.Of) {
		return 0, false
	}
	return c.sum(part.At)
}

// asks reports whether a value uses facts of the recording. The recording may note each use.
func asks(v any) (yes bool) {
	switch v.(type) {
	case *ir.Fact, *ir.FactText:
		return true
	}
	ir.Parts(v, func(part any) { yes = yes || asks(part) })
	return yes
}

// condition returns the piece of a literal that is printed on a condition.
func (c *builder) condition(stmt ir.Stmt) (lit string, s piece, ok bool) {
	x, ok := stmt.(*ir.If)
	if !ok || len(x.Else) > 0 {
		return "", s, false
	}
	if lit, ok = onlyLit(x.Then); !ok || len(lit) >= litSize {
		return "", s, false
	}
	s.kind = pieceIf
	if slot, mask, ok := allBits(x.Cond); ok {
		s.kind, s.at, s.extra = pieceIfBits, int32(slot), mask
	} else {
		s.value = c.value(x.Cond)
	}
	return lit, s, true
}

// allBits recognizes the test whether a local value has all bits of a mask: x & mask == mask, or x
// & mask with one bit.
func allBits(v ir.Value) (slot int, mask uint32, ok bool) {
	want := uint64(0)
	b, ok := v.(*ir.Binary)
	if ok && b.Op == ir.OpEq {
		k, isConst := b.Y.(*ir.Const)
		if !isConst {
			return 0, 0, false
		}
		want = k.V
		b, ok = b.X.(*ir.Binary)
	} else if ok {
		k, isConst := b.Y.(*ir.Const)
		if !isConst || k.V&(k.V-1) != 0 {
			return 0, 0, false
		}
		want = k.V
	}
	if !ok || b.Op != ir.OpAnd || want == 0 || want > math.MaxUint32 {
		return 0, 0, false
	}
	local, ok1 := b.X.(*ir.Local)
	k, ok2 := b.Y.(*ir.Const)
	if !ok1 || !ok2 || k.V != want {
		return 0, 0, false
	}
	return local.Slot, uint32(want), true
}

// field sets the place f from which an integer of the record is read. It returns false if there are
// no 8 bytes around it.
func (s *piece) field(f fixed, sure int, big bool) bool {
	size := int(f.t.Size)
	bits, start, at := uint8(8*size), f.end-size, max(0, f.end-8)
	switch {
	case f.moved && f.slot <= math.MaxUint8:
		s.at, s.slot = int32(f.end), uint8(f.slot)
		start, at = f.end-size, f.end-8
	case f.moved || at+8 > sure || at > 1<<30:
		return false
	default:
		s.at = int32(at)
	}
	s.big, s.right = big != f.swapped, 64-bits
	s.left = uint8(8 * (start - at))
	if !s.big {
		s.left = 64 - bits - s.left
	}
	return true
}
