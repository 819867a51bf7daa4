package filter

import "slices"

// members is the set of numbers that a field is compared with in a chain x == 1 || x == 2 || … . A
// filter for the threads of a process has such a chain, with one comparison for each thread. A list
// takes less memory and time than a condition for each number.
type members struct {
	field string
	bits  func(*Subject) (uint64, bool)
	list  []uint64 // sorted
}

// membersOf returns the set for x == y. It returns nil unless one side is a field and the other a
// constant.
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

// add adds the numbers of o. Mostly o has one number, which is above those already in m.
func (m *members) add(o *members) {
	for _, v := range o.list {
		if i, known := slices.BinarySearch(m.list, v); !known {
			m.list = slices.Insert(m.list, i, v)
		}
	}
}

// oneOf returns x || y if both compare the same field with constants, else nil. It changes x, which
// must have no other user.
func (c *compiler) oneOf(x, y *Predicate) *Predicate {
	m := x.in
	if m == nil || y.in == nil || m.field != y.in.field {
		return nil
	}
	m.add(y.in)
	c.nodes -= 4 // the nodes of y and the ||: only a number in a list is left of them
	return &Predicate{
		in:   m,
		fn:   func(s *Subject) bool { v, ok := m.bits(s); return ok && m.has(v) },
		text: c.say(func() phrase { return joint("(", x.text, ") || (", y.text, ")") }),
	}
}
