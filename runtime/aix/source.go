package aix

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/internal/pagecache"
	"github.com/tracec/tracec/runtime/record"
)

// source is a file, or a pipe that can only be read once from beginning to end.
type source struct {
	name string
	size int64 // -1 for a pipe
	r    io.ReaderAt
	file io.Closer // may be nil

	pipe *bufio.Reader
	at   int64 // offset in the pipe

	grow *growing.File // r and file of a followed recording, otherwise nil
}

// live reports whether more data may come, from a pipe or a followed file.
func (s *source) live() bool { return s.pipe != nil || s.grow != nil }

// openedSource takes ownership of a file. It must be a regular file that implements io.ReaderAt.
func openedSource(f fs.File, name string) (*source, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	src := &source{name: name, size: st.Size(), file: f}
	r, ok := f.(io.ReaderAt)
	if !ok || !st.Mode().IsRegular() {
		return nil, src.fail(0, "a regular file", ErrFormat)
	}
	src.r = pagecache.Reader(r)
	return src, nil
}

// errPipe is the error of reading a pipe again.
var errPipe = errors.New("the recording came through a pipe and has been read")

// read fills p from off on, or with the available bytes of a pipe, at least one. If a file has less
// than p, read returns io.EOF or the error of the system. From a followed file, read also returns
// the available bytes. record.ErrPending means that there are none yet.
func (s *source) read(p []byte, off int64) (int, error) {
	if s.grow != nil && len(p) > 0 {
		have, err := s.grow.More(off)
		if err != nil {
			return 0, err
		}
		p = p[:min(int64(len(p)), have)]
	}
	if s.pipe == nil {
		if s.r == nil {
			return 0, os.ErrClosed
		}
		n, err := s.r.ReadAt(p, off)
		if n == len(p) {
			err = nil
		}
		return n, err
	}
	if len(p) == 0 {
		return 0, nil
	}
	if off < s.at {
		return 0, errPipe
	}
	if off > s.at {
		n, err := s.pipe.Discard(int(off - s.at))
		s.at += int64(n)
		if err != nil {
			return 0, err
		}
	}
	n, err := io.ReadAtLeast(s.pipe, p, 1) // the available bytes: a live trace is read as it arrives
	s.at += int64(n)
	return n, err
}

// await waits for the first bytes of a pipe. It returns when enough accepts them, when there are n,
// or when the pipe ends.
func (s *source) await(n int, enough func([]byte) bool) error {
	for have := 0; have < n; have = s.pipe.Buffered() {
		_, err := s.pipe.Peek(have + 1)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if b, _ := s.pipe.Peek(s.pipe.Buffered()); enough(b) {
			return nil
		}
	}
	return nil
}

// head returns the first n bytes, or all bytes if there are fewer.
func (s *source) head(n int) ([]byte, error) {
	if s.pipe != nil {
		b, err := s.pipe.Peek(min(n, s.pipe.Buffered())) // no more than await has waited for
		if errors.Is(err, io.EOF) || errors.Is(err, bufio.ErrBufferFull) {
			err = nil
		}
		return b, err
	}
	b := make([]byte, n)
	if s.size >= 0 {
		b = b[:min(int64(n), s.size)]
	}
	got, err := s.read(b, 0)
	if errors.Is(err, record.ErrPending) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return b[:got], err
}

func (s *source) Close() error {
	file := s.file
	s.r, s.pipe, s.grow, s.file = nil, nil, nil, nil // later reads find that it is closed
	if file == nil {
		return nil
	}
	return file.Close()
}

// fail makes the error for damage at off.
func (s *source) fail(off int64, want string, err error) *Damage {
	return &Damage{File: s.name, Offset: off, Want: want, Err: err}
}
