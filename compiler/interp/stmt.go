package interp

import "github.com/tracec/tracec/compiler/ir"

// block compiles body into one closure. Guarantees that it establishes for the record do not hold
// after it, because it may be one of several alternatives.
func (c *builder) block(body []ir.Stmt) textFn {
	sure := c.sure
	p := c.statements(body)
	c.sure = sure
	return p.closure()
}

// statement compiles s. It returns nil if there is nothing to run.
func (c *builder) statement(s ir.Stmt) textFn {
	switch s := s.(type) {
	case *ir.PutInt:
		return c.putInt(s)
	case *ir.PutText:
		return c.putText(s)
	case *ir.Let:
		return c.let(s)
	case *ir.LetBytes:
		slot, v := s.Slot, c.region(s.V)
		return func(m *Machine, dst []byte) []byte {
			m.bufs[slot] = v(m)
			return dst
		}
	case *ir.If:
		then, ok1 := onlyLit(s.Then)
		els, ok2 := onlyLit(s.Else)
		if ok1 && ok2 {
			return chooseLit(c.value(s.Cond), then, els)
		}
		if f, n, ok := ir.MakesSure(s.Cond); ok {
			return chooseLong(f.Offset+int(n), c.sureBlock(s.Cond, s.Then), c.block(s.Else))
		}
		return choose(c.value(s.Cond), c.block(s.Then), c.block(s.Else))
	case *ir.Switch:
		return c.switchStmt(s)
	case *ir.Loop:
		return c.loop(s)
	case *ir.Require:
		return c.require(s)
	case *ir.Exit:
		return c.exit(s)
	case *ir.Keep:
		return c.keepValue(s)
	}
	c.fail("no closure for statement %T", s)
	return nil
}

// sureBlock compiles the statements that run if cond holds.
func (c *builder) sureBlock(cond ir.Value, body []ir.Stmt) textFn {
	sure := c.sure
	if f, n, ok := ir.MakesSure(cond); ok {
		c.sure = max(sure, f.Offset+int(n))
	}
	fn := c.block(body)
	c.sure = sure
	return fn
}

func choose(cond valueFn, then, els textFn) textFn {
	return func(m *Machine, dst []byte) []byte {
		if cond(m) != 0 {
			return then(m, dst)
		}
		return els(m, dst)
	}
}

// chooseLong is choose for records of at least size bytes.
func chooseLong(size int, then, els textFn) textFn {
	return func(m *Machine, dst []byte) []byte {
		if len(m.data) >= size {
			return then(m, dst)
		}
		return els(m, dst)
	}
}

// chooseLit is choose for `x ? "on" : "off"`.
func chooseLit(cond valueFn, then, els string) textFn {
	return func(m *Machine, dst []byte) []byte {
		s := els
		if cond(m) != 0 {
			s = then
		}
		return append(dst, s...)
	}
}

// onlyLit returns the output of body if it is constant.
func onlyLit(body []ir.Stmt) (string, bool) {
	if len(body) == 0 {
		return "", true
	}
	lit, ok := body[0].(*ir.Lit)
	if !ok || len(body) > 1 {
		return "", false
	}
	return lit.S, true
}

func (c *builder) loop(s *ir.Loop) textFn {
	exits := c.exits
	cond, body, limit := c.value(s.Cond), c.block(s.Body), s.Limit
	if c.exits > exits {
		return func(m *Machine, dst []byte) []byte {
			for i := 0; i < limit && cond(m) != 0; i++ {
				if dst = body(m, dst); m.ended {
					break
				}
			}
			return dst
		}
	}
	return func(m *Machine, dst []byte) []byte {
		for i := 0; i < limit && cond(m) != 0; i++ {
			dst = body(m, dst)
		}
		return dst
	}
}

// fewCases is the number of constants up to which a linear search is faster than a map.
const fewCases = 8

func (c *builder) switchStmt(s *ir.Switch) textFn {
	x, arms := c.value(s.X), make([]textFn, 0, len(s.Cases)+1)
	var values []uint64
	var armOf []int
	for i, arm := range s.Cases {
		arms = append(arms, c.block(arm.Body))
		for _, v := range arm.Values {
			values, armOf = append(values, v), append(armOf, i)
		}
	}
	arms = append(arms, c.block(s.Default))
	other := len(s.Cases)
	if len(values) <= fewCases {
		return func(m *Machine, dst []byte) []byte {
			v, arm := x(m), other
			for i, k := range values {
				if k == v {
					arm = armOf[i]
					break
				}
			}
			return arms[arm](m, dst)
		}
	}
	index := make(map[uint64]int, len(values))
	for i, v := range values {
		if _, taken := index[v]; !taken { // the first case wins
			index[v] = armOf[i]
		}
	}
	return func(m *Machine, dst []byte) []byte {
		arm, ok := index[x(m)]
		if !ok {
			arm = other
		}
		return arms[arm](m, dst)
	}
}
