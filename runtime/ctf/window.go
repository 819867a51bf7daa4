package ctf

import (
	"errors"
	"io"
)

const (
	windowBytes = 64 << 10 // read at once; a larger packet header or event needs more
	headBytes   = 1 << 10  // bytes of a packet that are in memory when its header is read
	beyondBytes = 4 << 10  // read at once where a part has probably ended
)

// errWait reports that the batch must end, because its records are in the window that will be
// replaced.
var errWait = errors.New("another window is needed")

// window is the part of a file that is in memory.
type window struct {
	src  io.ReaderAt
	size int64 // of the file, as far as it is known
	buf  []byte
	at   int64 // offset of buf in the file
	// most is the number of bytes that are read at once.
	most int
}

// show gives the machine a part of the packet from bit from on, a multiple of 8. It has at least
// least bytes, unless the packet ends before. to is the end of the packet.
func (s *Stream) show(from uint64, least int, to uint64) error {
	off, all := s.pk.offset+int64(from/8), (to+7)/8-from/8
	need := min(uint64(least), all)
	have := s.win.at + int64(len(s.win.buf)) - off
	if off < s.win.at || have < int64(need) {
		if len(s.made.records) > 0 {
			return errWait
		}
		if err := s.fetch(off, need); err != nil {
			return err
		}
	}
	b := s.win.buf[off-s.win.at:]
	s.m.data, s.m.base = b[:min(uint64(len(b)), all)], from
	s.m.end = min(from+uint64(len(s.m.data))*8, to)
	return nil
}

// fetch reads a window of at least need bytes.
func (s *Stream) fetch(off int64, need uint64) error {
	most := s.win.most
	if s.part != nil {
		most = int(s.part.Reach(off, int64(most), beyondBytes))
	}
	size := int(min(max(need, uint64(most)), uint64(s.win.size-off)))
	if cap(s.win.buf) < size {
		if err := s.held.lease.Swap(int64(cap(s.win.buf)), int64(size)); err != nil {
			return err
		}
		s.win.buf = make([]byte, size)
	}
	s.win.buf, s.win.at = s.win.buf[:size], off
	s.held.share.Reach(off)
	n, err := s.win.src.ReadAt(s.win.buf, off)
	if n == size {
		return nil
	}
	s.win.buf = s.win.buf[:0]
	if errors.Is(err, io.EOF) {
		err = ErrTruncated
	}
	s.gone = true // the file has changed
	return err
}
