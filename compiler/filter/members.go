package filter

// members are the numbers that a field is compared with in a chain of x == 1 || x == 2 || …, which
// the threads of a process make as long as there are threads: a set takes less memory and time
// than a condition for each.
type members struct {
	field string
	bits  func(*Subject) (uint64, bool)
	one   uint64
	set   map[uint64]struct{} // nil: one is all
}

// membersOf returns the only member of x == y, nil where the two are not a field and a number.
func membersOf(x, y value) *members {
	if x.fixed {
		x, y = y, x
	}
	if x.field == "" || x.bits == nil || len(x.lists) > 0 || !y.fixed {
		return nil
	}
	return &members{field: x.field, bits: x.bits, one: x.extended(y.number)}
}

func (m *members) has(v uint64) bool {
	_, ok := m.set[v]
	return ok
}

func (m *members) add(o *members) {
	if m.set == nil {
		m.set = map[uint64]struct{}{m.one: {}}
	}
	if o.set == nil {
		m.set[o.one] = struct{}{}
	}
	for v := range o.set {
		m.set[v] = struct{}{}
	}
}

// oneOf returns x || y where both are about the members of one field, else nil. It changes x,
// which nobody else has.
func (c *compiler) oneOf(x, y *Predicate) *Predicate {
	m := x.in
	if m == nil || y.in == nil || m.field != y.in.field {
		return nil
	}
	m.add(y.in)
	return &Predicate{
		in:   m,
		fn:   func(s *Subject) bool { v, ok := m.bits(s); return ok && m.has(v) },
		text: c.say(func() phrase { return joint("(", x.text, ") || (", y.text, ")") }),
	}
}
