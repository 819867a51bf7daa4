package bind

import (
	"bytes"
	"math"
	"slices"
)

// relocate writes a recorded payload in the compiled layout over s.buf, and returns it. It
// returns false when data ends before what the decoder needs.
func (p *payloadPlan) relocate(s *scratch, data []byte) ([]byte, bool) {
	buf := s.buf[:0]
	if !p.locate(s, data) {
		return buf, false
	}
	for i := range p.want.Fields {
		w, j := &p.want.Fields[i], p.from[i]
		for len(buf)&(w.align()-1) != 0 {
			buf = append(buf, 0)
		}
		if j < 0 {
			buf = p.zero(buf, w)
			continue
		}
		v := s.spans[j]
		buf = p.put(buf, w, &p.have.Fields[j], data[v.at:v.at+v.n])
	}
	s.buf = buf
	return buf, true
}

// locate finds the recorded values.
func (p *payloadPlan) locate(s *scratch, data []byte) bool {
	s.spans = slices.Grow(s.spans[:0], p.last+1)[:p.last+1]
	at, pad := 0, 1
	for i := range s.spans {
		f := &p.have.Fields[i]
		pad = max(pad, f.align())
		at = (at + pad - 1) &^ (pad - 1)
		pad = 1
		if at > len(data) {
			return false
		}
		n, next := f.Size, 0 // next: bytes after the value that belong to it
		switch f.Kind {
		case Counted:
			if f.Size > len(data)-at {
				return false
			}
			length := load(data[at:], f.Size, p.have.BigEndian)
			at += f.Size
			if length > uint64(len(data)-at) {
				return false
			}
			n = int(length)
		case Terminated:
			if n = bytes.IndexByte(data[at:], 0); n < 0 {
				return false
			}
			next, pad = 1, padding(f.PadAfter)
		}
		if n > len(data)-at {
			return false
		}
		s.spans[i] = span{at, n}
		at += n + next
	}
	return true
}

// put appends one value.
func (p *payloadPlan) put(buf []byte, w, h *Field, value []byte) []byte {
	switch w.Kind {
	case Bytes:
		return append(buf, value...)
	case Counted:
		if limit := uint64(1)<<(8*w.Size) - 1; uint64(len(value)) > limit {
			value = value[:limit]
		}
		buf = appendAs(buf, w.Size, p.want.BigEndian, uint64(len(value)))
		return append(buf, value...)
	case Terminated:
		if i := bytes.IndexByte(value, 0); i >= 0 {
			value = value[:i]
		}
		buf = append(append(buf, value...), 0)
		for len(buf)&(padding(w.PadAfter)-1) != 0 {
			buf = append(buf, 0)
		}
		return buf
	}
	v := load(value, h.Size, p.have.order(h))
	switch {
	case w.Kind == Float && w.Size != h.Size:
		v = resizeFloat(v, h.Size)
	case h.Signed:
		v = extend(v, h.Size)
	}
	return appendAs(buf, w.Size, p.want.order(w), v)
}

// zero appends a value that is not used: an empty string, a number 0.
func (p *payloadPlan) zero(buf []byte, w *Field) []byte {
	if w.Kind == Terminated || w.Kind == Counted {
		return p.put(buf, w, w, nil)
	}
	for range w.Size {
		buf = append(buf, 0)
	}
	return buf
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
