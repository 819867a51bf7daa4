package interp

import "github.com/tracec/tracec/compiler/ir"

// binary compiles an operator to one closure, selected by operator and sign. Constants, which are
// common in formats (x & 7, x == 0, x >> 20), have shorter closures.
func (c *builder) binary(v *ir.Binary) valueFn {
	if s, ok := sumOf(v); ok && s.times[1] != 0 {
		return func(m *Machine) uint64 { return s.of(m) }
	}
	x, t := c.value(v.X), v.X.Type()
	if k, ok := v.Y.(*ir.Const); ok {
		if l, ok := v.X.(*ir.Local); ok {
			if f := localConst(v.Op, t, l.Slot, k.V); f != nil {
				return f
			}
		}
		if f := withConst(v.Op, t, x, k.V); f != nil {
			return f
		}
	}
	y := c.value(v.Y)
	var f valueFn
	switch v.Op {
	case ir.OpDiv, ir.OpRem:
		f = divide(v.Op, t, x, y)
	case ir.OpShl, ir.OpShr:
		f = shift(v.Op, t, x, y)
	case ir.OpLt, ir.OpLe, ir.OpGt, ir.OpGe:
		f = order(v.Op, t, x, y)
	default:
		f = arithmetic(v.Op, t, x, y)
	}
	if f == nil {
		c.fail("no closure for operator %q", v.Op)
	}
	return f
}

func arithmetic(op ir.Op, t ir.Type, x, y valueFn) valueFn {
	switch op {
	case ir.OpAdd:
		return func(m *Machine) uint64 { return t.Extend(x(m) + y(m)) }
	case ir.OpSub:
		return func(m *Machine) uint64 { return t.Extend(x(m) - y(m)) }
	case ir.OpMul:
		return func(m *Machine) uint64 { return t.Extend(x(m) * y(m)) }
	case ir.OpAnd:
		return func(m *Machine) uint64 { return x(m) & y(m) }
	case ir.OpOr:
		return func(m *Machine) uint64 { return x(m) | y(m) }
	case ir.OpXor:
		return func(m *Machine) uint64 { return x(m) ^ y(m) }
	case ir.OpLogAnd:
		return func(m *Machine) uint64 { return truth(x(m) != 0 && y(m) != 0) }
	case ir.OpLogOr:
		return func(m *Machine) uint64 { return truth(x(m) != 0 || y(m) != 0) }
	case ir.OpEq:
		return func(m *Machine) uint64 { return truth(x(m) == y(m)) }
	case ir.OpNe:
		return func(m *Machine) uint64 { return truth(x(m) != y(m)) }
	}
	return nil
}

// withConst returns the closure of x op k, or nil if there is no special closure for it.
func withConst(op ir.Op, t ir.Type, x valueFn, k uint64) valueFn {
	count := k & (8*uint64(t.Size) - 1)
	switch op {
	case ir.OpAdd:
		return func(m *Machine) uint64 { return t.Extend(x(m) + k) }
	case ir.OpSub:
		return func(m *Machine) uint64 { return t.Extend(x(m) - k) }
	case ir.OpAnd:
		return func(m *Machine) uint64 { return x(m) & k }
	case ir.OpEq:
		return func(m *Machine) uint64 { return truth(x(m) == k) }
	case ir.OpNe:
		return func(m *Machine) uint64 { return truth(x(m) != k) }
	case ir.OpShl:
		return func(m *Machine) uint64 { return t.Extend(x(m) << count) }
	case ir.OpShr:
		if t.Signed {
			return func(m *Machine) uint64 { return uint64(int64(x(m)) >> count) }
		}
		return func(m *Machine) uint64 { return x(m) >> count }
	}
	return nil
}

// divide yields 0 for a division by zero. For 64 bits, Go defines the most negative number divided
// by -1 as itself, with remainder 0. Extend has the same effect for the narrower types.
func divide(op ir.Op, t ir.Type, x, y valueFn) valueFn {
	switch {
	case t.Signed && op == ir.OpDiv:
		return func(m *Machine) uint64 {
			if d := int64(y(m)); d != 0 {
				return t.Extend(uint64(int64(x(m)) / d))
			}
			return 0
		}
	case t.Signed:
		return func(m *Machine) uint64 {
			if d := int64(y(m)); d != 0 {
				return uint64(int64(x(m)) % d)
			}
			return 0
		}
	case op == ir.OpDiv:
		return func(m *Machine) uint64 {
			if d := y(m); d != 0 {
				return x(m) / d
			}
			return 0
		}
	}
	return func(m *Machine) uint64 {
		if d := y(m); d != 0 {
			return x(m) % d
		}
		return 0
	}
}

// shift takes the count modulo the width of t, which is a power of two.
func shift(op ir.Op, t ir.Type, x, y valueFn) valueFn {
	mask := 8*uint64(t.Size) - 1
	switch {
	case op == ir.OpShl:
		return func(m *Machine) uint64 { return t.Extend(x(m) << (y(m) & mask)) }
	case t.Signed:
		return func(m *Machine) uint64 { return uint64(int64(x(m)) >> (y(m) & mask)) }
	}
	return func(m *Machine) uint64 { return x(m) >> (y(m) & mask) }
}

// order compiles the comparisons. Operands have no effects, so > and >= are < and <= with swapped
// operands.
func order(op ir.Op, t ir.Type, x, y valueFn) valueFn {
	switch op {
	case ir.OpGt:
		return order(ir.OpLt, t, y, x)
	case ir.OpGe:
		return order(ir.OpLe, t, y, x)
	}
	switch {
	case t.Signed && op == ir.OpLt:
		return func(m *Machine) uint64 { return truth(int64(x(m)) < int64(y(m))) }
	case t.Signed:
		return func(m *Machine) uint64 { return truth(int64(x(m)) <= int64(y(m))) }
	case op == ir.OpLt:
		return func(m *Machine) uint64 { return truth(x(m) < y(m)) }
	}
	return func(m *Machine) uint64 { return truth(x(m) <= y(m)) }
}
