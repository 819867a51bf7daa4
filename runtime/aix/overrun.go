package aix

import (
	"encoding/binary"
	"math"
)

// A damaged length can make an entry end exactly where a later one does, so that no error is
// visible after it. Such an entry contains a thread id that occurs in the trace. After the id comes
// a word that is later than the stamp before the entry and not later than the entry's own stamp.
// Whole entries of known hooks follow up to the end. Data of intact entries do not meet all of
// these conditions. An entry without a stamp because of damage is not detected in this way.

// threads remembers thread ids, each at the place of its hash. A later id replaces an earlier one
// at the same place.
type threads [64]uint64

func (t *threads) place(tid uint64) *uint64 { return &t[tid*0x9E3779B97F4A7C15>>58] }

// overrun returns the place of the second entry in a single apparent entry, or 0 if it really is a
// single one. raw is the stamp of the previous entry.
func (y *history) overrun(b []byte, h *head) int {
	if !y.stamped || h.flags&Stamped == 0 {
		return 0
	}
	entry, own := b[:h.size], y.form.tick(b, h)
	if y.form.is64 {
		return y.swallowed64(entry, y.raw, own-y.raw)
	}
	return y.swallowed32(entry, uint32(y.raw), uint32(own)-uint32(y.raw))
}

func (y *history) swallowed32(entry []byte, before, span uint32) int {
	const least = 12 // hook word, thread id, stamp
	for q := least; q <= len(entry)-least; q += 4 {
		if binary.BigEndian.Uint32(entry[q-4:])-before-1 < span &&
			y.knows(uint64(binary.BigEndian.Uint32(entry[q-8:]))) && y.fills(entry[q:]) {
			return q
		}
	}
	return 0
}

func (y *history) swallowed64(entry []byte, before, span uint64) int {
	const least = 24
	for q := least; q <= len(entry)-least; q += 8 {
		if binary.BigEndian.Uint64(entry[q-8:])-before-1 < span &&
			y.knows(binary.BigEndian.Uint64(entry[q-16:])) && y.fills(entry[q:]) {
			return q
		}
	}
	return 0
}

// knows reports whether a thread id has been seen. The ids 0 and -1 are not evidence, because they
// are frequent in data.
func (y *history) knows(tid uint64) bool {
	return tid != 0 && uint32(tid) != math.MaxUint32 && *y.threads.place(tid) == tid
}

// inside is swallowed for an entry of a 32-bit trace that is known to be damaged. It needs no
// evidence of stamps and threads.
func (y *history) inside(entry []byte) int {
	for q := 12; q < len(entry); q += 4 {
		at := q
		for at < len(entry) {
			h, ok := y.whole(entry[at:])
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

// hides reports whether an entry without a stamp contains two consecutive entries of known hooks
// and threads. That is a reason for doubt.
func (y *history) hides(entry []byte) bool {
	for q := y.form.step(); q < len(entry); q += y.form.step() {
		if first, ok := y.whole(entry[q:]); ok && y.familiar(entry[q:], &first) {
			at := q + int(first.size)
			if second, ok := y.whole(entry[at:]); ok && y.familiar(entry[at:], &second) {
				return true
			}
		}
	}
	return false
}

// familiar reports whether hook and thread of an entry have been seen.
func (y *history) familiar(b []byte, h *head) bool {
	return h.id != 0 && y.hooks.has(h.id) && y.knows(h.thread(b))
}

// fills reports whether b consists of stamped entries of hooks that have been seen.
func (y *history) fills(b []byte) bool {
	for len(b) >= y.form.step() {
		h, ok := y.form.parse(b)
		if !ok || h.flags&Stamped == 0 || int(h.size) > len(b) || !y.hooks.has(h.id) {
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
