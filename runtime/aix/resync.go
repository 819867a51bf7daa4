package aix

import (
	"encoding/binary"
	"fmt"
)

// resync decides about the current entry after the walk found something unusual. It reports whether
// the walk can continue. If not, more of the region is needed, or the next one.
func (s *Stream) resync() bool {
	b := s.buf[s.pos:]
	s.learn(s.n - again)
	if s.gapStart < 0 && (s.known.entries > 0 || s.part.src.live()) && s.steady(b) {
		h, _ := s.form.parse(b)
		if h.reform && !s.room(&h) {
			return false
		}
		s.widen(b, &h)
		s.emit(b, &h)
		return true
	}
	if !s.last && len(b) < s.need() {
		return false
	}
	if s.gapStart >= 0 {
		if len(b) == 0 { // the gap ends where the region does
			s.close()
			return false
		}
		s.plan(0)
		return true
	}
	if at := s.hidden(b); at > 0 {
		return s.skip(at)
	}
	here := s.pos
	s.unread(again)
	s.plan(here - s.pos)
	return true
}

// fresh reports whether the stream begins and there is enough of it to find its first entry. If the
// first entry is damaged, the bytes after it can look like entries that are out of step.
func (s *Stream) fresh() bool {
	if s.begun || !s.last && len(s.buf)-s.pos < s.need() {
		return false
	}
	s.begun = len(s.buf) > s.pos
	return s.begun
}

// need returns how many bytes a decision needs.
func (s *Stream) need() int { return horizon + 4*s.form.maxEntry() }

// hidden returns the place of the next entry if it is inside the current one, or not at the place
// that its processor id implies; otherwise 0. In these cases it has begun a gap.
func (s *Stream) hidden(b []byte) int {
	h, whole := s.whole(b)
	at := 0
	if whole {
		at = s.overrun(b, &h)
		if at == 0 && s.contradicts(b, &h) {
			at = s.inside(b[:h.size])
		}
		if at > 0 {
			s.begin(s.part.src.fail(0, fmt.Sprintf("an entry of %d bytes, before the next hook word, not of %d", at, h.size), ErrCorrupt))
			return at
		}
	}
	if whole {
		if c := s.form.follow(b[h.size:], s.last); c.full || c.end || c.cut {
			return 0
		}
	}
	if at = s.misplaced(b, &h); at > 0 {
		s.begin(s.part.src.fail(0, fmt.Sprintf("an entry of %d bytes with a processor id (see WithCPUID)", h.size), ErrCPUID))
	}
	return at
}

// steadyEntries is how many entries dispel a doubt, and steadyBits the least evidence for each of
// them.
const (
	steadyEntries = 4
	steadyBits    = 4
)

// steady reports whether b begins with entries in sequence that look like entries of this trace.
func (s *Stream) steady(b []byte) bool {
	before, known := s.raw, s.stamped
	for n := range steadyEntries {
		if len(b) < s.form.step() && n > 0 {
			return s.last
		}
		h, whole := s.whole(b)
		if !whole {
			return n > 0 && s.last && h.size > 0 && h.id != 0 // the last one lacks its end
		}
		if n == 0 && (s.overrun(b, &h) > 0 || s.contradicts(b, &h) || h.flags&Stamped == 0 && s.hides(b[:h.size])) {
			return false
		}
		bits := s.weigh(b, &h)
		if h.flags&Stamped != 0 {
			t := s.form.tick(b, &h)
			if known {
				bits += s.form.bits(s.form.since(before, t))
			}
			before, known = t, true
		}
		if bits < steadyBits {
			return false
		}
		b = b[h.size:]
	}
	return true
}

// near reports whether a stamp follows the one before it as others did not long ago.
func (s *Stream) near(t uint64) bool {
	d := s.form.since(s.raw, t)
	return d < s.ahead && d >= -s.back
}

// Limits of usual steps for near, in ticks.
const (
	leastAhead = 1 << 16
	leastBack  = 1 << 8
)

// longest is a number of ticks above any distance between the entries of a busy trace.
func (f *form) longest() int64 {
	if f.is64 {
		return 1 << 44
	}
	return 1 << 28
}

// widen makes the step to the entry at the beginning of b a usual one.
func (s *Stream) widen(b []byte, h *head) {
	if h.flags&Stamped == 0 || !s.stamped {
		return
	}
	switch d := s.form.since(s.raw, s.form.tick(b, h)); {
	case d >= s.ahead:
		s.ahead = min(2*d, s.form.longest())
	case d < -s.back:
		s.back = min(-2*d, s.form.longest()>>4)
	}
}

// narrow forgets wide steps by and by.
func (s *Stream) narrow() {
	s.ahead = max(leastAhead, s.ahead-s.ahead>>6)
	s.back = max(leastBack, s.back-s.back>>6)
}

// again is how many entries are decided again after a doubt: bytes cut out of the end of one entry
// show in the next.
const again = 2

// unread takes back the last n entries of the batch, but no entries from before a gap.
func (s *Stream) unread(n int) {
	for ; n > 0 && s.n > 0 && !s.lost; n-- {
		s.n--
		s.pos = int(s.entries[s.n].Offset - s.base)
		s.lost = s.batch[s.n].Lost != 0
	}
	if s.n == 0 {
		s.arena = s.arena[:0]
	}
	s.raw, s.stamped = s.rawBefore, s.stampedBefore
	for i := s.n - 1; i >= 0; i-- {
		if e := &s.entries[i]; e.Flags&Stamped != 0 {
			s.raw, s.stamped = e.Ticks, true
			break
		}
	}
	s.learned = min(s.learned, s.n)
}

// learn takes in the first n entries of the batch.
func (s *Stream) learn(n int) {
	for ; s.learned < n; s.learned++ {
		raw := s.entries[s.learned].Raw
		if h, ok := s.form.parse(raw); ok && h.id != 0 {
			s.known.learn(raw, &h)
		}
	}
}

// whole decodes the hook word at the start of b and reports whether the entry fits in b.
func (s *Stream) whole(b []byte) (h head, ok bool) {
	if len(b) < s.form.step() {
		return h, false
	}
	if h, ok = s.form.parse(b); !ok {
		return head{}, false
	}
	if h.id == 0 {
		if _, ok = s.form.zero(b); !ok {
			return h, false
		}
	}
	return h, int(h.size) <= len(b)
}

// misplaced returns where the next entry is if the size of this one's processor id contradicts
// WithCPUID; 0 if it does not.
func (s *Stream) misplaced(b []byte, h *head) int {
	if !s.form.is64 || len(b) < 8 || binary.BigEndian.Uint16(b)&flag64CPU == 0 || h.size == 0 {
		return 0
	}
	other, at := s.form, int(h.size)-8
	other.cpuid = CPUIDNone
	if s.form.cpuid == CPUIDNone {
		other.cpuid, at = CPUIDAfterStamp, int(h.size)+8
	}
	if at > 0 && at < len(b) {
		if c := other.follow(b[at:], s.last); other.convincing(&c, s.hint()) {
			return at
		}
	}
	return 0
}

func (s *Stream) hint() hint { return hint{s.raw, s.stamped} }

// reason returns the damage at the beginning of b.
func (s *Stream) reason(b []byte, h *head, end bool) *Damage {
	src := s.part.src
	switch {
	case len(b) < s.form.step():
		return src.fail(0, "a hook word", ErrTruncated)
	case h.size == 0:
		return src.fail(0, fmt.Sprintf("a hook word, not %X", b[:s.form.step()]), ErrCorrupt)
	case int(h.size) > len(b) && end && s.last:
		return src.fail(0, fmt.Sprintf("%d bytes of an entry of %d", h.size, h.size), ErrTruncated)
	case h.id == 0:
		return src.fail(0, fmt.Sprintf("a hook id, not the hook word %X", b[:s.form.step()]), ErrCorrupt)
	}
	return src.fail(0, fmt.Sprintf("a hook word after the %d bytes of %X", h.size, b[:s.form.step()]), ErrCorrupt)
}

// begin opens a hole at the current entry.
func (s *Stream) begin(d *Damage) {
	s.gapStart = s.base + int64(s.pos)
	s.want, s.cause = d.Want, d.Err
}

// skip skips n bytes.
func (s *Stream) skip(n int) bool {
	s.pos += n
	s.close()
	return true
}

// close ends a hole at the current place.
func (s *Stream) close() {
	d := s.part.src.fail(s.gapStart, s.want, s.cause)
	d.Skipped = s.base + int64(s.pos) - s.gapStart
	s.gapStart = -1
	s.report(d)
}
