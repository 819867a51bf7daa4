package filter

import "slices"

// members are the numbers that a field is compared with in a chain of x == 1 || x == 2 || …, which
// the threads of a process make as long as there are threads: a list takes less memory and time
// than a condition for each.
type members struct {
	field string
	bits  func(*Subject) (uint64, bool)
	list  []uint64 // sorted
}

// membersOf returns the only member of x == y, nil where the two are not a field and a number.
func membersOf(x, y value) *members {
	if x.fixed {
		x, y = y, x
	}
	if x.field == "" || x.bits == nil || len(x.lists) > 0 || !y.fixed {
		return nil
	}
	return &members{field: x.field, bits: x.bits, list: []uint64{x.extended(y.number)}}
}

func (m *members) has(v uint64) bool {
	_, ok := slices.BinarySearch(m.list, v)
	return ok
}

// add adds what another condition compares with: mostly one number, above those before it.
func (m *members) add(o *members) {
	for _, v := range o.list {
		if i, known := slices.BinarySearch(m.list, v); !known {
			m.list = slices.Insert(m.list, i, v)
		}
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
	c.nodes -= 4 // of y, and the ||: a number in a list is all that is left of them
	return &Predicate{
		in:   m,
		fn:   func(s *Subject) bool { v, ok := m.bits(s); return ok && m.has(v) },
		text: c.say(func() phrase { return joint("(", x.text, ") || (", y.text, ")") }),
	}
}
