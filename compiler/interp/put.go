package interp

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// putInt compiles an integer conversion that [pieces] cannot print.
func (c *builder) putInt(s *ir.PutInt) textFn {
	v, t, spec := c.value(s.V), s.V.Type(), c.spec(s.Spec)
	print := render.Uint
	switch {
	case s.Spec.Verb == 'c':
		print = render.Char
	case s.Spec.Verb == 'd' && t.Signed:
		print = func(dst []byte, v uint64, sp render.Spec) []byte { return render.Int(dst, int64(v), sp) }
	case s.Spec.Verb != 'd':
		t.Signed = false // x, X and o print the digits of the bits in t's width
	}
	if spec == nil {
		fixed := specOf(s.Spec)
		return func(m *Machine, dst []byte) []byte { return print(dst, t.Extend(v(m)), fixed) }
	}
	return func(m *Machine, dst []byte) []byte { return print(dst, t.Extend(v(m)), spec(m)) }
}

// specOf is s without the arguments of `*`.
func specOf(s ir.Spec) render.Spec {
	return render.Spec{
		Verb: s.Verb, Minus: s.Minus, Plus: s.Plus, Space: s.Space, Sharp: s.Sharp, Zero: s.Zero,
		Width: s.Width, Prec: s.Prec,
	}
}

// spec returns the function that completes s with its arguments, or nil if it has none.
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

// putText compiles a text, cut and padded.
func (c *builder) putText(s *ir.PutText) textFn {
	t := c.text(s.T)
	if s.Spec.Plain() {
		return t
	}
	spec := c.spec(s.Spec)
	if spec == nil {
		fixed := specOf(s.Spec)
		spec = func(*Machine) render.Spec { return fixed }
	}
	return func(m *Machine, dst []byte) []byte {
		start := len(dst)
		dst = t(m, dst)
		return render.Pad(dst, start, spec(m))
	}
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
