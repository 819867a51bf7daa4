package lttng

import (
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// nextBlock moves to the next sub-buffer that has a header.
func (s *Stream) nextBlock() error {
	for {
		if err := s.sel.choice.Err(); err != nil {
			return err
		}
		s.sub.at = s.sub.next
		s.sub.share.Reach(s.sub.at)
		if s.grow.live != nil {
			if err := s.await(); err != nil {
				return err
			}
		}
		left := s.sub.size - s.sub.at
		if left <= 0 {
			return io.EOF
		}
		s.sub.pos, s.sub.used, s.sub.lo, s.sub.hi = 0, 0, 0, 0
		head := make([]byte, min(maxHeader, left))
		if err := s.sub.read(head, s.sub.at, s.file.Path); err != nil {
			return err
		}
		h, ok := parseHeader(head, s.rec.config.dialect)
		if !ok || h.kind() != s.dec.head.kind() {
			if err := s.skipBlock(left); err != nil {
				return err
			}
			continue
		}
		if s.part != nil && s.part.barren && !s.passBarren(&h) {
			return io.EOF
		}
		return s.enter(&h, left)
	}
}

// enter begins a sub-buffer.
func (s *Stream) enter(h *header, left int64) error {
	if s.gaps.odd { // the events between that event and this one
		s.gaps.lost, s.gaps.odd = record.LostUnknown, false
	}
	size, err := s.measureBlock(h, left)
	if err != nil {
		return err
	}
	s.dec.own = *h
	s.dec.head, s.sub.last = &s.dec.own, size
	s.sub.next = s.sub.at + size
	used := min(h.used, size)
	if s.dec.open = h.open; s.dec.open {
		used = size
		s.damage(0, ErrUnclosed)
	}
	if size > left { // even if its events are all present: whole sub-buffers may be missing after it
		s.damage(max(used-left, 0), fmt.Errorf("a sub-buffer of %d bytes, %d of them used: %w", size, used,
			ErrTruncated))
		used = min(used, left)
	}
	s.count(h)
	s.gaps.entered = s.gaps.losses.state()
	s.gaps.lost = record.AddLost(s.gaps.lost, s.gaps.losses.enter(h))
	s.sub.used, s.sub.pos, s.dec.tsc = int(used), h.size, h.begin
	s.sub.lo, s.sub.hi = h.size, h.size
	outside := s.trace.outside(h, s.sel.since, s.sel.until)
	if outside && h.hasEvents() { // the first event reports the loss
		s.gaps.lost = 0
	}
	unwanted := s.sel.unwanted.Has(s.sub.at)
	s.gaps.brief = unwanted && s.gaps.lost != 0
	if outside || unwanted && !s.gaps.brief || s.part != nil && s.part.barren && !s.part.Begun {
		s.sub.pos = s.sub.used
		if s.part != nil && s.isOver(int64(h.size)) {
			return io.EOF
		}
	}
	return nil
}

// outside reports whether all events of a sub-buffer are outside a time window. They lie between
// the time stamps of its header. A sub-buffer that was never closed has no end time. If until is 0,
// there is no end.
func (tr *Trace) outside(h *header, since, until uint64) bool {
	if since == 0 && until == 0 || h.open || h.end < h.begin {
		return false
	}
	begin, end := tr.Time(h.begin), tr.Time(h.end)
	return begin <= end && (end < since || until > 0 && begin >= until)
}

// counted holds the counts of a sub-buffer.
type counted struct {
	at, end        int64
	lost, corrupt  uint32
	open, measured bool // measured: lost and corrupt are known
	events         bool // there are events
}

// count counts the sub-buffer of the header. For a part, the count is kept until the part is known
// to begin at the right place.
func (s *Stream) count(h *header) {
	c := counted{s.sub.at, s.sub.next, h.missed.lost, h.missed.corrupt, h.open, h.missed.known && !h.open,
		h.hasEvents()}
	if s.part == nil || s.part.certain() {
		s.rec.measure(s.file, c)
	} else if s.part.Begun {
		s.keepCount(c)
	}
}

// measure counts each sub-buffer only once, even if it is read several times. For example, metadata
// are read by Open, and by every walk.
func (r *Recording) measure(f *File, list ...counted) {
	r.measuring.Lock()
	defer r.measuring.Unlock()
	for _, c := range list {
		if c.at < f.measured {
			continue
		}
		f.measured, f.reached = c.at+1, c.end
		f.Blocks++
		if c.open {
			f.Unclosed++
		}
		if c.events {
			f.lostBefore = f.EventsLost
		}
		if c.measured {
			f.EventsLost, f.Corrupt = c.lost, c.corrupt
		}
	}
}

// measureBlock returns the size of a sub-buffer, a page or more. If neither the previous sub-buffer
// nor the next one has this size, the pages inside are searched for another header. Damage of one
// sub-buffer must not affect the next.
func (s *Stream) measureBlock(h *header, left int64) (int64, error) {
	size := h.block
	known := size > 0 && size%pageSize == 0 && size <= maxBlock // otherwise never closed, or damaged
	if known {
		if sure, err := s.isSure(size, left); sure || err != nil {
			return size, err
		}
	}
	if !known {
		size = left
	}
	n, err := s.findHeader(s.sub.at+pageSize, min(size, left)-pageSize)
	if err != nil {
		return 0, err
	}
	n += pageSize
	switch {
	case known && n >= min(size, left):
		if s.part != nil {
			s.part.size.Store(s.sub.at + 1)
		}
		return size, nil
	case known || !h.open && h.block != n:
		s.gaps.odd = true
		s.damage(0, fmt.Errorf("a sub-buffer of %d bytes, but the next begins after %d: %w", h.block, n, ErrCorrupt))
	}
	return n, nil
}

// isSure reports whether the previous sub-buffer also has that size, or the one that begins after
// that many bytes.
func (s *Stream) isSure(size, left int64) (bool, error) {
	if size == s.sub.last || s.part != nil && s.part.size.Load() == s.sub.at+1 {
		return true, nil
	}
	if size > left-maxHeader {
		return false, nil
	}
	var head [maxHeader]byte
	if err := s.sub.read(head[:], s.sub.at+size, s.file.Path); err != nil {
		return false, err
	}
	h, ok := parseHeader(head[:], s.rec.config.dialect)
	return ok && h.kind() == s.dec.head.kind() && h.block == size, nil
}

// pageSize divides the size of every sub-buffer.
const pageSize = 4096

// skipBlock skips bytes without a header.
func (s *Stream) skipBlock(left int64) error {
	n, err := s.findHeader(s.sub.at+pageSize, left-pageSize)
	if err != nil {
		return err
	}
	skip := min(n+pageSize, left)
	if n >= maxBlock { // no sub-buffer is so long: a file with holes, for example, can have any size
		skip = left
	}
	s.gaps.lost = record.LostUnknown
	s.damage(skip, fmt.Errorf("no header at the begin of a sub-buffer: %w", ErrCorrupt))
	s.sub.next = s.sub.at + skip
	return nil
}

// findHeader returns the distance from off to the next page that begins with a header, or to the
// end. It searches no further than the maximum size of a sub-buffer.
func (s *Stream) findHeader(off, left int64) (int64, error) {
	head := make([]byte, maxHeader)
	left = min(left, maxBlock)
	for n := int64(0); n < left; n += pageSize {
		b := head[:min(maxHeader, left-n)]
		if err := s.sub.read(b, off+n, s.file.Path); err != nil {
			return 0, err
		}
		if h, ok := parseHeader(b, s.rec.config.dialect); ok && h.kind() == s.dec.head.kind() {
			return n, nil
		}
	}
	return max(left, 0), nil
}
