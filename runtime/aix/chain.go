package aix

import (
	"encoding/binary"
	"math"
)

// Number of consecutive entries required before a place is accepted as the beginning of one, unless
// the buffer ends after them. Of random words, 39 % can be a 32-bit hook word and 1 in 400 a 64-bit
// one.
const (
	chain32 = 4
	chain64 = 3
)

// maxEntry returns an upper bound for the size of an entry: hook word, data word, buffer, and
// twelve words of 8 bytes.
func (f *form) maxEntry() int { return f.maxBuffer + hook64Extra + 16 + 8*12 }

// margin returns the number of bytes that must remain in a window for a chain.
func (f *form) margin() int { return (chain32 + 1) * f.maxEntry() }

// chain is a possible sequence of entries.
type chain struct {
	entries int
	full    bool // there are enough entries
	end     bool // the last entry found ends where the trace buffer does
	cut     bool // an incomplete entry begins after the last one found
	strange bool // thread ids or stamps do not look like one busy trace
	rising  bool // some stamp is later than the one before
	stamped bool
	ticks   uint64 // first stamp
}

// follow looks for a chain at the beginning of b. If last is set, b ends where the trace buffer
// does. Otherwise b is long enough.
func (f *form) follow(b []byte, last bool) (c chain) {
	n, step := chain32, f.step()
	if f.is64 {
		n = chain64
	}
	var ticks uint64
	for c.entries < n {
		if len(b) < step {
			c.end, c.cut = last && len(b) == 0, last && len(b) > 0
			return c
		}
		h, ok := f.parse(b)
		if !ok || h.id == 0 {
			return c
		}
		if int(h.size) > len(b) {
			c.cut = last
			return c
		}
		c.strange = c.strange || !f.tidPlausible(b, &h)
		if h.flags&Stamped != 0 {
			t := f.tick(b, &h)
			if !c.stamped {
				c.ticks = t
			} else if !f.follows(ticks, t) {
				c.strange = true
			} else if t != ticks {
				c.rising = true
			}
			ticks, c.stamped = t, true
		}
		c.entries++
		b = b[h.size:]
	}
	c.full = true
	return c
}

// zero decodes a hook word with the id 0. Its other bits must not all be 0 as well: that is a hole.
func (f *form) zero(b []byte) (head, bool) {
	h, ok := f.parse(b)
	if f.is64 {
		return h, ok && h.id == 0 && binary.BigEndian.Uint64(b) != 0
	}
	return h, ok && h.id == 0 && binary.BigEndian.Uint32(b) != 0
}

// tidPlausible rejects thread ids that no system assigns: bits above the 48th, unless the id is -1.
func (f *form) tidPlausible(b []byte, h *head) bool {
	if !f.is64 {
		return true
	}
	t := binary.BigEndian.Uint64(b[h.tid:])
	return t < 1<<48 || t == math.MaxUint64
}

// follows reports whether stamp t looks as if it came after stamp u in a busy trace. It is a little
// later, or it is earlier by a distance that several processors explain.
func (f *form) follows(u, t uint64) bool {
	if f.is64 {
		d := int64(t - u)
		return d < 1<<44 && d > -1<<40
	}
	d := int32(uint32(t) - uint32(u))
	return d < 1<<28 && d > -1<<20
}

// hint is the stamp of the last entry before the damage.
type hint struct {
	ticks uint64
	known bool
}

// soon is the maximum distance in ticks from the last good entry for an entry without other
// confirmation: some milliseconds.
const soon = 1 << 22

// convincing reports whether a chain is long enough or, at the end of a buffer, continues the
// entries before it.
func (f *form) convincing(c *chain, before hint) bool {
	if c.strange || before.known && !c.stamped {
		return false
	}
	if c.full {
		return true
	}
	if !c.end && !(c.cut && c.entries > 1) || c.entries == 0 {
		return false
	}
	if !before.known {
		return f.is64 && c.entries > 1
	}
	d := c.ticks - before.ticks
	if !f.is64 {
		d = uint64(uint32(d))
	}
	return f.follows(before.ticks, c.ticks) && (c.entries > 1 || d < soon)
}
