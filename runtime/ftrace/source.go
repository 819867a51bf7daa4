package ftrace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/tracec/tracec/runtime/internal/pagecache"
)

// A source is a file or an unpacked section: bytes at offsets.
type source struct {
	name string
	size int64
	data []byte      // all bytes, if it is in memory
	r    io.ReaderAt // set if data is nil
	file *os.File    // the file of r; may be nil
	open io.Closer   // closed instead of file; may be nil
	// base is the offset to report for an unpacked section: the place of the section in its file.
	base   int64
	packed bool
	part   bool // it is a part of a file: its end is not the end of the file
}

func memorySource(name string, data []byte) *source {
	return &source{name: name, data: data, size: int64(len(data))}
}

// fileSource takes over f.
func fileSource(f *os.File, name string) (*source, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &source{name: name, size: st.Size(), r: pagecache.Reader(f), file: f}, nil
}

// openedSource takes over a file of a file system, which must be an io.ReaderAt.
func openedSource(f fs.File, name string) (*source, error) {
	if file, ok := f.(*os.File); ok {
		return fileSource(file, name)
	}
	r, ok := f.(io.ReaderAt)
	if !ok {
		return nil, fmt.Errorf("%w: files that do not implement io.ReaderAt", ErrUnsupported)
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &source{name: name, size: st.Size(), r: r, open: f}, nil
}

func (s *source) Close() error {
	s.data = nil
	switch {
	case s.open != nil:
		return s.open.Close()
	case s.file != nil:
		return s.file.Close()
	}
	return nil
}

// view returns the n bytes at off, which must lie inside. The result is a part of the data in
// memory, or buf with the bytes read. buf may be too small or nil.
func (s *source) view(off, n int64, buf []byte) ([]byte, error) {
	if off < 0 || n < 0 || n > s.size-off {
		return nil, ErrTruncated
	}
	if s.data != nil {
		return s.data[off : off+n : off+n], nil
	}
	if s.r == nil {
		return nil, os.ErrClosed
	}
	if int64(cap(buf)) < n {
		buf = make([]byte, n)
	}
	buf = buf[:n]
	if _, err := s.r.ReadAt(buf, off); err != nil && !(errors.Is(err, io.EOF) && n == 0) {
		if errors.Is(err, io.EOF) {
			err = ErrTruncated // the file was longer when it was opened
		}
		return nil, err
	}
	return buf, nil
}

// ReadAt implements io.ReaderAt.
func (s *source) ReadAt(p []byte, off int64) (int, error) {
	n := min(int64(len(p)), s.size-off)
	b, err := s.view(off, n, p)
	if err == nil && n < int64(len(p)) {
		err = io.EOF
	}
	return copy(p, b), err
}

// at returns the offset for messages.
func (s *source) at(off int64) int64 {
	if s.packed {
		return s.base
	}
	return s.base + off
}

// fail returns the damage for an error at off.
func (s *source) fail(off int64, want string, err error) *Damage {
	if s.packed {
		want += " in the unpacked section"
	}
	return &Damage{File: s.name, Offset: s.at(off), Want: want, Err: err}
}
