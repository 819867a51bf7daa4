package bind

import (
	"encoding/binary"
	"slices"

	"github.com/tracec/tracec/runtime/gencode"
)

// relocate copies a record of at least p.size bytes into s.buf in the compiled layout. The result
// has at least the size of the compiled fixed part. Its capacity is at least the size of the struct
// that is laid over it.
//
// Memory is bounded: dynamic data must lie within 64 KiB for the 16-bit offset of its word, and a
// tail grows at most eightfold.
func (p *fixedPlan) relocate(s *scratch, data []byte) ([]byte, bool) {
	// A tail begins at a fixed offset, so it comes first. Dynamic data follow it.
	end := p.fixed
	if p.tail >= 0 {
		end = max(p.tail, p.end)
	}
	whole := max(end, p.fixed)
	buf := slices.Grow(s.buf[:0], whole)[:whole]
	clear(buf)
	for i := range p.moves {
		m := &p.moves[i]
		if src := data[m.src:]; m.plain() {
			copy(buf[m.dst:m.dst+m.n], src)
		} else {
			m.convert(buf[m.dst:], src, m.n, p.big)
		}
	}
	buf = buf[:end]
	for _, tail := range [2]bool{true, false} {
		for i := range p.pieces {
			if pc := &p.pieces[i]; (pc.to.kind == Tail) == tail {
				buf = p.carry(buf, data, pc)
			}
		}
	}
	s.buf = buf
	return buf, true
}

// carry moves the data of one field. For a Dynamic field, it also sets the word.
func (p *fixedPlan) carry(buf, data []byte, pc *piece) []byte {
	src := p.region(data, pc.from)
	n := len(src) / pc.elems.from
	to := pc.to
	if to.kind == Array {
		pc.convert(buf[to.off:to.off+to.size], src, min(n, to.size/pc.elems.to), p.big)
		return buf
	}
	at := len(buf)
	if to.kind == Tail {
		at = to.off // fixed fields that lie inside the tail have the same bytes there, or the event is not bound
	}
	size := n * pc.elems.to
	var part []byte // an incomplete element at the end, which only reads of single bytes can find
	if pc.elems.from == pc.elems.to {
		part = src[n*pc.elems.from:]
	}
	if to.kind == Dynamic {
		off, length := at, size+len(part)
		if to.rel {
			off -= to.off + to.size
		}
		if length == 0 || length > 0xffff || off > 0xffff {
			return buf // the word stays 0: empty
		}
		binary.NativeEndian.PutUint32(buf[to.off:], uint32(length)<<16|uint32(off))
	}
	fixed := len(buf)
	buf = slices.Grow(buf, size+len(part))
	buf = buf[:max(fixed, at+size+len(part))]
	pc.convert(buf[at:], src, n, p.big)
	copy(buf[at+size:], part)
	return buf
}

// region finds the recorded data of a field.
func (p *fixedPlan) region(data []byte, from place) []byte {
	switch from.kind {
	case Dynamic:
		word := gencode.Load32As(data, uint64(from.off), p.big)
		if from.rel {
			return gencode.DynRel(data, word, from.off+from.size)
		}
		return gencode.Dyn(data, word)
	case Tail:
		return gencode.Rest(data, from.off)
	}
	return gencode.SliceN(data, int64(from.off), int64(from.size))
}

// convert copies n elements. Both slices have at least n.
func (e elems) convert(dst, src []byte, n int, big bool) {
	if e.from == e.to && (!e.swap || e.from == 1) {
		copy(dst[:n*e.to], src[:n*e.from])
		return
	}
	for i := range n {
		v := load(src[i*e.from:], e.from, big)
		if e.signed {
			v = extend(v, e.from)
		}
		store(dst[i*e.to:], e.to, v)
	}
}

// extend extends the sign of an integer of some bytes.
func extend(v uint64, size int) uint64 {
	shift := 64 - 8*uint(size)
	return uint64(int64(v<<shift) >> shift)
}

// load reads a number of 1 to 8 bytes.
func load(b []byte, size int, big bool) (v uint64) {
	switch size {
	case 1:
		return uint64(gencode.Load8(b, 0))
	case 2:
		return uint64(gencode.Load16As(b, 0, big))
	case 4:
		return uint64(gencode.Load32As(b, 0, big))
	case 8:
		return gencode.Load64As(b, 0, big)
	}
	for i := range size { // a bit field
		shift := 8 * i
		if big {
			shift = 8 * (size - 1 - i)
		}
		v |= uint64(b[i]) << shift
	}
	return v
}

func store(b []byte, size int, v uint64) {
	switch size {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.NativeEndian.PutUint16(b, uint16(v))
	case 4:
		binary.NativeEndian.PutUint32(b, uint32(v))
	case 8:
		binary.NativeEndian.PutUint64(b, v)
	}
}
