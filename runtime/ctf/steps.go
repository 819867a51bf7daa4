package ctf

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// step is a part of the walk over an event whose form equals the packet's: all its fields have
// whole bytes and begin at any byte.
type step struct {
	kind   stepKind
	before uint64     // number of bytes to skip first
	size   uint64     // size of an element in bytes
	number quickField // the number of elements, directly before them
	bytes  uint64     // size of that number in bytes
	slot   int        // slot of the number of elements
	node   *node
}

type stepKind uint8

const (
	stepEnd     stepKind = iota // nothing after the skipped bytes
	skipString                  // to the NUL
	skipMany                    // as many elements as the slot contains
	skipCounted                 // an unsigned integer, which goes into a slot, and as many elements
	visitNode                   // anything else
)

// stepsOf returns the walk over scopes, which may be nil. Adjacent fields of constant size are one
// step.
func stepsOf(scopes ...*node) []step {
	list := []step{} // not nil: the event is not unpacked
	for _, n := range scopes {
		if n != nil {
			list = n.steps(list)
		}
	}
	return slices.Clip(list)
}

func (n *node) steps(list []step) []step {
	last := len(list) - 1
	open := last >= 0 && list[last].kind == stepEnd // the next step may replace it
	s := step{kind: visitNode, node: n}
	switch {
	case n.fixed >= 0 && open:
		list[last].before += uint64(n.fixed / 8)
		return list
	case n.fixed >= 0:
		return append(list, step{before: uint64(n.fixed / 8)})
	case n.Kind == metadata.Struct:
		for _, p := range n.parts {
			list = p.steps(list)
		}
		return list
	case n.Kind == metadata.String:
		s.kind = skipString
	case n.Kind == metadata.Text && n.from >= 0:
		s.kind, s.size, s.slot = skipMany, 1, n.from
	case n.Kind == metadata.Array && n.from >= 0 && n.parts[0].fixed > 0:
		s.kind, s.size, s.slot = skipMany, uint64(n.parts[0].fixed/8), n.from
	}
	if s.kind == skipMany && last >= 0 && list[last].counts(n.from) {
		c := &list[last]
		c.kind, c.size, c.slot, c.bytes = skipCounted, s.size, s.slot, uint64(c.node.Bits/8)
		c.number = quickFieldOf(0, c.node.Bits, c.node.Order.BigEndian)
		return list
	}
	if open {
		s.before, list = list[last].before, list[:last]
	}
	return append(list, s)
}

// counts reports whether a step visits an unsigned integer of whole bytes whose value goes only
// into the slot.
func (s *step) counts(slot int) bool {
	n := s.node
	return s.kind == visitNode && n.Kind == metadata.Int && n.slot == slot && n.role == noRole && !n.Signed &&
		n.Bits%8 == 0
}

// constantOf returns the number of bytes of the steps in any event, or -1 if it depends on the
// event.
func constantOf(list []step) int32 {
	switch {
	case len(list) == 0:
		return 0
	case len(list) == 1 && list[0].kind == stepEnd && list[0].before <= math.MaxInt32:
		return int32(list[0].before)
	}
	return -1
}

// measure returns the number of bytes of the steps at the start of b. b begins at the machine's
// place, at a whole byte.
func (m *machine) measure(list []step, b []byte) (uint64, error) {
	at := uint64(0)
	for i := range list {
		s := &list[i]
		if at += s.before; at > uint64(len(b)) {
			return 0, errShort
		}
		rest, size := b[at:], uint64(0)
		switch s.kind {
		case skipString:
			n := bytes.IndexByte(rest, 0)
			if n < 0 {
				return 0, errShort
			}
			size = uint64(n + 1)
		case skipCounted:
			if len(rest) >= 8 {
				m.slots[s.slot] = s.number.load(rest)
			} else if s.bytes <= uint64(len(rest)) {
				m.slots[s.slot] = load(rest, 0, int(8*s.bytes), s.number.big)
			} else {
				return 0, errShort
			}
			rest = rest[s.bytes:]
			fallthrough
		case skipMany:
			over, all := bits.Mul64(m.slots[s.slot], s.size)
			if over > 0 || all > uint64(len(rest)) {
				return 0, errShort
			}
			size = s.bytes + all
		case visitNode:
			begin := m.at
			m.at += at * 8
			err := m.visit(s.node)
			if size, m.at = (m.at-begin)/8-at, begin; err != nil {
				return 0, err
			}
			if size > uint64(len(rest)) {
				return 0, errShort
			}
		}
		at += size
	}
	return at, nil
}

// quickHeader is a header of events with constant places for the event's number and its time. In
// LTTng, this holds for all headers except those with very large numbers (docs/spec/ctf.md 5.5).
type quickHeader struct {
	align, size uint64 // in bits
	bytes       uint64 // of size, rounded up
	need        uint64 // bytes that must be in the window
	together    bool   // both fields are within the same 8 bytes
	id, time    quickField
	idSlot      int    // slot of the number, or -1
	first, span uint64 // the numbers first to first+span have this header
}

// quickField is an integer in the 8 bytes from a place on. If there is no integer, its mask is 0.
type quickField struct {
	at    uint64 // in bytes
	shift uint8  // distance from the lowest bit of the 8 bytes to its lowest bit
	big   bool
	mask  uint64 // its bits
}

// quickFieldOf returns a field of size bits that begins at a bit of a header.
func quickFieldOf(at uint64, size int, big bool) quickField {
	f := quickField{big: big, mask: ones(size)}
	if at+uint64(size) > 64 {
		f.at = at / 8
	}
	f.shift = uint8(at - 8*f.at)
	if big {
		f.shift = uint8(64-size) - f.shift
	}
	return f
}

// load reads the integer, without the calls and cases of the function load.
func (f *quickField) load(header []byte) uint64 {
	return f.of(f.word(header))
}

// word reads the 8 bytes that contain the integer.
func (f *quickField) word(header []byte) uint64 {
	v := binary.LittleEndian.Uint64(header[f.at:])
	if f.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// of returns the integer in the 8 bytes.
func (f *quickField) of(v uint64) uint64 { return v >> (f.shift & 63) & f.mask }

// quickOf finds the places of a header. It returns nil if they are not constant.
func quickOf(n *node) *quickHeader {
	if n == nil {
		return nil
	}
	q := &quickHeader{align: uint64(n.Align), idSlot: -1, span: math.MaxUint64}
	if q.align < 8 || !q.add(n, false) || q.id.mask == 0 {
		return nil
	}
	q.bytes, q.need = (q.size+7)/8, max(q.id.at, q.time.at)+8
	q.together = q.time.at == q.id.at && q.time.big == q.id.big
	return q
}

// add adds a field. chosen reports that the field is in the option of a variant.
func (q *quickHeader) add(n *node, chosen bool) bool {
	if uint64(n.Align) > q.align {
		return false
	}
	q.size = (q.size + uint64(n.Align) - 1) &^ (uint64(n.Align) - 1)
	switch n.Kind {
	case metadata.Struct:
		for _, p := range n.parts {
			if !q.add(p, chosen) {
				return false
			}
		}
		return true
	case metadata.Variant:
		return q.option(n, chosen)
	case metadata.Int:
		return q.number(n, chosen)
	}
	return false
}

// number adds an integer. Only the number of the event may be the target of a reference.
func (q *quickHeader) number(n *node, chosen bool) bool {
	if n.Order.Reversed || int(q.size%8)+n.Bits > 64 {
		return false
	}
	switch f := quickFieldOf(q.size, n.Bits, n.Order.BigEndian); {
	case n.role == eventClass && q.id.mask == 0 && !chosen && !n.Signed:
		q.id, q.idSlot = f, n.slot
	case n.role == timestamp && q.time.mask == 0 && n.slot < 0:
		q.time = f
	default:
		return false
	}
	q.size += uint64(n.Bits)
	return true
}

// option adds the option of a variant that covers the largest range of numbers.
func (q *quickHeader) option(n *node, chosen bool) bool {
	if chosen || q.id.mask == 0 || q.idSlot != n.from {
		return false
	}
	best, most := -1, uint64(0)
	for i, o := range n.Options {
		for _, r := range o.Ranges {
			if r.Last-r.First >= most {
				best, most, q.first = i, r.Last-r.First, r.First
			}
		}
	}
	if best < 0 {
		return false
	}
	q.span = most
	return q.add(n.parts[best], true)
}

// read reads a header. It returns false for a header that must be visited, or that is not in the
// window.
func (q *quickHeader) read(m *machine) (id uint64, ok bool) {
	at := (m.at + q.align - 1) &^ (q.align - 1)
	if at < m.at || at > m.end || q.size > m.end-at {
		return 0, false
	}
	b := m.data[(at-m.base)/8:]
	if uint64(len(b)) < q.need {
		return 0, false
	}
	id = q.id.load(b)
	if id-q.first > q.span {
		return 0, false
	}
	q.note(m, id, b)
	m.at = at + q.size
	return id, true
}

// note passes the values of a header to the machine.
func (q *quickHeader) note(m *machine, id uint64, header []byte) {
	if q.idSlot >= 0 {
		m.slots[q.idSlot] = id
	}
	if q.time.mask > 0 {
		m.advance(q.time.load(header), q.time.mask)
	}
	m.big = q.id.big
}
