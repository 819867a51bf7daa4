package interp

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// putInt compiles an integer conversion after the literal lit.
func (c *builder) putInt(lit string, s *ir.PutInt) textFn {
	t, spec := s.V.Type(), specOf(s.Spec)
	if !s.Spec.Plain() || spec.Plus || spec.Space || spec.Sharp || spec.Verb != 'd' && spec.Verb != 'x' {
		return c.putSpec(lit, s)
	}
	if f, ok := c.fixedLoad(s.V); ok && f.end >= 8 {
		if fn := c.putField(lit, spec.Verb, f, t); fn != nil {
			return fn
		}
	}
	v := c.value(s.V)
	switch {
	case spec.Verb == 'x':
		if t.Signed {
			t.Signed = false
			return func(m *Machine, dst []byte) []byte {
				return render.HexLower(append(dst, lit...), t.Extend(v(m)))
			}
		}
		return func(m *Machine, dst []byte) []byte { return render.HexLower(append(dst, lit...), v(m)) }
	case t.Signed:
		return func(m *Machine, dst []byte) []byte { return render.Dec(append(dst, lit...), int64(v(m))) }
	}
	return func(m *Machine, dst []byte) []byte { return render.Udec(append(dst, lit...), v(m)) }
}

// putField is putInt of a field, read in the same closure; t is the type it prints as. It returns nil for
// the rare field whose sign changes on the way.
func (c *builder) putField(lit string, verb byte, f fixed, t ir.Type) textFn {
	end, shift := f.end, f.shift
	// An unsigned field that a wider type holds prints the same, signed or not; the digits of x are
	// those of the unsigned type of the same width.
	unsigned := !f.t.Signed && (!t.Signed || f.t.Size < 8) || verb == 'x' && f.t.Size == t.Size
	switch {
	case verb == 'x' && unsigned && c.big:
		return func(m *Machine, dst []byte) []byte {
			return render.HexLower(append(dst, lit...), be(m.data, end)<<shift>>shift)
		}
	case verb == 'x' && unsigned:
		return func(m *Machine, dst []byte) []byte {
			return render.HexLower(append(dst, lit...), le(m.data, end)>>shift)
		}
	case verb == 'd' && unsigned && c.big:
		return func(m *Machine, dst []byte) []byte {
			return render.Udec(append(dst, lit...), be(m.data, end)<<shift>>shift)
		}
	case verb == 'd' && unsigned:
		return func(m *Machine, dst []byte) []byte {
			return render.Udec(append(dst, lit...), le(m.data, end)>>shift)
		}
	case verb == 'd' && f.t.Signed && t.Signed && c.big:
		return func(m *Machine, dst []byte) []byte {
			return render.Dec(append(dst, lit...), int64(be(m.data, end)<<shift)>>shift)
		}
	case verb == 'd' && f.t.Signed && t.Signed:
		return func(m *Machine, dst []byte) []byte {
			return render.Dec(append(dst, lit...), int64(le(m.data, end))>>shift)
		}
	}
	return nil
}

// putSpec is putInt with flags, width, precision or another verb.
func (c *builder) putSpec(lit string, s *ir.PutInt) textFn {
	v, t, spec := c.value(s.V), s.V.Type(), c.spec(s.Spec)
	print := render.Uint
	switch {
	case s.Spec.Verb == 'c':
		print = render.Char
	case s.Spec.Verb == 'd' && t.Signed:
		print = func(dst []byte, v uint64, sp render.Spec) []byte { return render.Int(dst, int64(v), sp) }
	case s.Spec.Verb != 'd':
		t.Signed = false // the digits of x, X and o are those of the bits in t's width
	}
	if spec == nil {
		fixed := specOf(s.Spec)
		if width := fixed.Width; zeroPaddedHex(fixed) { // addresses and arguments of system calls
			return func(m *Machine, dst []byte) []byte {
				return render.HexPad(append(dst, lit...), t.Extend(v(m)), width)
			}
		}
		if width := fixed.Width; zeroPaddedUpper(fixed) { // data of AIX hooks
			return func(m *Machine, dst []byte) []byte {
				return render.HexPadUpper(append(dst, lit...), t.Extend(v(m)), width)
			}
		}
		return func(m *Machine, dst []byte) []byte {
			return print(append(dst, lit...), t.Extend(v(m)), fixed)
		}
	}
	return func(m *Machine, dst []byte) []byte {
		return print(append(dst, lit...), t.Extend(v(m)), spec(m))
	}
}

func zeroPaddedHex(s render.Spec) bool { return s.Verb == 'x' && zeroPadded(s) }

func zeroPaddedUpper(s render.Spec) bool { return s.Verb == 'X' && zeroPadded(s) }

func zeroPadded(s render.Spec) bool {
	return s.Zero && s.Prec < 0 && !s.Minus && !s.Sharp && !s.Plus && !s.Space
}

// specOf is s without the arguments of `*`.
func specOf(s ir.Spec) render.Spec {
	return render.Spec{
		Verb: s.Verb, Minus: s.Minus, Plus: s.Plus, Space: s.Space, Sharp: s.Sharp, Zero: s.Zero,
		Width: s.Width, Prec: s.Prec,
	}
}

// spec returns the function that completes s with its arguments, nil when it has none.
func (c *builder) spec(s ir.Spec) func(*Machine) render.Spec {
	if s.WidthArg == nil && s.PrecArg == nil {
		return nil
	}
	fixed, none := specOf(s), func(*Machine) uint64 { return 0 }
	width, prec := none, none
	if s.WidthArg != nil {
		width = c.value(s.WidthArg)
	}
	if s.PrecArg != nil {
		prec = c.value(s.PrecArg)
	}
	hasWidth, hasPrec := s.WidthArg != nil, s.PrecArg != nil
	return func(m *Machine) render.Spec {
		return fixed.With(int64(width(m)), int64(prec(m)), hasWidth, hasPrec)
	}
}

// putText compiles a text, cut and padded, after the literal lit.
func (c *builder) putText(lit string, s *ir.PutText) textFn {
	if s.Spec.Plain() {
		return c.putPlain(lit, s.T)
	}
	t, spec := c.text(s.T), c.spec(s.Spec)
	if spec == nil {
		fixed := specOf(s.Spec)
		spec = func(*Machine) render.Spec { return fixed }
	}
	return func(m *Machine, dst []byte) []byte {
		dst = append(dst, lit...)
		start := len(dst)
		dst = t(m, dst)
		return render.Pad(dst, start, spec(m))
	}
}

// putPlain compiles lit and t, with closures of their own for names of tasks and the like.
func (c *builder) putPlain(lit string, t ir.Text) textFn {
	if s, ok := t.(*ir.CString); ok {
		if lo, hi, ok := c.extent(s.Of); ok {
			return func(m *Machine, dst []byte) []byte {
				return append(append(dst, lit...), render.CString(m.data[lo:hi])...)
			}
		}
		of := c.region(s.Of)
		return func(m *Machine, dst []byte) []byte {
			return append(append(dst, lit...), render.CString(of(m))...)
		}
	}
	fn := c.text(t)
	if lit == "" {
		return fn
	}
	return func(m *Machine, dst []byte) []byte { return fn(m, append(dst, lit...)) }
}

// text compiles t.
func (c *builder) text(t ir.Text) textFn {
	switch t := t.(type) {
	case *ir.CString:
		of := c.cstring(t.Of)
		return func(m *Machine, dst []byte) []byte { return append(dst, of(m)...) }
	case *ir.CondText:
		return choose(c.value(t.If), c.text(t.Then), c.text(t.Else))
	case *ir.Call:
		return c.call(t)
	case *ir.Program:
		return c.block(t.Body)
	case *ir.FactText:
		id := render.Fact(t.ID)
		return func(m *Machine, dst []byte) []byte { return m.env.FactText(dst, id) }
	}
	c.fail("no closure for text %T", t)
	return nil
}
