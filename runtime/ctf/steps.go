package ctf

import (
	"bytes"
	"slices"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// step is a part of the walk over an event whose form is that of the packet: all its fields are of
// whole bytes and begin at any byte.
type step struct {
	kind stepKind
	size uint64 // bytes to skip, or of an element
	node *node
}

type stepKind uint8

const (
	skipBytes  stepKind = iota
	skipString          // to the NUL
	skipMany            // as many elements as a slot says
	visitNode           // anything else
)

// stepsOf returns the walk over scopes, which may be nil. Neighbours of constant size are one step.
func stepsOf(scopes ...*node) (list []step) {
	for _, n := range scopes {
		if n != nil {
			list = n.steps(list)
		}
	}
	return slices.Clip(list)
}

func (n *node) steps(list []step) []step {
	switch {
	case n.fixed >= 0:
		if last := len(list) - 1; last >= 0 && list[last].kind == skipBytes {
			list[last].size += uint64(n.fixed / 8)
			return list
		}
		return append(list, step{kind: skipBytes, size: uint64(n.fixed / 8)})
	case n.Kind == metadata.Struct:
		for _, p := range n.parts {
			list = p.steps(list)
		}
		return list
	case n.Kind == metadata.String:
		return append(list, step{kind: skipString})
	case n.Kind == metadata.Text && n.from >= 0:
		return append(list, step{kind: skipMany, size: 1, node: n})
	case n.Kind == metadata.Array && n.from >= 0 && n.parts[0].fixed > 0:
		return append(list, step{kind: skipMany, size: uint64(n.parts[0].fixed / 8), node: n})
	}
	return append(list, step{kind: visitNode, node: n})
}

// walk takes the steps. The place is a whole byte.
func (m *machine) walk(list []step) error {
	b := m.bytes()
	whole := len(b)
	for i := range list {
		s := &list[i]
		size := s.size
		switch s.kind {
		case skipString:
			n := bytes.IndexByte(b, 0)
			if n < 0 {
				return errShort
			}
			size = uint64(n + 1)
		case skipMany:
			count := m.slots[s.node.from]
			if count > uint64(len(b))/size {
				return errShort
			}
			size *= count
		case visitNode:
			at := m.at + uint64(whole-len(b))*8
			m.at = at
			if err := m.visit(s.node); err != nil {
				return err
			}
			size, m.at = (m.at-at)/8, at-uint64(whole-len(b))*8
		}
		if size > uint64(len(b)) {
			return errShort
		}
		b = b[size:]
	}
	m.at += uint64(whole-len(b)) * 8
	return nil
}

// quickHeader is a header of events that has constant places for the event's number and its time.
// Headers of LTTng have them for all but very large numbers (docs/spec/ctf.md 5.5).
type quickHeader struct {
	align, size uint64 // in bits
	id, time    *node  // integers; id may be nil for the only event
	idAt        uint64 // in bits
	timeAt      uint64
	ranges      []metadata.Range // of the numbers that have this header; nil for all
}

// quickOf finds the places of a header. It returns nil if there are none.
func quickOf(n *node) *quickHeader {
	if n == nil {
		return nil
	}
	q := &quickHeader{align: uint64(n.Align)}
	if q.align < 8 || !q.add(n, false) || q.id == nil {
		return nil
	}
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
	switch {
	case n.role == eventClass && q.id == nil && !chosen && !n.Signed && !n.Order.Reversed:
		q.id, q.idAt = n, q.size
	case n.role == timestamp && q.time == nil && n.slot < 0 && !n.Order.Reversed:
		q.time, q.timeAt = n, q.size
	default:
		return false
	}
	q.size += uint64(n.Bits)
	return true
}

// option adds the option of a variant that has most numbers.
func (q *quickHeader) option(n *node, chosen bool) bool {
	if chosen || q.id == nil || q.id.slot != n.from {
		return false
	}
	best, most := -1, uint64(0)
	for i, o := range n.Options {
		for _, r := range o.Ranges {
			if r.Last-r.First >= most {
				best, most = i, r.Last-r.First
			}
		}
	}
	if best < 0 {
		return false
	}
	q.ranges = n.Options[best].Ranges
	return q.add(n.parts[best], true)
}

// read reads a header. It returns false for one that must be visited, or that the window does not
// hold.
func (q *quickHeader) read(m *machine) (id uint64, ok bool) {
	at := (m.at + q.align - 1) &^ (q.align - 1)
	if at < m.at || at > m.end || q.size > m.end-at {
		return 0, false
	}
	b := m.data[(at-m.base)/8:]
	id = load(b[q.idAt/8:], int(q.idAt%8), q.id.Bits, q.id.Order.BigEndian)
	if q.ranges != nil && !within(q.ranges, id, false) {
		return 0, false
	}
	if q.id.slot >= 0 {
		m.slots[q.id.slot] = id
	}
	if q.time != nil {
		m.advance(load(b[q.timeAt/8:], int(q.timeAt%8), q.time.Bits, q.time.Order.BigEndian), q.time.Bits)
	}
	m.at = at + q.size
	m.big = q.id.Order.BigEndian
	return id, true
}
