package bind

import (
	"bytes"
	"math"
)

// span is a value in a recorded payload: its characters if it is a string, and all of it if it has
// members or elements.
type span struct{ at, n int }

// relocate writes a recorded payload in the compiled layout over s.buf, and returns it. It returns
// false when data ends before what the decoder needs.
func (p *payloadPlan) relocate(s *scratch, data []byte) ([]byte, bool) {
	r := relocation{payloadPlan: p, data: data, buf: s.buf[:0], spans: s.spans[:0], pad: 1}
	ok := r.structure(&p.fields, 0)
	s.buf, s.spans = r.buf, r.spans
	return r.buf, ok
}

// relocation is the copying of one payload.
type relocation struct {
	*payloadPlan
	data  []byte
	buf   []byte // the payload in the compiled layout
	pad   int    // what the place of the next value in buf is a multiple of, its own alignment aside
	spans []span // a stack: those of each structure around
}

// structure appends the values that p wants. The recorded values begin at offset at.
func (r *relocation) structure(p *structPlan, at int) bool {
	base := len(r.spans)
	defer func() { r.spans = r.spans[:base] }()
	walk := cursor{r.data, r.have, at, 1}
	for i := range p.have[:p.last+1] {
		v, ok := walk.next(&p.have[i])
		if !ok {
			return false
		}
		r.spans = append(r.spans, v)
	}
	for i := range p.want {
		w, j := &p.want[i], p.from[i]
		r.align(w.align())
		switch {
		case j < 0:
			r.zero(w)
		case p.parts[i] != nil:
			if !r.parts(p.parts[i], w, &p.have[j], r.spans[base+j]) {
				return false
			}
		default:
			v := r.spans[base+j]
			r.buf = r.put(r.buf, w, &p.have[j], r.data[v.at:v.at+v.n])
		}
		r.pad = max(r.pad, padding(w.PadAfter))
	}
	return true
}

// align moves to the place of a value with that alignment.
func (r *relocation) align(n int) {
	for n = max(n, r.pad); len(r.buf)&(n-1) != 0; {
		r.buf = append(r.buf, 0)
	}
	r.pad = 1
}

// parts appends the members of a structure, or the elements of a list.
func (r *relocation) parts(p *structPlan, w, h *Field, v span) bool {
	if w.Kind == Struct {
		return r.structure(p, v.at)
	}
	n, at := w.Count, v.at
	if n == 0 {
		n = int(load(r.data[at:], h.Size, r.have.order(h))) // next has checked it
		at += h.Size
		if limit := uint64(1)<<(8*w.Size) - 1; w.Size < 8 && uint64(n) > limit {
			n = int(limit)
		}
		r.buf = appendAs(r.buf, w.Size, r.want.order(w), uint64(n))
	}
	walk := cursor{r.data, r.have, at, 1}
	for range n {
		from := walk
		if _, ok := walk.next(&h.Fields[0]); !ok {
			return false
		}
		if !r.structure(p, from.begin(&h.Fields[0])) {
			return false
		}
	}
	r.align(w.Fields[0].align())
	return true
}

// cursor finds recorded values.
type cursor struct {
	data []byte
	have *Event
	at   int
	pad  int // what the place of the next value is a multiple of, its own alignment aside
}

// begin returns where f begins.
func (c *cursor) begin(f *Field) int {
	n := max(c.pad, f.align())
	return (c.at + n - 1) &^ (n - 1)
}

// next finds f and moves after it. It returns false when the data end before it does.
func (c *cursor) next(f *Field) (v span, ok bool) {
	c.at, c.pad = c.begin(f), 1
	if c.at > len(c.data) {
		return v, false
	}
	left := len(c.data) - c.at
	v = span{c.at, f.Size}
	next := 0 // bytes after the value that belong to it
	switch f.Kind {
	case Counted:
		if f.Size > left {
			return v, false
		}
		n := load(c.data[c.at:], f.Size, c.have.order(f))
		if n > uint64(left-f.Size) {
			return v, false
		}
		v = span{c.at + f.Size, int(n)}
	case Terminated:
		if v.n = bytes.IndexByte(c.data[c.at:], 0); v.n < 0 {
			return v, false
		}
		next = 1
	case Struct:
		for i := range f.Fields {
			if _, ok := c.next(&f.Fields[i]); !ok {
				return v, false
			}
		}
		v.n = c.at - v.at
	case List:
		if !c.elements(f) {
			return v, false
		}
		v.n = c.at - v.at
	}
	if v.at+v.n+next > len(c.data) {
		return v, false
	}
	c.at, c.pad = v.at+v.n+next, max(c.pad, padding(f.PadAfter))
	return v, true
}

// elements moves after the elements of a list. An element without any byte does not let a length be
// more than the bytes that are left.
func (c *cursor) elements(f *Field) bool {
	n := uint64(f.Count)
	if f.Count == 0 {
		if f.Size > len(c.data)-c.at {
			return false
		}
		n = load(c.data[c.at:], f.Size, c.have.order(f))
		c.at += f.Size
	}
	e := &f.Fields[0]
	if n > uint64(len(c.data)-c.at) {
		return false
	}
	for range n {
		if _, ok := c.next(e); !ok {
			return false
		}
	}
	c.pad = max(c.pad, e.align()) // as after an empty list
	return true
}

// put appends one value.
func (r *relocation) put(buf []byte, w, h *Field, value []byte) []byte {
	switch w.Kind {
	case Bytes:
		return append(buf, value...)
	case Counted:
		if limit := uint64(1)<<(8*w.Size) - 1; uint64(len(value)) > limit {
			value = value[:limit]
		}
		buf = appendAs(buf, w.Size, r.want.BigEndian, uint64(len(value)))
		return append(buf, value...)
	case Terminated:
		if i := bytes.IndexByte(value, 0); i >= 0 {
			value = value[:i]
		}
		return append(append(buf, value...), 0)
	}
	v := load(value, h.Size, r.have.order(h))
	switch {
	case w.Kind == Float && w.Size != h.Size:
		v = resizeFloat(v, h.Size)
	case h.Signed:
		v = extend(v, h.Size)
	}
	return appendAs(buf, w.Size, r.want.order(w), v)
}

// zero appends a value that is not used: an empty string or list, a number 0.
func (r *relocation) zero(w *Field) {
	switch w.Kind {
	case Terminated, Counted:
		r.buf = r.put(r.buf, w, w, nil)
		return
	case Struct:
		r.zeros(w.Fields)
		return
	}
	for range w.Size {
		r.buf = append(r.buf, 0)
	}
	if w.Kind == List {
		for range w.Count {
			r.zeros(w.Fields)
		}
		r.align(w.Fields[0].align())
	}
}

func (r *relocation) zeros(fields []Field) {
	for i := range fields {
		r.align(fields[i].align())
		r.zero(&fields[i])
		r.pad = max(r.pad, padding(fields[i].PadAfter))
	}
}

// resizeFloat makes a number of 8 bytes of one of 4, or the other way round.
func resizeFloat(v uint64, size int) uint64 {
	if size == 4 {
		return math.Float64bits(float64(math.Float32frombits(uint32(v))))
	}
	return uint64(math.Float32bits(float32(math.Float64frombits(v))))
}

// appendAs appends the low bytes of v.
func appendAs(buf []byte, size int, big bool, v uint64) []byte {
	for i := range size {
		shift := 8 * uint(i)
		if big {
			shift = 8 * uint(size-1-i)
		}
		buf = append(buf, byte(v>>shift))
	}
	return buf
}
