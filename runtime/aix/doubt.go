package aix

import (
	"encoding/binary"
	"fmt"
)

// doubt decides about the entry at hand when the walk found something unusual. It says whether the walk can go on; if not,
// more of the region is needed, or the next one.
func (s *Stream) doubt() bool {
	b := s.buf[s.pos:]
	if !s.last && len(b) < 2*s.form.margin() {
		return false
	}
	if s.hole >= 0 {
		return s.skip(b, s.form.find(b, s.last, s.clue()))
	}
	h, whole := s.whole(b)
	if h.reform && whole && !s.room(&h) {
		return false
	}
	if whole {
		at := s.swallowed(b, &h)
		if at == 0 && s.contradicts(b, &h) {
			at = s.inside(b[:h.size])
		}
		if at > 0 {
			s.begin(s.part.src.fail(0, fmt.Sprintf("an entry of %d bytes, before the next hook word, not of %d", at, h.size), ErrCorrupt))
			return s.skip(b, at)
		}
	}
	if whole && s.form.continues(b[h.size:], s.last, h.flags) {
		s.emit(b, &h)
		return true
	}
	if at := s.misplaced(b, &h); at > 0 {
		s.begin(s.part.src.fail(0, fmt.Sprintf("an entry of %d bytes with a processor id (see WithCPUID)", h.size), ErrCPUID))
		return s.skip(b, at)
	}
	q := s.form.find(b, s.last, s.clue())
	if whole && h.id != 0 && (q < 0 || q >= int(h.size)) {
		// The entry itself is as good as any; what is wrong stands behind it.
		s.emit(b, &h)
		b = b[h.size:]
		q = max(q-int(h.size), -1)
		h, _ = s.whole(b)
	}
	s.begin(s.reason(b, &h, q < 0))
	return s.skip(b, q)
}

// whole takes the hook word of b apart and says whether the whole entry lies in b.
func (s *Stream) whole(b []byte) (h head, ok bool) {
	if len(b) < s.form.step() {
		return h, false
	}
	if h, ok = s.form.parse(b); !ok {
		return h, false
	}
	if h.id == 0 {
		if _, ok = s.form.zero(b); !ok {
			return h, false
		}
	}
	return h, int(h.size) <= len(b)
}

// misplaced says where the next entry is when the processor id of this one has another length than WithCPUID says;
// 0 when that is not the trouble.
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
		if c := other.follow(b[at:], s.last); other.convincing(&c, s.clue()) {
			return at
		}
	}
	return 0
}

func (s *Stream) clue() clue { return clue{s.raw, s.stamped} }

// reason says what is wrong with the beginning of b.
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
	return src.fail(0, fmt.Sprintf("a hook word behind the %d bytes of %X", h.size, b[:s.form.step()]), ErrCorrupt)
}

// begin opens a hole at the entry at hand.
func (s *Stream) begin(d *Damage) {
	s.hole = s.base + int64(s.pos)
	s.want, s.cause = d.Want, d.Err
}

// skip goes to the place q in b, where entries go on, or when it is negative behind all that was searched.
func (s *Stream) skip(b []byte, q int) bool {
	switch {
	case q >= 0:
		s.pos += q
	case s.last:
		s.pos = len(s.buf)
	default:
		s.pos += (len(b) - s.form.margin()) &^ 7
		return false
	}
	at := s.base + int64(s.pos)
	d := s.part.src.fail(s.hole, s.want, s.cause)
	d.Skipped = at - s.hole
	s.hole = -1
	s.report(d)
	return q >= 0
}
