package lttng

import (
	"fmt"

	"github.com/tracec/tracec/runtime/record"
)

// A sub-buffer that was never closed has events up to the place where the recorder was killed. The
// bytes after it were never written. They are 0, or left from an earlier use of the memory. The
// header does not record that place (lttng.md 3.1), so it is found from the events.

// blank is the number of zero bytes in a sub-buffer that was never closed that count as memory that
// was never written.
const blank = 64

// readOpen reads the event at pos of a sub-buffer that was never closed.
func (s *Stream) readOpen(ev *event) status {
	if n := min(blank, s.sub.used-s.sub.pos); s.sub.hi-s.sub.pos < n {
		ev.need = n
		return more
	}
	if isZero(s.sub.buf[s.sub.pos-s.sub.lo : min(s.sub.pos+blank, s.sub.used)-s.sub.lo]) {
		return end
	}
	state := s.dec.parse(s, ev)
	if state == fine && s.dec.isStale(ev) {
		return end
	}
	return state
}

// isStale reports whether an event is from an earlier use of the memory. Whole time stamps do not
// step back. 32-bit tracers of 2.x wrote a whole time stamp whenever more than its low bits changed
// (lttng.md 4.3).
func (d *decoder) isStale(ev *event) bool {
	return ev.tsc < d.tsc || d.packed && d.head.machine.word == 4 && !ev.whole && ev.tsc>>shortBits != d.tsc>>shortBits
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// leave reports any bytes written after the last event of a sub-buffer that was never closed.
func (s *Stream) leave() error {
	var lost int
	for from := s.sub.pos; from < s.sub.used; from = s.sub.hi {
		if err := s.load(from, s.sub.most); err != nil {
			return err
		}
		for i, c := range s.sub.buf {
			if c != 0 {
				lost = from + i + 1 - s.sub.pos
			}
		}
	}
	if lost > 0 {
		s.gaps.lost = record.LostUnknown
		s.damage(int64(lost), fmt.Errorf("bytes after the last event that can be read: %w", ErrUnclosed))
	}
	return nil
}
