package aix

import (
	"encoding/binary"
	"math"
)

// How many entries must follow each other before a place is believed to be the beginning of one, unless the
// buffer ends behind them. Of random words, 39 % can be a 32-bit hook word and 1 in 400 a 64-bit one.
const (
	chain32 = 4
	chain64 = 3
)

// maxEntry is more than the longest entry: hook word, data word, buffer, and twelve words of 8 bytes.
func (f *form) maxEntry() int { return f.maxBuffer + hook64Extra + 16 + 8*12 }

// margin is how much of a window must be left for a chain.
func (f *form) margin() int { return (chain32 + 1) * f.maxEntry() }

// chained says whether plausible entries follow each other in b until there are enough, or until b ends; b ends where
// the trace buffer does when last, and is long enough otherwise. The last of them may lack its end, but not
// the first when whole. With strict, thread ids and stamps must look like those of one trace, too.
func (f *form) chained(b []byte, last, whole, strict bool) bool {
	n, step := chain32, f.step()
	if f.is64 {
		n = chain64
	}
	var ticks uint64
	stamped := false
	for i := range n {
		if len(b) < step {
			return last && (i > 0 || !whole)
		}
		h, ok := f.parse(b)
		if !ok || h.id == 0 {
			return false
		}
		if int(h.size) > len(b) {
			return last && (i > 0 || !whole)
		}
		if strict && !f.tidPlausible(b, &h) {
			return false
		}
		if strict && h.flags&Stamped != 0 {
			t := f.tick(b, &h)
			if stamped && !f.follows(ticks, t) {
				return false
			}
			ticks, stamped = t, true
		}
		b = b[h.size:]
	}
	return true
}

// continues is chained for what stands behind an entry of which nothing but that is to be found out. One entry with
// the id 0 is let through: the report has a template for it (004).
func (f *form) continues(b []byte, last bool, flags Flags) bool {
	if f.chained(b, last, false, false) {
		return true
	}
	if len(b) < f.step() {
		return false
	}
	h, ok := f.zero(b)
	return ok && (h.flags^flags)&Stamped == 0 && int(h.size) <= len(b) && f.chained(b[h.size:], last, false, false)
}

// zero takes a hook word with the id 0 apart; the rest of it must not be 0 too, which is a hole.
func (f *form) zero(b []byte) (head, bool) {
	h, ok := f.parse(b)
	if f.is64 {
		return h, ok && h.id == 0 && binary.BigEndian.Uint64(b) != 0
	}
	return h, ok && h.id == 0 && binary.BigEndian.Uint32(b) != 0
}

// tidPlausible refuses thread ids that no system hands out: bits above the 48th, unless it is -1.
func (f *form) tidPlausible(b []byte, h *head) bool {
	if !f.is64 {
		return true
	}
	t := binary.BigEndian.Uint64(b[h.tid:])
	return t < 1<<48 || t == math.MaxUint64
}

// follows says whether stamp t looks as if it stood behind stamp u in a busy trace: a little later, or earlier by so
// little that several processors explain it.
func (f *form) follows(u, t uint64) bool {
	if f.is64 {
		d := int64(t - u)
		return d < 1<<44 && d > -1<<40
	}
	d := int32(uint32(t) - uint32(u))
	return d < 1<<28 && d > -1<<20
}

// find returns the first place in b, behind its beginning, from which entries are chained; -1 when there is none.
// Places that are aligned as entries are come first. The last margin bytes of b are not searched unless
// the trace buffer ends there.
func (f *form) find(b []byte, last bool) int {
	end, step := len(b)-f.step(), f.step()
	if !last {
		end = len(b) - f.margin()
	}
	loose := -1
	for q := step; q <= end; q += step {
		if loose < 0 && f.chained(b[q:], last, true, false) {
			loose = q
		}
		if loose >= 0 && f.chained(b[q:], last, true, true) {
			return f.earlier(b, loose, q)
		}
	}
	if loose >= 0 {
		return loose
	}
	for q := 1; q <= end; q++ {
		if q&(step-1) != 0 && f.chained(b[q:], last, true, true) {
			return q
		}
	}
	return -1
}

// earlier returns the first of two places when its entries lead to the second, which looks better; else the
// second. Data that happen to look like hook words do not lead there.
func (f *form) earlier(b []byte, first, second int) int {
	at := first
	for at < second {
		h, ok := f.parse(b[at:])
		if !ok || h.id == 0 {
			return second
		}
		at += int(h.size)
	}
	if at == second {
		return first
	}
	return second
}
