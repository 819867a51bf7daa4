package perf

import (
	"errors"
	"fmt"
	"io"
)

const (
	blockSize  = 64 << 10
	headerSize = 8
)

// raw is a record as it is in a file or in a compressed stream.
type raw struct {
	kind  Kind
	misc  uint16
	all   []byte // with its header, valid until the next record
	body  []byte // of all, without the header
	place int64  // of the record in the file, or of the compressed record that holds it
}

// source reads the records of a file one after another, also those in compressed records.
type source struct {
	order
	src      io.ReaderAt
	at, end  int64  // of what is not in block yet
	block    []byte // bytes that were read and not passed
	buf      []byte // of block
	unpacker *unpacker
	inner    []byte // unpacked bytes that were not passed
	innerBuf []byte // of inner
	packs    bool   // the compressed record that inner is of has more
	place    int64  // of the compressed record that inner is of
	packed   int64  // compressed records so far
	packing  Kind   // of the last of them
}

// next returns the next record. The error is io.EOF at the end; nothing follows any other error.
func (s *source) next() (r raw, err error) {
	for {
		if len(s.inner) > 0 {
			if r, n, ok := s.split(s.inner); ok {
				s.inner = s.inner[n:]
				r.place = s.place
				return r, nil
			} else if n < 0 {
				return r, s.broken(s.inner)
			}
		}
		if s.packs {
			if err := s.unpack(); err != nil {
				return r, err
			}
			continue
		}
		r, err := s.outer()
		if err != nil {
			if errors.Is(err, io.EOF) && len(s.inner) > 0 {
				err = fmt.Errorf("the compressed data end inside of a record: %w", ErrTruncated)
				s.inner = nil
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

// split cuts the first record off b. n is its size; 0 if it is not whole, -1 if it has no size.
func (s *source) split(b []byte) (r raw, n int, ok bool) {
	if len(b) < headerSize {
		return r, 0, false
	}
	n = int(s.u16(b[6:]))
	if n < headerSize {
		return r, -1, false
	}
	if n > len(b) {
		return r, 0, false
	}
	return raw{kind: Kind(s.u32(b)), misc: s.u16(b[4:]), all: b[:n:n], body: b[headerSize:n:n]}, n, true
}

func (s *source) broken(b []byte) error {
	return fmt.Errorf("a record of %d bytes: %w", s.u16(b[6:]), ErrCorrupt)
}

// position is the place of the next record in the file.
func (s *source) position() int64 { return s.at - int64(len(s.block)) }

// outer returns the next record of the file, and passes the data that follow it.
func (s *source) outer() (raw, error) {
	place := s.position()
	r, n, ok := s.split(s.block)
	if !ok && n == 0 {
		if err := s.fill(); err != nil {
			return r, err
		}
		r, n, ok = s.split(s.block)
	}
	switch {
	case n < 0:
		return r, s.broken(s.block)
	case !ok && len(s.block) == 0:
		return r, io.EOF
	case !ok:
		return r, fmt.Errorf("a record of %d bytes, of which %d are there: %w", s.size(), len(s.block), ErrTruncated)
	}
	s.block = s.block[n:]
	r.place = place
	if after := s.after(r); after > 0 {
		s.skip(after)
	}
	return r, nil
}

// size is the size of a record that is not whole.
func (s *source) size() int {
	if len(s.block) < headerSize {
		return headerSize
	}
	return int(s.u16(s.block[6:]))
}

// after returns how many bytes of data follow a record (perf.md 0.7).
func (s *source) after(r raw) int64 {
	switch {
	case r.kind == TracingData && len(r.body) >= 4:
		return (int64(s.u32(r.body)) + 7) &^ 7
	case r.kind == Auxtrace && len(r.body) >= 8:
		return int64(min(s.u64(r.body), 1<<62))
	}
	return 0
}

func (s *source) skip(n int64) {
	if n <= int64(len(s.block)) {
		s.block = s.block[n:]
		return
	}
	s.at += n - int64(len(s.block))
	s.block = nil
}

// fill reads more bytes of the file, and keeps those that were not passed.
func (s *source) fill() error {
	if s.at >= s.end {
		return nil
	}
	if s.buf == nil {
		s.buf = make([]byte, 2*blockSize)
	}
	left := copy(s.buf, s.block)
	n := int(min(int64(len(s.buf)-left), s.end-s.at))
	got, err := s.src.ReadAt(s.buf[left:left+n], s.at)
	s.at += int64(got)
	s.block = s.buf[:left+got]
	if got < n {
		s.end = s.at
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return nil
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
		s.innerBuf = make([]byte, 0, 2*blockSize)
	}
	s.unpacker.give(data)
	s.place, s.packs = r.place, true
	return nil
}

// unpack adds some data of the compressed record to inner, which is less than a record.
func (s *source) unpack() error {
	data, err := s.unpacker.more()
	if err != nil {
		s.packs = false
		return fmt.Errorf("compressed data: %w: %w", err, ErrCorrupt)
	}
	s.packs = data != nil
	s.innerBuf = append(append(s.innerBuf[:0], s.inner...), data...)
	s.inner = s.innerBuf
	return nil
}

func (s *source) close() {
	if s.unpacker != nil {
		s.unpacker.close()
	}
	s.block, s.buf, s.inner, s.innerBuf = nil, nil, nil, nil
}
