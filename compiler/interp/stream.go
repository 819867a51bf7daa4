package interp

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// require compiles the check that a region is long enough. It returns nil if earlier statements
// guarantee that.
func (c *builder) require(s *ir.Require) textFn {
	lo, hi, _, known := c.place(s.Of)
	n, isConst := constOr0(s.Bytes)
	if known && isConst && (int64(n) <= 0 || n <= uint64(hi-lo)) {
		return nil
	}
	c.exits++
	of, bytes := c.region(s.Of), c.value(s.Bytes)
	return func(m *Machine, dst []byte) []byte {
		if want := int64(bytes(m)); int64(len(of(m))) < want {
			m.end(render.ExitShort, want)
		}
		return dst
	}
}

func (c *builder) exit(s *ir.Exit) textFn {
	c.exits++
	reason := render.ExitReason(s.Reason)
	at := func(*Machine) uint64 { return 0 }
	if s.At != nil {
		at = c.value(s.At)
	}
	return func(m *Machine, dst []byte) []byte {
		m.end(reason, int64(at(m)))
		return dst
	}
}

func (m *Machine) end(reason render.ExitReason, at int64) {
	m.ended = true
	m.env.Exit(reason, at)
}

// bits compiles a number of any length in bits, at any bit.
func (c *builder) bits(v *ir.Bits) valueFn {
	from, at, count := c.region(v.From), c.value(v.At), c.value(v.Count)
	if n, ok := constOr0(v.Count); ok {
		if i, ok := constOr0(v.At); ok {
			return func(m *Machine) uint64 { return render.Bits(from(m), int64(i), int64(n)) }
		}
		return func(m *Machine) uint64 { return render.Bits(from(m), int64(at(m)), int64(n)) }
	}
	return func(m *Machine) uint64 { return render.Bits(from(m), int64(at(m)), int64(count(m))) }
}

// textIs compiles a comparison of text.
func (c *builder) textIs(v *ir.TextIs) valueFn {
	before := c.texts
	of, want := c.rendered(v.T), v.S
	c.texts = before
	return func(m *Machine) uint64 { return truth(string(of(m)) == want) }
}

// let compiles an assignment that [pieces] cannot make.
func (c *builder) let(s *ir.Let) textFn {
	slot, v := s.Slot, c.value(s.V)
	return func(m *Machine, dst []byte) []byte {
		m.slots[slot] = v(m)
		return dst
	}
}

// localConst compiles slot op k. It returns nil for operators that pointers do not need.
func localConst(op ir.Op, t ir.Type, slot int, k uint64) valueFn {
	count := k & (8*uint64(t.Size) - 1)
	switch {
	case op == ir.OpShr && t.Signed:
		return func(m *Machine) uint64 { return uint64(int64(m.slots[slot]) >> count) }
	case op == ir.OpShr:
		return func(m *Machine) uint64 { return m.slots[slot] >> count }
	case op == ir.OpAdd && t.Size == 8:
		return func(m *Machine) uint64 { return m.slots[slot] + k }
	case op == ir.OpAnd:
		return func(m *Machine) uint64 { return m.slots[slot] & k }
	}
	return nil
}

// keepValue compiles a statement that yields a value. It returns nil if the caller does not want
// values.
func (c *builder) keepValue(s *ir.Keep) textFn {
	if !c.keep {
		return nil
	}
	n := c.index[s.Field]
	switch {
	case s.Of != nil && s.Field.Kind == ir.List:
		return c.keepNumbers(s)
	case s.Of == nil && s.V == nil:
		return func(m *Machine, dst []byte) []byte {
			m.Keep(n, 0, nil)
			return dst
		}
	case s.Of != nil:
		of := c.region(s.Of)
		return func(m *Machine, dst []byte) []byte {
			m.Keep(n, 0, of(m))
			return dst
		}
	}
	v := c.value(s.V)
	return func(m *Machine, dst []byte) []byte {
		m.Keep(n, v(m), nil)
		return dst
	}
}

// keepNumbers compiles a statement that yields elements of a list of integers.
func (c *builder) keepNumbers(s *ir.Keep) textFn {
	e := s.Field.Fields[0]
	element, of := c.index[e], c.region(s.Of)
	get, size := reader(e.Type(), c.isBig(e.Order)), e.Size
	return func(m *Machine, dst []byte) []byte {
		for b := of(m); len(b) >= size; b = b[size:] {
			m.Keep(element, get(b), nil)
		}
		return dst
	}
}

// isBig reports whether numbers of an order are big-endian.
func (c *builder) isBig(o ir.Order) bool {
	return o == ir.BigEndian || o == ir.AsRecorded && c.big
}
