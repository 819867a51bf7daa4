package growing

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/tracec/tracec/runtime/record"
)

// A File is a file that grows. Any goroutine may use it.
type File struct {
	mu       sync.Mutex
	watch    *Watch
	dir      fs.FS
	path     string // in dir
	name     string // for messages
	restarts bool

	file   fs.File
	r      io.ReaderAt
	opened fs.FileInfo // nil if the system cannot identify files
	size   int64       // last size seen
	seen   time.Time
	mark   []byte // the bytes before offset marked, as first read
	marked int64
	final  bool // size is final
	gone   bool // the file now contains another recording
}

// markSize is the number of bytes compared to detect that a file was truncated since the last look,
// and has grown again beyond the data that were read.
const markSize = 64

// Open opens a file of a directory. It must be a regular file that implements io.ReaderAt. name is
// for messages. If restarts is set, the file restarts at its beginning after it was truncated, or
// replaced by another of its name. Otherwise this ends the recording.
func (w *Watch) Open(dir fs.FS, path, name string, restarts bool) (*File, error) {
	f := &File{watch: w, dir: dir, path: path, name: name, restarts: restarts}
	if err := f.open(); err != nil {
		return nil, err
	}
	return f, nil
}

// open opens the file that now has the name.
func (f *File) open() error {
	st, err := fs.Stat(f.dir, f.path)
	if err != nil {
		return err
	}
	if !st.Mode().IsRegular() { // opening a pipe could block for ever
		return fmt.Errorf("%s: only regular files can be followed: %w", f.name, errors.ErrUnsupported)
	}
	file, err := f.dir.Open(f.path)
	if err != nil {
		return err
	}
	if st, err = file.Stat(); err != nil {
		return errors.Join(err, file.Close())
	}
	r, ok := file.(io.ReaderAt)
	if !ok {
		return errors.Join(fmt.Errorf("%s: %w", f.name, errors.ErrUnsupported), file.Close())
	}
	f.file, f.r, f.opened = file, r, nil
	if os.SameFile(st, st) {
		f.opened = st
	}
	f.seen = time.Now()
	f.forget()
	return nil
}

// forget resets the state to the beginning of the file.
func (f *File) forget() { f.size, f.mark, f.marked = 0, nil, 0 }

// Name returns the name for messages.
func (f *File) Name() string { return f.name }

// Seen returns the time when the file was last seen to have grown. All data that More has returned
// had been written by then.
func (f *File) Seen() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

// More returns the number of bytes that can be read from off on, at least one. The error is
// record.ErrPending if there are none yet, and the error of [Watch.End] if there will be none. It
// is record.ErrRestarted if the file begins again at 0. Other errors come from the system.
func (f *File) More(off int64) (int64, error) { return f.Need(off, 1) }

// Need is like More for at least n bytes. If there are fewer, it returns their number and the
// error.
func (f *File) Need(off, n int64) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.size-off < n && !f.final {
		if err := f.look(off); err != nil {
			return 0, err
		}
	}
	have := max(0, f.size-off)
	switch {
	case f.gone:
		return 0, f.watch.End()
	case have >= n:
		return have, nil
	case f.final:
		return have, f.watch.End()
	}
	return have, record.ErrPending
}

// look checks the file for new data. All data before off have been read.
func (f *File) look(off int64) error {
	ended := f.watch.Ended() // read before the size, so that the size is final
	st, err := f.file.Stat()
	if err != nil {
		return err
	}
	size, before := st.Size(), f.size
	switch {
	case size < off:
		return f.anew(fmt.Errorf("%s: truncated from %d to %d bytes", f.name, f.size, size))
	case !f.same():
		return f.anew(fmt.Errorf("%s: truncated and written again", f.name))
	}
	f.note(off)
	f.size = size
	switch {
	case size != before:
		f.seen = time.Now()
		f.watch.grown.Add(1)
		f.final = ended
	case ended:
		f.final = true
	case f.renamed():
		return f.leave()
	}
	return nil
}

// note keeps the last bytes that were read, once for each offset.
func (f *File) note(off int64) {
	if off == f.marked {
		return
	}
	b := make([]byte, min(off, markSize))
	n, _ := f.r.ReadAt(b, off-int64(len(b)))
	if f.mark, f.marked = b, off; n < len(b) { // the reader of the data will report the error
		f.mark = nil
	}
}

// same reports whether the noted bytes are unchanged.
func (f *File) same() bool {
	if len(f.mark) == 0 {
		return true
	}
	b := make([]byte, len(f.mark))
	n, err := f.r.ReadAt(b, f.marked-int64(len(b)))
	return err != nil && n < len(b) || bytes.Equal(b, f.mark)
}

// renamed reports whether another file has the name and is not empty. Log rotation creates the new
// file before the writer switches to it.
func (f *File) renamed() bool {
	if f.opened == nil {
		return false
	}
	st, err := fs.Stat(f.dir, f.path)
	return err == nil && st.Mode().IsRegular() && st.Size() > 0 && !os.SameFile(st, f.opened)
}

// leave switches to the new file, unless the old one has grown meanwhile.
func (f *File) leave() error {
	st, err := f.file.Stat()
	if err != nil || st.Size() != f.size {
		return err
	}
	if !f.restarts {
		f.final = true
		f.watch.Replace(fmt.Errorf("%s: renamed: %w", f.name, record.ErrReplaced))
		return nil
	}
	old := f.file
	if err := f.open(); err != nil {
		f.file = old
		return err
	}
	old.Close()
	return f.restart(fmt.Errorf("%s: renamed", f.name))
}

// anew handles a file whose contents were replaced.
func (f *File) anew(why error) error {
	if !f.restarts {
		f.gone, f.final = true, true
		f.watch.Replace(fmt.Errorf("%w: %w", why, record.ErrReplaced))
		return nil
	}
	f.forget()
	return f.restart(why)
}

func (f *File) restart(why error) error {
	f.watch.grown.Add(1)
	f.watch.Notify(fmt.Errorf("%w: %w", why, record.ErrRestarted))
	return record.ErrRestarted
}

// ReadAt reads bytes that More has reported. It implements io.ReaderAt.
func (f *File) ReadAt(p []byte, off int64) (int, error) { return f.r.ReadAt(p, off) }

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }
