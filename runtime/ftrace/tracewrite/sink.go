package tracewrite

import (
	"bufio"
	"io"
)

// A sink writes in the file's byte order and counts the offset. The first error sticks.
type sink struct {
	file  io.WriteSeeker
	buf   *bufio.Writer
	order ByteOrder
	pos   int64
	err   error
	small [8]byte
}

func newSink(w io.WriteSeeker, o ByteOrder) *sink {
	return &sink{file: w, buf: bufio.NewWriterSize(w, 64<<10), order: o}
}

func (s *sink) bytes(b []byte) {
	if s.err != nil {
		return
	}
	n, err := s.buf.Write(b)
	s.pos += int64(n)
	s.err = err
}

func (s *sink) str(t string) { s.bytes([]byte(t)) }
func (s *sink) u16(v uint16) { s.bytes(s.order.AppendUint16(s.small[:0], v)) }
func (s *sink) u32(v uint32) { s.bytes(s.order.AppendUint32(s.small[:0], v)) }
func (s *sink) u64(v uint64) { s.bytes(s.order.AppendUint64(s.small[:0], v)) }

var zeros [4096]byte

// zero writes n zero bytes.
func (s *sink) zero(n int64) {
	for ; n > 0 && s.err == nil; n -= int64(len(zeros)) {
		s.bytes(zeros[:min(n, int64(len(zeros)))])
	}
}

// align fills up to a multiple of n.
func (s *sink) align(n int) {
	if rest := s.pos % int64(n); rest > 0 {
		s.zero(int64(n) - rest)
	}
}

// patch overwrites earlier bytes.
func (s *sink) patch(at int64, b []byte) {
	if s.err != nil {
		return
	}
	if s.err = s.buf.Flush(); s.err != nil {
		return
	}
	if _, s.err = s.file.Seek(at, io.SeekStart); s.err != nil {
		return
	}
	if _, s.err = s.file.Write(b); s.err != nil {
		return
	}
	_, s.err = s.file.Seek(s.pos, io.SeekStart)
}

func (s *sink) patch64(at int64, v uint64) { s.patch(at, s.order.AppendUint64(s.small[:0], v)) }

func (s *sink) flush() {
	if s.err == nil {
		s.err = s.buf.Flush()
	}
}
