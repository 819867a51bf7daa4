package aix

import (
	"encoding/binary"
	"fmt"
)

// resync decides about the current entry after the walk has found an anomaly. It reports whether
// the walk can continue. If not, more of the region is needed, or the next one.
func (s *Stream) resync() bool {
	b := s.win.buf[s.win.pos:]
	s.learn(s.out.n - again)
	if !s.gap.open() && (s.past.known.entries > 0 || s.win.src.live()) && s.steady(b) {
		h, _ := s.past.form.parse(b)
		if h.reform && !s.out.room(&h) {
			return false
		}
		s.past.widen(b, &h)
		s.emit(b, &h)
		return true
	}
	if !s.win.last && len(b) < s.past.need() {
		return false
	}
	if s.gap.open() {
		if len(b) == 0 { // the gap ends at the end of the region
			s.close()
			return false
		}
		s.plan(0)
		return true
	}
	if at := s.hidden(b); at > 0 {
		return s.skip(at)
	}
	here := s.win.pos
	s.unread(again)
	s.plan(here - s.win.pos)
	return true
}

// fresh reports whether the stream is at its beginning and enough of it is available to find its
// first entry. If the first entry is damaged, the bytes after it can look like entries that are out
// of step.
func (s *Stream) fresh() bool {
	if s.doubt.begun || !s.win.last && len(s.win.buf)-s.win.pos < s.past.need() {
		return false
	}
	s.doubt.begun = len(s.win.buf) > s.win.pos
	return s.doubt.begun
}

// need returns the number of bytes that a decision needs.
func (y *history) need() int { return horizon + 4*y.form.maxEntry() }

// hidden returns the place of the next entry if it is inside the current one, or not at the place
// that its processor id implies. In these cases it has begun a gap. Otherwise it returns 0.
func (s *Stream) hidden(b []byte) int {
	h, whole := s.past.whole(b)
	at := 0
	if whole {
		at = s.past.overrun(b, &h)
		if at == 0 && s.past.contradicts(b, &h) {
			at = s.past.inside(b[:h.size])
		}
		if at > 0 {
			s.begin(s.win.src.fail(0, fmt.Sprintf("an entry of %d bytes, before the next hook word, not of %d", at,
				h.size), ErrCorrupt))
			return at
		}
	}
	if whole {
		if c := s.past.form.follow(b[h.size:], s.win.last); c.full || c.end || c.cut {
			return 0
		}
	}
	if at = s.misplaced(b, &h); at > 0 {
		s.begin(s.win.src.fail(0, fmt.Sprintf("an entry of %d bytes with a processor id (see WithCPUID)", h.size),
			ErrCPUID))
	}
	return at
}

// steadyEntries is the number of entries that resolve a doubt. steadyBits is the minimum evidence
// for each of them.
const (
	steadyEntries = 4
	steadyBits    = 4
)

// steady reports whether b begins with entries in sequence that look like entries of this trace.
func (s *Stream) steady(b []byte) bool {
	before, known := s.past.raw, s.past.stamped
	for n := range steadyEntries {
		if len(b) < s.past.form.step() && n > 0 {
			return s.win.last
		}
		h, whole := s.past.whole(b)
		if !whole {
			return n > 0 && s.win.last && h.size > 0 && h.id != 0 // the last one is incomplete
		}
		if n == 0 && (s.past.overrun(b, &h) > 0 || s.past.contradicts(b, &h) ||
			h.flags&Stamped == 0 && s.past.hides(b[:h.size])) {
			return false
		}
		bits := s.past.weigh(b, &h)
		if h.flags&Stamped != 0 {
			t := s.past.form.tick(b, &h)
			if known {
				bits += s.past.form.bits(s.past.form.since(before, t))
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

// near reports whether the step from the previous stamp to t is as usual as other recent steps.
func (y *history) near(t uint64) bool {
	d := y.form.since(y.raw, t)
	return d < y.ahead && d >= -y.back
}

// Limits of usual steps for near, in ticks.
const (
	leastAhead = 1 << 16
	leastBack  = 1 << 8
)

// longest returns a number of ticks above any distance between the entries of a busy trace.
func (f *form) longest() int64 {
	if f.is64 {
		return 1 << 44
	}
	return 1 << 28
}

// widen makes the step to the entry at the beginning of b a usual one.
func (y *history) widen(b []byte, h *head) {
	if h.flags&Stamped == 0 || !y.stamped {
		return
	}
	switch d := y.form.since(y.raw, y.form.tick(b, h)); {
	case d >= y.ahead:
		y.ahead = min(2*d, y.form.longest())
	case d < -y.back:
		y.back = min(-2*d, y.form.longest()>>4)
	}
}

// narrow gradually removes wide steps from the usual ones.
func (y *history) narrow() {
	y.ahead = max(leastAhead, y.ahead-y.ahead>>6)
	y.back = max(leastBack, y.back-y.back>>6)
}

// again is the number of entries that are decided again after a doubt: bytes cut out of the end of
// one entry show in the next.
const again = 2

// unread removes the last n entries from the batch, but no entries from before a gap.
func (s *Stream) unread(n int) {
	for ; n > 0 && s.out.n > 0 && !s.gap.lost; n-- {
		s.out.n--
		s.win.pos = int(s.out.entries[s.out.n].Offset - s.win.base)
		s.gap.lost = s.out.records[s.out.n].Lost != 0
	}
	if s.out.n == 0 {
		s.out.arena = s.out.arena[:0]
	}
	s.past.raw, s.past.stamped = s.past.rawBefore, s.past.stampedBefore
	for i := s.out.n - 1; i >= 0; i-- {
		if e := &s.out.entries[i]; e.Flags&Stamped != 0 {
			s.past.raw, s.past.stamped = e.Ticks, true
			break
		}
	}
	s.out.learned = min(s.out.learned, s.out.n)
}

// learn adds the first n entries of the batch to the knowledge.
func (s *Stream) learn(n int) {
	for ; s.out.learned < n; s.out.learned++ {
		raw := s.out.entries[s.out.learned].Raw
		if h, ok := s.past.form.parse(raw); ok && h.id != 0 {
			s.past.known.learn(raw, &h)
		}
	}
}

// whole decodes the hook word at the start of b and reports whether the entry fits in b.
func (y *history) whole(b []byte) (h head, ok bool) {
	if len(b) < y.form.step() {
		return h, false
	}
	if h, ok = y.form.parse(b); !ok {
		return head{}, false
	}
	if h.id == 0 {
		if _, ok = y.form.zero(b); !ok {
			return h, false
		}
	}
	return h, int(h.size) <= len(b)
}

// misplaced returns the place of the next entry if the size of this one's processor id contradicts
// WithCPUID. Otherwise it returns 0.
func (s *Stream) misplaced(b []byte, h *head) int {
	if !s.past.form.is64 || len(b) < 8 || binary.BigEndian.Uint16(b)&flag64CPU == 0 || h.size == 0 {
		return 0
	}
	other, at := s.past.form, int(h.size)-8
	other.cpuid = CPUIDNone
	if s.past.form.cpuid == CPUIDNone {
		other.cpuid, at = CPUIDAfterStamp, int(h.size)+8
	}
	if at > 0 && at < len(b) {
		if c := other.follow(b[at:], s.win.last); other.convincing(&c, s.past.hint()) {
			return at
		}
	}
	return 0
}

func (y *history) hint() hint { return hint{y.raw, y.stamped} }

// reason returns the damage at the beginning of b.
func (s *Stream) reason(b []byte, h *head, end bool) *Damage {
	src := s.win.src
	switch {
	case len(b) < s.past.form.step():
		return src.fail(0, "a hook word", ErrTruncated)
	case h.size == 0:
		return src.fail(0, fmt.Sprintf("a hook word, not %X", b[:s.past.form.step()]), ErrCorrupt)
	case int(h.size) > len(b) && end && s.win.last:
		return src.fail(0, fmt.Sprintf("%d bytes of an entry of %d", h.size, h.size), ErrTruncated)
	case h.id == 0:
		return src.fail(0, fmt.Sprintf("a hook id, not the hook word %X", b[:s.past.form.step()]), ErrCorrupt)
	}
	return src.fail(0, fmt.Sprintf("a hook word after the %d bytes of %X", h.size, b[:s.past.form.step()]), ErrCorrupt)
}

// begin opens a gap at the current entry.
func (s *Stream) begin(d *Damage) {
	s.gap.begin(s.win.at(), d)
}

// skip skips n bytes.
func (s *Stream) skip(n int) bool {
	s.win.pos += n
	s.close()
	return true
}

// close ends a gap at the current place.
func (s *Stream) close() {
	s.report(s.gap.end(s.win.src, s.win.at()))
}
