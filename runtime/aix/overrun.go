package aix

import (
	"encoding/binary"
	"math"
)

// A damaged length can make an entry end exactly where a later one does, so that nothing looks
// wrong after it. Such an entry contains a thread id that occurs in the trace. After it comes a
// word that is later than the stamp before the entry and not later than the entry's own stamp.
// Whole entries of known hooks follow up to the end. Data of intact entries do not have all of
// that. An entry without a stamp because of damage is not noticed this way.

// threads remembers thread ids, each at the place of its hash. A later id replaces an earlier one
// at the same place.
type threads [64]uint64

func (t *threads) place(tid uint64) *uint64 { return &t[tid*0x9E3779B97F4A7C15>>58] }

// overrun returns the place of the second entry in a single apparent entry; 0 if it is a single
// one. raw is the stamp of the entry before.
func (s *Stream) overrun(b []byte, h *head) int {
	if !s.stamped || h.flags&Stamped == 0 {
		return 0
	}
	entry, own := b[:h.size], s.form.tick(b, h)
	if s.form.is64 {
		return s.swallowed64(entry, s.raw, own-s.raw)
	}
	return s.swallowed32(entry, uint32(s.raw), uint32(own)-uint32(s.raw))
}

func (s *Stream) swallowed32(entry []byte, before, span uint32) int {
	const least = 12 // hook word, thread id, stamp
	for q := least; q <= len(entry)-least; q += 4 {
		if binary.BigEndian.Uint32(entry[q-4:])-before-1 < span &&
			s.knows(uint64(binary.BigEndian.Uint32(entry[q-8:]))) && s.fills(entry[q:]) {
			return q
		}
	}
	return 0
}

func (s *Stream) swallowed64(entry []byte, before, span uint64) int {
	const least = 24
	for q := least; q <= len(entry)-least; q += 8 {
		if binary.BigEndian.Uint64(entry[q-8:])-before-1 < span &&
			s.knows(binary.BigEndian.Uint64(entry[q-16:])) && s.fills(entry[q:]) {
			return q
		}
	}
	return 0
}

// knows reports whether a thread id has been seen. Data are full of the ids 0 and -1, which are no
// evidence.
func (s *Stream) knows(tid uint64) bool {
	return tid != 0 && uint32(tid) != math.MaxUint32 && *s.threads.place(tid) == tid
}

// inside is swallowed for an entry of a 32-bit trace that is known to be damaged: the evidence of
// stamps and threads is not needed.
func (s *Stream) inside(entry []byte) int {
	for q := 12; q < len(entry); q += 4 {
		at := q
		for at < len(entry) {
			h, ok := s.whole(entry[at:])
			if !ok || h.id == 0 {
				break
			}
			at += int(h.size)
		}
		if at == len(entry) {
			return q
		}
	}
	return 0
}

// hides reports whether two entries of known hooks and threads follow each other inside one without
// a stamp. That is a reason for doubt.
func (s *Stream) hides(entry []byte) bool {
	for q := s.form.step(); q < len(entry); q += s.form.step() {
		if first, ok := s.whole(entry[q:]); ok && s.familiar(entry[q:], &first) {
			at := q + int(first.size)
			if second, ok := s.whole(entry[at:]); ok && s.familiar(entry[at:], &second) {
				return true
			}
		}
	}
	return false
}

// familiar reports whether hook and thread of an entry have been seen.
func (s *Stream) familiar(b []byte, h *head) bool {
	return h.id != 0 && s.hooks.has(h.id) && s.knows(h.thread(b))
}

// fills reports whether b consists of stamped entries of hooks that have been seen.
func (s *Stream) fills(b []byte) bool {
	for len(b) >= s.form.step() {
		h, ok := s.form.parse(b)
		if !ok || h.flags&Stamped == 0 || int(h.size) > len(b) || !s.hooks.has(h.id) {
			return false
		}
		b = b[h.size:]
	}
	return len(b) == 0
}

// hooks remembers the first three digits of hook ids.
type hooks [1 << 12 / 64]uint64

func (h *hooks) add(id uint16)      { h[id>>10] |= 1 << (id >> 4 & 63) }
func (h *hooks) has(id uint16) bool { return h[id>>10]&(1<<(id>>4&63)) != 0 }
