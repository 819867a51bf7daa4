package lttng

import (
	"bytes"
	"container/list"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"github.com/tracec/tracec/runtime/internal/pagecache"
)

// maxOpen is the number of files that a recording keeps open while they are not being read. A set
// of traces has tens of thousands of files, and systems let a process open a thousand.
const maxOpen = 256

// handles are the files of a recording. The most recently read ones are open. It is safe for
// concurrent use.
type handles struct {
	dir fs.FS

	mu     sync.Mutex
	open   list.List // of *handle, the most recently read one first
	closed bool
}

// handle is a file that one stream reads, or the streams of several slices. It is opened when it is
// read. If it was closed to open others, it is opened again.
type handle struct {
	all  *handles
	name string

	src  sourceFile // must not change while the handle is busy
	size int64
	at   *list.Element // in open
	busy int           // number of current reads
}

// open opens the file and returns its size.
func (h *handle) open() (int64, error) {
	if err := h.take(); err != nil {
		return 0, err
	}
	defer h.give()
	return h.size, nil
}

// ReadAt reads as io.ReaderAt does.
func (h *handle) ReadAt(b []byte, off int64) (int, error) {
	if err := h.take(); err != nil {
		return 0, err
	}
	defer h.give()
	return h.src.ReadAt(b, off)
}

// take opens the file if necessary, and keeps it open until give.
func (h *handle) take() error {
	a := h.all
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return fs.ErrClosed
	case h.at != nil:
		a.open.MoveToFront(h.at)
		h.busy++
		return nil
	}
	src, size, err := openFile(a.dir, h.name)
	if err != nil {
		return err
	}
	h.src, h.size = src, size
	h.busy++
	h.at = a.open.PushFront(h)
	for e := a.open.Back(); e != nil && a.open.Len() > maxOpen; {
		x := e.Value.(*handle)
		if e = e.Prev(); x.busy == 0 {
			x.release()
		}
	}
	return nil
}

// give marks the file as unused.
func (h *handle) give() {
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	if h.busy--; h.busy == 0 && h.all.closed {
		h.release()
	}
}

// release closes an open file. The lock must be held.
func (h *handle) release() error {
	h.all.open.Remove(h.at)
	src := h.src
	h.at, h.src = nil, nil
	return src.Close()
}

// close closes the file if it is open.
func (h *handle) close() {
	h.all.mu.Lock()
	defer h.all.mu.Unlock()
	if h.at != nil {
		h.release()
	}
}

// close closes all files. Files in use are closed after their use.
func (a *handles) close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	var errs []error
	for e := a.open.Front(); e != nil; {
		x := e.Value.(*handle)
		if e = e.Next(); x.busy == 0 {
			errs = append(errs, x.release())
		}
	}
	return errors.Join(errs...)
}

// sourceFile is an open file.
type sourceFile interface {
	io.ReaderAt
	io.Closer
}

// openFile opens a file and returns its size. Pipes and devices are errors: opening a pipe could
// block for ever, and a device might have no end.
func openFile(dir fs.FS, name string) (sourceFile, int64, error) {
	st, err := fs.Stat(dir, name)
	if err != nil {
		return nil, 0, err
	}
	if !st.Mode().IsRegular() {
		return nil, 0, errNotRegular(st.Mode())
	}
	f, err := dir.Open(name)
	if err != nil {
		return nil, 0, err
	}
	if s, ok := pagecache.File(f).(sourceFile); ok {
		return s, st.Size(), nil
	}
	all, err := io.ReadAll(f)
	return inMemory{bytes.NewReader(all)}, int64(len(all)), errors.Join(err, f.Close())
}

// seekable reports whether the file, and therefore similar ones, can be read from any place without
// reading all of it.
func (h *handle) seekable() bool {
	if h.take() != nil {
		return true // its stream will report it
	}
	defer h.give()
	_, read := h.src.(inMemory)
	return !read
}

// shared is a handle of several streams. None of them closes it.
type shared struct{ *handle }

func (shared) close() {}

// errNotRegular reports the kind of a directory entry that is not a regular file.
func errNotRegular(mode fs.FileMode) error {
	what := "something else"
	switch {
	case mode.IsDir():
		what = "a directory"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	}
	return fmt.Errorf("%s instead of a file: %w", what, ErrFormat)
}

// inMemory is a file of a file system without ReadAt, read into memory.
type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }
