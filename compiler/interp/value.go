package interp

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// value compiles v. At run time the result is extended to 64 bits according to v's type.
func (c *builder) value(v ir.Value) valueFn {
	switch v := v.(type) {
	case *ir.Const:
		k := v.V
		return func(*Machine) uint64 { return k }
	case *ir.Load:
		return c.load(v)
	case *ir.Local:
		slot := v.Slot
		return func(m *Machine) uint64 { return m.slots[slot] }
	case *ir.Unary:
		return c.unary(v)
	case *ir.Binary:
		return c.binary(v)
	case *ir.Cond:
		cond, then, els := c.value(v.If), c.value(v.Then), c.value(v.Else)
		return func(m *Machine) uint64 {
			if cond(m) != 0 {
				return then(m)
			}
			return els(m)
		}
	case *ir.Convert:
		if f, ok := c.fixedLoad(v); ok {
			return c.loader(f)
		}
		x, t := c.value(v.X), v.T
		if keepsBits(v.X.Type(), t) {
			return x
		}
		return func(m *Machine) uint64 { return t.Extend(x(m)) }
	case *ir.Len:
		of := c.region(v.Of)
		return func(m *Machine) uint64 { return uint64(int32(len(of(m)))) }
	case *ir.ToNUL:
		of := c.region(v.Of)
		return func(m *Machine) uint64 { return render.ToNUL(of(m)) }
	case *ir.Func:
		return c.call1(v)
	case *ir.Fact:
		id, t := render.Fact(v.ID), v.T
		return func(m *Machine) uint64 { return t.Extend(m.env.Fact(id)) }
	case *ir.Bits:
		return c.bits(v)
	case *ir.TextIs:
		return c.textIs(v)
	}
	c.fail("no closure for value %T", v)
	return nil
}

func (c *builder) unary(v *ir.Unary) valueFn {
	x, t := c.value(v.X), v.X.Type()
	switch v.Op {
	case ir.OpNeg:
		return func(m *Machine) uint64 { return t.Extend(-x(m)) }
	case ir.OpCompl:
		return func(m *Machine) uint64 { return t.Extend(^x(m)) }
	case ir.OpNot:
		return func(m *Machine) uint64 { return truth(x(m) == 0) }
	}
	c.fail("no closure for operator %q", v.Op)
	return nil
}

// call1 compiles a call of an integer function.
func (c *builder) call1(v *ir.Func) valueFn {
	fn, t := valueFuncs[v.Name], v.T
	if fn == nil {
		c.fail("no function %q", v.Name)
		return nil
	}
	a := c.value(v.Args[0])
	if len(v.Args) == 1 {
		return func(m *Machine) uint64 { return t.Extend(fn(a(m), 0)) }
	}
	b := c.value(v.Args[1])
	return func(m *Machine) uint64 { return t.Extend(fn(a(m), b(m))) }
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
