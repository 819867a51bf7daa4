package ctf

import (
	"slices"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// node is a class with the slots that its reader uses.
type node struct {
	*metadata.Class
	slot  int // slot for its value if others need it; otherwise -1
	from  int // slot of the length or the selector; otherwise -1
	role  role
	parts []*node // members, options, or the element
	// selects reports that the unpacked form includes the selector.
	selects bool
	// fixed is the number of bits, or -1 if it depends on the data or on the place.
	fixed int64
}

// role is a meaning of a field for the reader.
type role uint8

const (
	noRole role = iota
	magicNumber
	streamClass
	streamNumber
	packetSize
	contentSize
	timestamp
	endTimestamp
	sequenceNumber
	discarded
	eventClass
	roles // their number
)

var roleOf = map[metadata.Role]role{
	metadata.Magic: magicNumber, metadata.StreamClassID: streamClass, metadata.StreamID: streamNumber,
	metadata.PacketSize: packetSize, metadata.ContentSize: contentSize, metadata.Timestamp: timestamp,
	metadata.EndTimestamp:   endTimestamp,
	metadata.SequenceNumber: sequenceNumber, metadata.Discarded: discarded, metadata.EventClassID: eventClass,
}

// slots numbers the classes whose values others need. If one reference may lead to several fields,
// they share a slot: the field that was read last counts.
type slots struct {
	of map[*metadata.Class]int
	n  int
}

// add gives the fields of a reference a common slot.
func (s *slots) add(ref *metadata.Reference) {
	if s.of == nil {
		s.of = map[*metadata.Class]int{}
	}
	slot := -1
	for _, f := range ref.Fields {
		if n, ok := s.of[f]; ok {
			slot = n
		}
	}
	if slot < 0 {
		slot = s.n
		s.n++
	}
	for _, f := range ref.Fields {
		s.move(f, slot)
	}
}

// move gives a class a slot, and all classes that had its slot before.
func (s *slots) move(f *metadata.Class, slot int) {
	old, ok := s.of[f]
	s.of[f] = slot
	if !ok || old == slot {
		return
	}
	for c, n := range s.of {
		if n == old {
			s.of[c] = slot
		}
	}
}

// collect gives slots to the classes to which a class refers.
func (s *slots) collect(c *metadata.Class) {
	if c == nil {
		return
	}
	if c.From != nil {
		s.add(c.From)
	}
	for _, p := range parts(c) {
		s.collect(p)
	}
}

// parts returns the members, options or the element of a class.
func parts(c *metadata.Class) (list []*metadata.Class) {
	for _, m := range c.Members {
		list = append(list, m.Class)
	}
	for _, o := range c.Options {
		list = append(list, o.Class)
	}
	if c.Element != nil {
		list = append(list, c.Element)
	}
	return list
}

// plan makes the plan of a scope, which may be nil. f is the form of the event, or nil for headers.
func (s *slots) plan(c *metadata.Class, f *Form) *node {
	if c == nil {
		return nil
	}
	return s.node(c, f)
}

func (s *slots) node(c *metadata.Class, f *Form) *node {
	n := &node{Class: c, slot: -1, from: -1, fixed: -1, selects: f != nil && f.Selects(c)}
	if slot, ok := s.of[c]; ok {
		n.slot = slot
	}
	if c.From != nil {
		n.from = s.of[c.From.Fields[0]]
	}
	for _, r := range c.Roles {
		if x := roleOf[r]; x != noRole {
			n.role = x
		}
	}
	for _, p := range parts(c) {
		n.parts = append(n.parts, s.node(p, f))
	}
	n.fixed = n.size()
	return n
}

// size returns the number of bits of a class that always has the same number. Otherwise it returns
// -1, also if a value of the class is kept, or if a part is aligned to more than bytes.
func (n *node) size() int64 {
	if n.slot >= 0 || n.role != noRole || n.Align > 8 {
		return -1
	}
	switch n.Kind {
	case metadata.Int, metadata.Float, metadata.Bool, metadata.BitArray, metadata.BitMap:
		if n.Bits%8 == 0 {
			return int64(n.Bits)
		}
	case metadata.Text, metadata.Blob:
		if n.from < 0 && n.Length < 1<<32 {
			return int64(n.Length) * 8
		}
	case metadata.Struct:
		sum := int64(0)
		for _, p := range n.parts {
			if p.fixed < 0 || sum > 1<<40 {
				return -1
			}
			sum += p.fixed
		}
		return sum
	case metadata.Array:
		if e := n.parts[0].fixed; n.from < 0 && e >= 0 && n.Length < 1<<20 {
			return e * int64(n.Length)
		}
	}
	return -1
}

// dangles reports whether a class refers to a field that does not exist.
func dangles(c *metadata.Class) bool {
	return c != nil && (c.From != nil && len(c.From.Fields) == 0 || slices.ContainsFunc(parts(c), dangles))
}

// beginsInByte reports whether the fields of an event may begin inside a byte. This is so after a
// header that does not end at a byte, without an alignment.
func (e *Event) beginsInByte() bool {
	if whole(e.Stream.EventHeader) {
		return false
	}
	for _, s := range e.Scopes() {
		if s != nil {
			return s.Align < 8
		}
	}
	return true
}

// whole reports whether all fields of a class have whole bytes and may begin at any byte.
func whole(c *metadata.Class) bool {
	if c == nil {
		return true
	}
	switch c.Kind {
	case metadata.Int, metadata.Float:
		if c.Bits != 8*Size(c) || c.Order.Reversed {
			return false
		}
	case metadata.String, metadata.Text:
		if c.Encoding.Unit() != 1 || c.Kind == metadata.Text && c.From == nil && c.Length == 0 {
			return false
		}
	case metadata.Struct, metadata.Array, metadata.Variant:
	default:
		return false
	}
	return c.Align <= 8 && !slices.ContainsFunc(parts(c), func(p *metadata.Class) bool { return !whole(p) })
}
