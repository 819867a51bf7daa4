package bind

import (
	"bytes"
	"math"
)

// relocate writes a recorded payload in the compiled layout over s.buf, and returns it. It returns
// false if data end before a value that the decoder needs.
func (p *payloadPlan) relocate(s *scratch, data []byte) ([]byte, bool) {
	r := relocation{payloadPlan: p, data: data, buf: s.buf[:0], spans: s.spans[:0], pad: 1, numbers: s.slots(p)}
	ok := r.structure(&p.fields, 0)
	s.buf, s.spans = r.buf, r.spans
	return r.buf, ok
}

// numbers are the values of the integers to which other fields refer, by their slots.
type numbers struct{ in, out []uint64 }

// slots returns memory for the numbers of a record.
func (s *scratch) slots(p *payloadPlan) numbers {
	if p.inSlots == 0 && p.outSlots == 0 {
		return numbers{}
	}
	n := p.inSlots + p.outSlots + 2
	if cap(s.numbers) < n {
		s.numbers = make([]uint64, n)
	}
	all := s.numbers[:n]
	clear(all)
	return numbers{all[:p.inSlots+1], all[p.inSlots+1:]}
}

// relocation is the copying of one payload.
type relocation struct {
	*payloadPlan
	numbers
	data  []byte
	buf   []byte // the payload in the compiled layout
	pad   int    // alignment of the place of the next value in buf, apart from its own alignment
	spans []span // a stack: the spans of the enclosing structures
	empty int    // elements without bytes that cursors have found
}

// structure appends the values that p wants. The recorded values begin at offset at.
func (r *relocation) structure(p *structPlan, at int) bool {
	base := len(r.spans)
	defer func() { r.spans = r.spans[:base] }()
	walk := r.cursor(at)
	for i := range p.have[:p.last+1] {
		v, ok := walk.next(&p.have[i])
		if !ok {
			return false
		}
		r.spans = append(r.spans, v)
	}
	for i, j := range p.from {
		if j < 0 {
			r.zeros(p.want[i : i+1])
		} else if !r.value(p, i, r.spans[base+j]) {
			return false
		}
	}
	return true
}

func (r *relocation) cursor(at int) cursor {
	return cursor{r.data, r.have, r.numbers.in, at, 1, &r.empty}
}

// value appends value i of p. v is its place in the record.
func (r *relocation) value(p *structPlan, i int, v span) bool {
	w, h := &p.want[i], &p.have[p.from[i]]
	r.begin(w)
	if p.parts[i] != nil {
		if !r.parts(p.parts[i], w, h, v) {
			return false
		}
	} else if !r.put(w, h, r.data[v.at:v.at+v.n]) {
		return false
	}
	r.pad = max(r.pad, padding(w.PadAfter))
	return true
}

// begin moves to the place of a value.
func (r *relocation) begin(w *Field) {
	if w.Bits.Overlap > 0 {
		r.pad = 1
		return
	}
	r.align(w.align())
}

// align moves to the place of a value with that alignment.
func (r *relocation) align(n int) {
	for n = max(n, r.pad); len(r.buf)&(n-1) != 0; {
		r.buf = append(r.buf, 0)
	}
	r.pad = 1
}

// parts appends the members of a structure, the arm of a variant, or the elements of a list.
func (r *relocation) parts(p *structPlan, w, h *Field, v span) bool {
	switch w.Kind {
	case Struct:
		return r.structure(p, v.at)
	case Variant:
		return r.arm(p, w, h, v.at)
	}
	walk := r.cursor(v.at)
	n, ok := walk.length(h)
	if !ok {
		return false
	}
	if w.Size > 0 {
		if w.Size < 8 {
			n = min(n, 1<<(8*w.Size)-1)
		}
		r.buf = appendAs(r.buf, w.Size, r.want.order(w), n)
	}
	for range n {
		from := walk
		if !walk.element(&h.Fields[0]) {
			return false
		}
		if !r.structure(p, from.begin(&h.Fields[0])) {
			return false
		}
	}
	if n == 0 {
		r.align(w.Fields[0].align())
	}
	return true
}

// arm appends the arm of a variant that is selected on both sides. A record has no value for an arm
// that only the compiled layout selects.
func (r *relocation) arm(p *structPlan, w, h *Field, at int) bool {
	to := w.arm(r.out[w.From])
	if to < 0 {
		return true
	}
	from := h.arm(r.in[h.From])
	if from < 0 || p.from[to] != from {
		return false
	}
	walk := r.cursor(at)
	v, ok := walk.next(&h.Fields[from])
	return ok && r.value(p, to, v)
}

// put appends one value. It returns false for a text that is longer than the compiled text.
func (r *relocation) put(w, h *Field, value []byte) bool {
	switch w.Kind {
	case Bytes:
		r.buf = append(r.buf, value...)
		return true
	case Counted:
		if w.isConstant() {
			return r.constant(w, value)
		}
		if limit := uint64(1)<<(8*w.Size) - 1; w.Size > 0 && uint64(len(value)) > limit {
			value = value[:limit]
		}
		r.buf = append(appendAs(r.buf, w.Size, r.want.order(w), uint64(len(value))), value...)
		return true
	case Terminated:
		if i := bytes.IndexByte(value, 0); i >= 0 {
			value = value[:i]
		}
		r.buf = append(append(r.buf, value...), 0)
		return true
	}
	v := h.number(value, r.have)
	if w.Kind == Float && w.Size != h.Size {
		v = resizeFloat(v, h.Size)
	}
	r.number(w, v)
	return true
}

// constant appends characters up to a constant length. For a text, these are the characters before
// its NUL, followed by zeros.
func (r *relocation) constant(w *Field, value []byte) bool {
	if i := bytes.IndexByte(value, 0); w.Text && i >= 0 {
		value = value[:i]
	}
	if len(value) > w.Count {
		if !r.narrow {
			return false
		}
		value = value[:w.Count]
	}
	r.buf = append(r.buf, value...)
	r.buf = append(r.buf, make([]byte, w.Count-len(value))...)
	return true
}

// number appends a number.
func (r *relocation) number(w *Field, v uint64) {
	if w.Slot > 0 {
		r.out[w.Slot] = v
	}
	if w.Bits.Count > 0 {
		r.bits(w, v)
	} else {
		r.buf = appendAs(r.buf, w.Size, r.want.order(w), v)
	}
}

// bits adds a bit field to the number that it shares with the bit fields before it.
func (r *relocation) bits(w *Field, v uint64) {
	at := len(r.buf) - w.Bits.Overlap
	r.buf = append(r.buf, make([]byte, w.Size-w.Bits.Overlap)...)
	big := r.want.order(w)
	v = v << (64 - w.Bits.Count) >> (64 - w.Bits.Count) << w.Bits.At
	appendAs(r.buf[:at], w.Size, big, v|load(r.buf[at:], w.Size, big))
}

// zeros appends values for unused fields: empty strings and lists, numbers 0.
func (r *relocation) zeros(fields []Field) {
	for i := range fields {
		w := &fields[i]
		r.begin(w)
		r.zero(w)
		r.pad = max(r.pad, padding(w.PadAfter))
	}
}

func (r *relocation) zero(w *Field) {
	switch w.Kind {
	case Terminated, Counted:
		r.put(w, w, nil)
	case Struct:
		r.zeros(w.Fields)
	case Variant: // its selector is also 0
		if i := w.arm(0); i >= 0 {
			r.zeros(w.Fields[i : i+1])
		}
	case List:
		r.buf = appendAs(r.buf, w.Size, false, 0)
		for range w.Count {
			r.zeros(w.Fields)
		}
		if w.Count == 0 {
			r.align(w.Fields[0].align())
		}
	case Int:
		r.number(w, 0)
	default:
		r.buf = append(r.buf, make([]byte, w.Size)...)
	}
}

// resizeFloat converts a float of 4 bytes to 8 bytes, or the other way round.
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
