package perf

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/internal/progress"
)

const (
	blockSize  = 128 << 10
	headerSize = 8
)

// raw is a record as it is in a file or in a compressed stream.
type raw struct {
	kind   Kind
	packed bool   // it comes from a compressed record
	at     int64  // in the window of the file, or of unpacked bytes
	place  int64  // of the record in the file, or of the compressed record that contains it
	body   []byte // without the header; valid until the next record
}

// source reads the records of a file in sequence, including the contents of compressed records.
type source struct {
	order
	src      io.ReaderAt
	at, end  int64     // range of the bytes that have not been read
	windows  [2]window // of the file, and of unpacked bytes
	unpacker *unpacker
	packs    bool  // the last entered compressed record has more data
	place    int64 // of that record
	packed   int64 // compressed records so far
	packing  Kind  // of the last of them
	share    progress.Share
	grow     growth // of a file that is still being written; otherwise nil
	left     int64  // number of bytes after the last record that have not been skipped yet
	behind   Kind   // of that record
}

// The windows of a source.
const (
	fromFile = iota
	unpacked
)

// newSource returns a source of the bytes of a file.
func (r *Recording) newSource(f *File, lease *memory.Lease) source {
	s := source{order: r.order, src: f.src, at: f.from, end: f.to, grow: f.grow}
	s.windows[fromFile].lease, s.windows[unpacked].lease = lease, lease
	return s
}

// next returns the next record. The error is io.EOF at the end, an ErrLimit if there is no room for
// more, or record.ErrPending if no more has been written yet. After any other error, there are no
// more records.
func (s *source) next() (raw, error) {
	for {
		if s.hasUnpacked() {
			w := &s.windows[unpacked]
			r, n := s.split(w)
			if n > 0 {
				r.packed, r.place = true, s.place
				return r, nil
			}
			if n < 0 {
				return r, s.broken(w)
			}
		}
		if s.packs {
			if err := s.unpack(); err != nil {
				return raw{}, err
			}
			continue
		}
		r, err := s.outer()
		if err != nil {
			if w := &s.windows[unpacked]; errors.Is(err, io.EOF) && s.hasUnpacked() {
				err = fmt.Errorf("the compressed data end inside of a record: %w", ErrTruncated)
				w.at += int64(len(w.unread()))
			}
			return r, err
		}
		if r.kind != Compressed && r.kind != Compressed2 {
			return r, nil
		}
		if err := s.enter(r); err != nil {
			return r, err
		}
	}
}

// hasUnpacked reports whether the next record, or a part of it, was unpacked.
func (s *source) hasUnpacked() bool { return len(s.windows[unpacked].unread()) > 0 }

// split passes the first record of a window. n is its size, or 0 if it is incomplete, or -1 if its
// size is invalid.
func (s *source) split(w *window) (r raw, n int) {
	b := w.unread()
	if len(b) < headerSize {
		return r, 0
	}
	switch n = int(s.u16(b[6:])); {
	case n < headerSize:
		return r, -1
	case n > len(b):
		return r, 0
	}
	r = raw{kind: Kind(s.u32(b)), at: w.at, body: b[headerSize:n:n]}
	w.at += int64(n)
	return r, n
}

func (s *source) broken(w *window) error {
	return fmt.Errorf("a record of %d bytes: %w", s.u16(w.unread()[6:]), ErrCorrupt)
}

// position returns the place of the next record in the file.
func (s *source) position() int64 { return s.at - int64(len(s.windows[fromFile].unread())) }

// outer returns the next record of the file, and passes the data before it.
func (s *source) outer() (raw, error) {
	w := &s.windows[fromFile]
	if err := s.skip(w); err != nil {
		return raw{}, err
	}
	place := s.position()
	r, n := s.split(w)
	for n == 0 {
		more, err := s.fill(w)
		if err != nil {
			return r, err
		}
		if r, n = s.split(w); n == 0 && !more {
			break
		}
	}
	switch {
	case n < 0:
		return r, s.broken(w)
	case n == 0 && len(w.unread()) == 0:
		return r, io.EOF
	case n == 0:
		return r, fmt.Errorf("a record of %d bytes, of which the file has %d: %w", s.size(w), len(w.unread()),
			ErrTruncated)
	}
	r.place = place
	s.left, s.behind = s.after(r), r.kind
	return r, nil
}

// skip passes the data after the last record, once they are written. If the file ends before they
// do, it passes nothing, and the error is an ErrTruncated.
func (s *source) skip(w *window) error {
	beyond := s.left - int64(len(w.unread()))
	if beyond > 0 && s.grow != nil {
		have, err := s.grow.Need(s.at, beyond)
		if errors.Is(err, io.EOF) {
			s.end = s.at + have
		} else if err != nil {
			return err
		}
	}
	if have := s.end - s.position(); s.left > have {
		return fmt.Errorf("%d bytes of data after a record %v, of which the file has %d: %w", s.left, s.behind, have,
			ErrTruncated)
	}
	s.at += w.skip(s.left)
	s.left = 0
	return nil
}

// passAll passes the rest of the file.
func (s *source) passAll(w *window) {
	w.skip(int64(len(w.unread())))
	s.at, s.left = s.reached(), 0
}

// reached returns the end of the file. For a file that may still grow, it is the offset up to which
// the file was read.
func (s *source) reached() int64 {
	if s.end == math.MaxInt64 {
		return s.at
	}
	return s.end
}

// size returns the size of a record that is incomplete.
func (s *source) size(w *window) int {
	if b := w.unread(); len(b) >= headerSize {
		return int(s.u16(b[6:]))
	}
	return headerSize
}

// after returns the number of bytes of data after a record (perf.md 0.7).
func (s *source) after(r raw) int64 {
	switch {
	case r.kind == TracingData && len(r.body) >= 4:
		return (int64(s.u32(r.body)) + 7) &^ 7
	case r.kind == Auxtrace && len(r.body) >= 8:
		return int64(min(s.u64(r.body), 1<<61))
	}
	return 0
}

// fill reads more bytes of the file. It returns false at its end.
func (s *source) fill(w *window) (more bool, err error) {
	if s.at >= s.end {
		return false, nil
	}
	if err := w.room(blockSize); err != nil {
		return false, err
	}
	n := int(min(blockSize, s.end-s.at))
	if s.grow != nil {
		have, err := s.grow.Need(s.at, 1)
		if errors.Is(err, io.EOF) {
			s.end = s.at
			return false, nil
		}
		if err != nil {
			return false, err
		}
		n = int(min(int64(n), have))
	}
	got, err := s.src.ReadAt(w.buf[len(w.buf):][:n], s.at)
	w.buf = w.buf[:len(w.buf)+got]
	s.at += int64(got)
	s.share.Reach(s.at)
	if got < n {
		s.end = s.at
	}
	if got < n && err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return got > 0, nil
}

// enter begins with the data of a compressed record.
func (s *source) enter(r raw) error {
	data := r.body
	if r.kind == Compressed2 {
		if len(data) < 8 || s.u64(data) > uint64(len(data)-8) {
			return fmt.Errorf("a compressed record with more data than it has: %w", ErrCorrupt)
		}
		data = data[8:][:s.u64(data)]
	}
	s.packed, s.packing = s.packed+1, r.kind
	if s.unpacker == nil {
		s.unpacker = &unpacker{}
	}
	s.unpacker.give(data)
	s.place, s.packs = r.place, true
	return nil
}

// unpack adds some data of the compressed record to the unpacked ones. After an ErrLimit, it may be
// called again.
func (s *source) unpack() error {
	w := &s.windows[unpacked]
	if err := w.room(blockSize); err != nil {
		return err
	}
	data, err := s.unpacker.more()
	if err != nil {
		s.packs = false
		return fmt.Errorf("compressed data: %w: %w", err, ErrCorrupt)
	}
	s.packs = data != nil
	w.buf = append(w.buf, data...)
	return nil
}

func (s *source) close() {
	if s.unpacker != nil {
		s.unpacker.close()
	}
	s.windows[fromFile].buf, s.windows[unpacked].buf = nil, nil
	s.share.End()
}
