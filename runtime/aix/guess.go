package aix

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// When the walk is in doubt, any byte may be the first of an entry. The best chain of entries and
// gaps for the next bytes is found from the last byte to the first. The value of a place is the
// evidence for the entry there and for all entries that follow it, directly or after gaps. Evidence
// is counted in bits, for an entry against bytes without a meaning. A gap costs more than the
// strongest evidence against an entry, so only entries that do not fit together are separated. The
// time is proportional to the number of bytes examined. Half of them are decided.

const (
	horizon = 8 << 10 // number of bytes that a decision considers
	decided = horizon / 2
)

const (
	bitsGap  = -26 // bytes that are not an entry
	bitsOver = -5  // a gap after an entry inside which a better one begins: the entry may be the damaged one
	bitsEnd  = 8   // an entry that ends where the trace buffer does
	bitsCut  = -8  // an entry that is incomplete there
	never    = math.MinInt32 / 2
)

// guess is a place at which an entry may begin.
type guess struct {
	value int32 // of the best chain from here on, except for the stamp of its first entry; never if there is no chain
	size  int32 // of the entry
	stamp int32 // offset of its stamp, or -1
	next  int32 // place where the chain continues: at the end of the entry, or later
	gap   int32 // the best later place to continue after a gap
	best  int32 // its value, with its stamp
	whole bool  // the entry is followed by others without a gap, up to the end of the examined bytes
}

// explain finds the values of the places of b[:far]. If end is set, the trace buffer ends there.
func (s *Stream) explain(b []byte, far int, end bool) {
	list := s.doubt.guesses[:far+1]
	list[far] = guess{next: -1, gap: -1, best: never, whole: true}
	if end {
		list[far].value = bitsEnd
	}
	gap, best := int32(far), int32(0)
	for p := far - 1; p >= 0; p-- {
		g := &list[p]
		*g = guess{value: never, stamp: -1, gap: gap, best: best}
		s.guess(b, p, far, g)
		if g.value > never {
			if v := g.value + s.past.arrival(b, p, g); v >= best {
				gap, best = int32(p), v
			}
		}
	}
}

// guess finds the value of the place p.
func (s *Stream) guess(b []byte, p, far int, g *guess) {
	if s.win.last && len(b)-p < s.past.form.step() {
		g.value, g.size, g.next = bitsCut, int32(len(b)-p), int32(len(b))
		return
	}
	if len(b)-p >= 8 && !s.past.form.candidate(b[p:]) {
		return
	}
	h, whole := s.past.whole(b[p:])
	if !whole {
		if s.win.last && h.size > 0 && h.id != 0 && int(h.size) > len(b)-p {
			g.value, g.size, g.next = bitsCut, h.size, int32(len(b))
		}
		return
	}
	g.size, g.value = h.size, s.past.weigh(b[p:], &h)
	if h.flags&Stamped != 0 {
		g.stamp = h.stamp
	}
	end := p + int(h.size)
	g.next = int32(end)
	if end > far {
		g.whole = h.id != 0
		return
	}
	after := &s.doubt.guesses[end]
	joined, torn := after.value, after.best+bitsGap
	if end < far && joined > never {
		joined += s.past.transition(b, p, g, end, after)
	}
	if g.best >= after.best+bitsShape {
		torn += bitsOver
	}
	g.whole = after.whole && h.id != 0
	if joined >= torn || after.whole && torn < convincing {
		g.value += joined
	} else {
		g.value += torn
		g.next = after.gap
	}
}

// convincing is the minimum evidence in bits for a chain after a gap, if entries also follow each
// other without the gap. Those entries may belong to an unusual trace.
const convincing = 10

// candidate quickly rejects most bytes that are not a hook word.
func (f *form) candidate(b []byte) bool {
	if f.is64 {
		return binary.BigEndian.Uint16(b)&^flag64Valid == 0 && binary.BigEndian.Uint16(b[2:]) <= uint16(f.maxBuffer)
	}
	return size32[b[1]&0xF] != 1
}

// transition returns the evidence of the stamps of two consecutive entries.
func (y *history) transition(b []byte, p int, g *guess, q int, after *guess) int32 {
	if g.stamp < 0 {
		return y.arrival(b, q, after)
	}
	if after.stamp < 0 {
		return 0
	}
	return y.form.bits(y.form.since(y.form.stampAt(b[p+int(g.stamp):]), y.form.stampAt(b[q+int(after.stamp):])))
}

// bitsFar is subtracted from the evidence of a stamp if the entries directly before it are unknown.
const bitsFar = 3

// arrival returns the evidence of the stamp of an entry after a gap. It is compared with the last
// stamp before the doubt.
func (y *history) arrival(b []byte, q int, g *guess) int32 {
	if g.stamp < 0 || !y.stamped {
		return 0
	}
	return y.form.bits(y.form.since(y.raw, y.form.stampAt(b[q+int(g.stamp):]))) - bitsFar
}

// since returns the time from stamp u to stamp t, which may be negative.
func (f *form) since(u, t uint64) int64 {
	if f.is64 {
		return int64(t - u)
	}
	return int64(int32(uint32(t) - uint32(u)))
}

// The evidence of stamps. Steps of all magnitudes are assumed to be equally likely, which costs
// five bits. One step in 32 is assumed to be backward.
const (
	bitsMagnitude = 5
	bitsBackward  = 5
	bitsSame      = 8   // the maximum for equal stamps: data also repeat
	bitsMost64    = 24  // the maximum for stamps of 64 bits
	bitsMost32    = 12  // the maximum for stamps of 32 bits: counters in the data step by less than clocks do
	bitsBadStamp  = -10 // for a stamp that cannot follow the other one in a busy trace
)

// bits returns the evidence of a step from one stamp to the next.
func (f *form) bits(d int64) int32 {
	word, most, least := 32, bitsMost32, int64(-1<<20)
	if f.is64 {
		word, most, least = 64, bitsMost64, -1<<40
	}
	switch {
	case d == 0:
		return bitsSame
	case d > 0 && d < f.longest():
		return int32(min(word-bits.Len64(uint64(d))-bitsMagnitude, most))
	case d < 0 && d > least:
		return int32(min(word-bits.Len64(uint64(-d))-bitsMagnitude, most) - bitsBackward)
	}
	return bitsBadStamp
}
