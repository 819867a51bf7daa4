package bind

import "bytes"

// span is the place of a value in a recorded payload. For a string, it covers only the characters.
// For a value with members or elements, it covers all of them.
type span struct{ at, n int }

// maxEmpty bounds the number of elements without bytes in a record, which the size of the record
// does not bound. Package sequence has the same bound for all elements.
const maxEmpty = 1 << 20

// cursor finds recorded values.
type cursor struct {
	data    []byte
	have    *Event
	numbers []uint64 // by slots
	at      int
	pad     int  // alignment of the place of the next value, apart from its own alignment
	empty   *int // number of elements without bytes, in all cursors of the record
}

// begin returns the offset of f.
func (c *cursor) begin(f *Field) int {
	if f.Bits.Overlap > 0 {
		return c.at - f.Bits.Overlap
	}
	n := max(c.pad, f.align())
	return (c.at + n - 1) &^ (n - 1)
}

// next finds f and moves after it. It returns false if the data end before f does.
func (c *cursor) next(f *Field) (v span, ok bool) {
	c.at, c.pad = c.begin(f), 1
	if c.at > len(c.data) {
		return v, false
	}
	v = span{c.at, f.Size}
	next := 0 // bytes after the value that belong to it
	switch f.Kind {
	case Counted:
		n, ok := c.length(f)
		if !ok {
			return v, false
		}
		v = span{c.at, int(n)}
	case Terminated:
		if v.n = bytes.IndexByte(c.data[c.at:], 0); v.n < 0 {
			return v, false
		}
		next = 1
	case Struct, List, Variant:
		if !c.parts(f) {
			return v, false
		}
		v.n = c.at - v.at
	}
	if v.at+v.n+next > len(c.data) {
		return v, false
	}
	if f.Slot > 0 {
		c.numbers[f.Slot] = f.number(c.data[v.at:], c.have)
	}
	c.at, c.pad = v.at+v.n+next, max(c.pad, padding(f.PadAfter))
	return v, true
}

// length returns the number of elements of a List, or of characters of a Counted field, and moves
// to the first one. A recorded length must not exceed the number of remaining bytes, even if
// elements have no bytes.
func (c *cursor) length(f *Field) (n uint64, ok bool) {
	switch {
	case f.From > 0:
		n = c.numbers[f.From]
	case f.Size > len(c.data)-c.at:
		return 0, false
	case f.Size > 0:
		n = load(c.data[c.at:], f.Size, c.have.order(f))
		c.at += f.Size
	default:
		return uint64(f.Count), true
	}
	return n, n <= uint64(len(c.data)-c.at)
}

// parts moves after the members of a structure, the arm of a variant, or the elements of a list.
func (c *cursor) parts(f *Field) bool {
	switch f.Kind {
	case Struct:
		for i := range f.Fields {
			if _, ok := c.next(&f.Fields[i]); !ok {
				return false
			}
		}
		return true
	case Variant:
		i := f.arm(c.numbers[f.From])
		if i < 0 {
			return f.Optional
		}
		_, ok := c.next(&f.Fields[i])
		return ok
	}
	n, ok := c.length(f)
	if !ok {
		return false
	}
	e := &f.Fields[0]
	for range n {
		if !c.element(e) {
			return false
		}
	}
	if n == 0 {
		c.pad = max(c.pad, e.align())
	}
	return true
}

// element moves after an element of a list.
func (c *cursor) element(e *Field) bool {
	at := c.at
	if _, ok := c.next(e); !ok {
		return false
	}
	if c.at == at {
		*c.empty++
	}
	return *c.empty <= maxEmpty
}

// number returns the number at the start of b, with its sign.
func (f *Field) number(b []byte, e *Event) uint64 {
	big := e.order(f)
	v := load(b, f.Size, big)
	if f.Bits.Count == 0 {
		if f.Signed {
			v = extend(v, f.Size)
		}
		return v
	}
	v <<= 64 - f.Bits.Count - f.Bits.At
	if f.Signed {
		return uint64(int64(v) >> (64 - f.Bits.Count))
	}
	return v >> (64 - f.Bits.Count)
}
