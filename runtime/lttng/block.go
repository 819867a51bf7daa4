package lttng

import (
	"fmt"
	"io"
)

// nextBlock goes to the next sub-buffer that has a header.
func (s *Stream) nextBlock() error {
	for {
		if err := s.choice.Err(); err != nil {
			return err
		}
		s.at = s.next
		s.share.Reach(s.at)
		if s.live != nil {
			if err := s.await(); err != nil {
				return err
			}
		}
		left := s.size - s.at
		if left <= 0 {
			return io.EOF
		}
		s.pos, s.used, s.lo, s.hi = 0, 0, 0, 0
		head := make([]byte, min(maxHeader, left))
		if err := s.read(head, s.at); err != nil {
			return err
		}
		h, ok := parseHeader(head, s.rec.config.dialect)
		if !ok || h.kind() != s.head.kind() {
			if err := s.skipBlock(left); err != nil {
				return err
			}
			continue
		}
		return s.enter(&h, left)
	}
}

// enter begins a sub-buffer.
func (s *Stream) enter(h *header, left int64) error {
	size, err := s.measureBlock(h, left)
	if err != nil {
		return err
	}
	s.own = *h
	s.head, s.last = &s.own, size
	s.next = s.at + size
	used := min(h.used, size)
	if s.open = h.open; s.open {
		used = size
		s.damage(0, ErrUnclosed)
	}
	if size > left { // even when its events are all there: whole sub-buffers may be missing after it
		s.damage(max(used-left, 0), fmt.Errorf("a sub-buffer of %d bytes, %d of them used: %w", size, used, ErrTruncated))
		used = min(used, left)
	}
	s.rec.measure(s.file, h, s.at)
	s.used, s.pos, s.tsc = int(used), h.size, h.begin
	s.lo, s.hi = h.size, h.size
	if s.outside(h) || s.unwanted.Has(s.at) {
		s.pos = s.used
	}
	return nil
}

// outside reports whether all events of a sub-buffer are outside of the window of time that is chosen: they lie between the time
// stamps of its header. One that was never closed does not say its end.
func (s *Stream) outside(h *header) bool {
	if s.since == 0 && s.until == 0 || h.open || h.end < h.begin {
		return false
	}
	c := &s.trace.clock
	begin, end := c.ns(h.begin)+c.shift, c.ns(h.end)+c.shift
	return begin <= end && (end < s.since || s.until > 0 && begin >= s.until)
}

// measure counts a sub-buffer once, however often it is read: metadata is read by Open, and by every walk.
func (r *Recording) measure(f *File, h *header, at int64) {
	r.measuring.Lock()
	defer r.measuring.Unlock()
	if at < f.measured {
		return
	}
	f.measured = at + 1
	f.Blocks++
	if h.open {
		f.Unclosed++
	}
	if h.eventsMeasured {
		f.EventsLost, f.Corrupt = h.lost, h.corrupt
	}
}

// measureBlock returns the size of a sub-buffer, a page or more. When it is neither that of the one before nor that of the one after it, the pages
// inside are searched for another header: damage of one sub-buffer must not cost the next.
func (s *Stream) measureBlock(h *header, left int64) (int64, error) {
	size := h.block
	known := size > 0 && size%pageSize == 0 && size <= maxBlock // else never closed, or damaged
	if known {
		if sure, err := s.isSure(size, left); sure || err != nil {
			return size, err
		}
	}
	if !known {
		size = left
	}
	n, err := s.findHeader(s.at+pageSize, min(size, left)-pageSize)
	if err != nil {
		return 0, err
	}
	n += pageSize
	switch {
	case known && n >= min(size, left):
		return size, nil
	case known || !h.open && h.block != n:
		s.damage(0, fmt.Errorf("a sub-buffer of %d bytes, but the next begins behind %d: %w", h.block, n, ErrCorrupt))
	}
	return n, nil
}

// isSure reports whether the sub-buffer before has that size, too, or the one that begins after so many bytes.
func (s *Stream) isSure(size, left int64) (bool, error) {
	if size == s.last {
		return true, nil
	}
	if size > left-maxHeader {
		return false, nil
	}
	var head [maxHeader]byte
	if err := s.read(head[:], s.at+size); err != nil {
		return false, err
	}
	h, ok := parseHeader(head[:], s.rec.config.dialect)
	return ok && h.kind() == s.head.kind() && h.block == size, nil
}

// pageSize is what sub-buffers are multiples of.
const pageSize = 4096

// skipBlock leaves out what has no header.
func (s *Stream) skipBlock(left int64) error {
	n, err := s.findHeader(s.at+pageSize, left-pageSize)
	if err != nil {
		return err
	}
	skip := min(n+pageSize, left)
	if n >= maxBlock { // further than any sub-buffer reaches: a file of holes, for one, can be of any size
		skip = left
	}
	s.damage(skip, fmt.Errorf("no header where a sub-buffer begins: %w", ErrCorrupt))
	s.next = s.at + skip
	return nil
}

// findHeader returns the distance from off to the next page that begins with a header, or to the end. It looks no further than a
// sub-buffer can reach.
func (s *Stream) findHeader(off, left int64) (int64, error) {
	head := make([]byte, maxHeader)
	left = min(left, maxBlock)
	for n := int64(0); n < left; n += pageSize {
		b := head[:min(maxHeader, left-n)]
		if err := s.read(b, off+n); err != nil {
			return 0, err
		}
		if h, ok := parseHeader(b, s.rec.config.dialect); ok && h.kind() == s.head.kind() {
			return n, nil
		}
	}
	return max(left, 0), nil
}
