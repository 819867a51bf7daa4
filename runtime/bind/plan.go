package bind

import (
	"fmt"
	"slices"
)

// fixedPlan copies records of one event whose fields have offsets from the recorded layout into the
// compiled one.
type fixedPlan struct {
	size   int // bytes that every record must have, in the recording
	fixed  int // bytes of the compiled fixed part, including the padding after it
	end    int // the same without the padding
	tail   int // offset of the compiled Tail, -1 if there is none
	moves  []move
	pieces []piece
	ways   []way // of all fields, while the plan is made
	big    bool  // byte order of the recording
	narrow bool  // numbers may be truncated
}

// move fills a part of the compiled fixed part from the recorded fixed part.
type move struct {
	dst, src, n int // bytes, bytes, elements
	elems
}

// piece moves data of variable length. The length varies on at least one of both sides.
type piece struct {
	from, to place
	elems
}

// elems describes the conversion of elements.
type elems struct {
	from, to int  // bytes per element; if both are 1, elements are copied unchanged
	signed   bool // signedness of the recorded elements
	swap     bool // the recording has the other byte order
}

// place is the place of an array-like field.
type place struct {
	kind      Kind
	off, size int
	rel       bool
}

func (f *Field) place() place { return place{f.Kind, f.Offset, f.Size, f.Rel} }

// newFixedPlan compares a compiled event with its recorded description. A nil plan without an error
// means that records can be used in place.
func newFixedPlan(want, have *Event, narrow bool) (*fixedPlan, error) {
	p := &fixedPlan{
		size: have.Size, fixed: max(want.Struct, want.Size), end: want.Size, tail: -1,
		narrow: narrow, big: have.BigEndian,
	}
	if inPlace(want, have) {
		return nil, nil
	}
	var broken error
	for w := range want.all() {
		h := have.locate(want, w)
		if h == nil {
			return nil, &Error{Event: want.Label(), Field: w.Name, Err: ErrMissing}
		}
		if err := p.add(w, h); err != nil && broken == nil {
			broken = &Error{Event: want.Label(), Field: w.Name, Err: err}
		}
	}
	if broken == nil {
		if err := p.check(); err != nil {
			broken = &Error{Event: want.Label(), Err: err}
		}
	}
	if broken != nil {
		return nil, broken
	}
	p.ways = nil
	p.merge()
	return p, nil
}

// inPlace reports whether all fields are at their compiled places, as in most events.
func inPlace(want, have *Event) bool {
	if have.BigEndian != hostBig {
		return false
	}
	for w := range want.all() {
		if h := have.locate(want, w); h == nil || !identical(w, h) {
			return false
		}
	}
	return true
}

// check returns an error if fields cannot be moved together although each can be moved alone.
func (p *fixedPlan) check() error {
	if dynamic := func(pc piece) bool { return pc.to.kind == Dynamic }; max(p.fixed, p.tail) > 0xffff &&
		slices.ContainsFunc(p.pieces, dynamic) {
		return fmt.Errorf("%w: %d bytes precede the dynamic data, but its offset has 16 bits", ErrIncompatible,
			max(p.fixed, p.tail))
	}
	return p.overlap()
}

// identical reports whether a field needs no move if the byte order is right. Its type in the
// description (integer or array, signed or not) does not change its bytes.
func identical(w, h *Field) bool {
	if w.Offset != h.Offset || w.Size != h.Size || w.Rel != h.Rel {
		return false
	}
	if w.Kind != Dynamic && w.Kind != Tail {
		return h.Kind != Dynamic && h.Kind != Tail
	}
	return w.Kind == h.Kind && (w.elem() == 1 || h.Elem == 0 || w.Elem == h.Elem)
}

// add plans the move of one field.
func (p *fixedPlan) add(w, h *Field) error {
	if w.Kind == Tail {
		if p.tail >= 0 {
			return fmt.Errorf("%w: a second field without end cannot be moved", ErrIncompatible)
		}
		p.tail = w.Offset
	}
	el, err := p.elems(w, h)
	if err != nil {
		return err
	}
	if el.from > el.to && !p.narrow {
		return fmt.Errorf("%w: %d bytes, compiled with %d", ErrNarrow, el.from, el.to)
	}
	if w.Kind == Dynamic || w.Kind == Tail || h.Kind == Dynamic || h.Kind == Tail {
		p.ways = append(p.ways, way{w.Name, h.place(), w.place(), el})
		p.pieces = append(p.pieces, piece{h.place(), w.place(), el})
		return nil
	}
	n := min(w.Size/el.to, h.Size/el.from)
	if n > 0 {
		p.ways = append(p.ways, way{w.Name, h.place(), w.place(), el})
		p.moves = append(p.moves, move{w.Offset, h.Offset, n, el})
	}
	return nil
}

// elems returns the conversion of the elements of a field, or the reason why there is none.
func (p *fixedPlan) elems(w, h *Field) (elems, error) {
	raw := elems{from: 1, to: 1}
	swap := p.big != hostBig
	fixed := h.Kind != Dynamic && h.Kind != Tail
	switch {
	case w.Kind == Int && h.Kind == Int && isWord(w.Size) && isWord(h.Size):
		return elems{h.Size, w.Size, h.Signed, swap}, nil
	case w.Kind == Int && h.Kind == Bytes && w.Size == h.Size: // a type name that hid an integer
		return elems{w.Size, w.Size, false, swap}, nil
	case w.Kind == Int:
		return raw, mismatch(w, h)
	case w.Kind == Bytes:
		if fixed && h.Size == w.Size {
			return raw, nil
		}
		return raw, mismatch(w, h)
	case h.Kind == Int || h.Kind == Bytes: // a type name hid an array, or the field is not an array any more
		if w.Kind != Array || h.Size != w.Size {
			return raw, mismatch(w, h)
		}
		return elems{w.elem(), w.elem(), false, swap}, nil
	case w.elem() == 1:
		return raw, nil
	case w.Kind == Array && h.Kind == Array && w.Size == h.Size:
		return elems{w.elem(), w.elem(), false, swap}, nil
	case h.Elem == 0:
		return elems{w.Elem, w.Elem, false, swap}, nil
	case !isWord(h.Elem):
		return raw, mismatch(w, h)
	}
	return elems{h.Elem, w.Elem, h.Signed, swap}, nil
}

// elem returns Elem if the elements are integers with a byte order, else 1.
func (f *Field) elem() int {
	if f.Text || !isWord(f.Elem) {
		return 1
	}
	return f.Elem
}

func isWord(n int) bool { return n == 1 || n == 2 || n == 4 || n == 8 }

func mismatch(w, h *Field) error {
	return fmt.Errorf("%w: compiled as %v (%d bytes, element %d), recorded as %v (%d bytes, element %d)",
		ErrIncompatible, w.Kind, w.Size, w.Elem, h.Kind, h.Size, h.Elem)
}

// merge joins plain copies of neighbours. Between kernels of one byte order, most fields only move.
func (p *fixedPlan) merge() {
	out := p.moves[:0]
	for _, m := range p.moves {
		if m.from == m.to && !(m.swap && m.from > 1) {
			m.n, m.elems = m.n*m.from, elems{from: 1, to: 1}
		}
		if k := len(out) - 1; k >= 0 && m.plain() && out[k].plain() &&
			out[k].dst+out[k].n == m.dst && out[k].src+out[k].n == m.src {
			out[k].n += m.n
			continue
		}
		out = append(out, m)
	}
	p.moves = out
}

func (e elems) plain() bool { return e.from == 1 && e.to == 1 }
