package uftrace

import (
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/internal/growing"
	"github.com/tracec/tracec/runtime/internal/progress"
)

// file is an open file of the recording. A recording of thousands of threads has more files than a
// process may open. Each of them is then opened for one block and closed again.
type file struct {
	r         *Recording
	name      string
	handle    fs.File
	transient bool
	shared    bool // all slices share the handle
	closed    bool
	pos       int64 // position of a handle without ReadAt
	share     progress.Share
	follows   bool
	grow      *growing.File // of a followed file, after the first read
}

func (r *Recording) openFile(name string, transient bool) *file {
	return &file{r: r, name: name, transient: transient}
}

// openPart is openFile for a slice of a file. files is the number of files that are read at a time.
// Their sizes already count as progress.
func (r *Recording) openPart(name string, files int) *file {
	f := r.openFile(name, files > manyFiles)
	f.share, f.shared = r.read.Part(), len(r.threads.list) <= manyFiles
	return f
}

// handleOf returns the handle that slices of a file share. There are many slices, and several are
// read at a time.
func (r *Recording) handleOf(name string) (fs.File, error) {
	r.opened.mu.Lock()
	defer r.opened.mu.Unlock()
	if h := r.opened.handles[name]; h != nil {
		return h, nil
	}
	if r.opened.closed {
		return nil, fs.ErrClosed
	}
	h, _, err := openRegular(r.dir, name)
	if err == nil {
		if r.opened.handles == nil {
			r.opened.handles = map[string]fs.File{}
		}
		r.opened.handles[name] = h
	}
	return h, err
}

// sizeOf returns the size of a file in bytes, or 0 if it is unknown.
func (r *Recording) sizeOf(name string) int64 {
	st, err := fs.Stat(r.dir, name)
	if err != nil {
		return 0
	}
	return st.Size()
}

// openStream is openFile for a file that counts as progress.
func (r *Recording) openStream(name string, transient bool) *file {
	f := r.openFile(name, transient)
	if f.follows = r.watch != nil; f.follows {
		f.share = r.read.Share(-1)
		return f
	}
	if st, err := fs.Stat(r.dir, name); err == nil {
		f.share = r.read.Share(st.Size())
	}
	return f
}

// readAt reads as ReadAt does. Files of an archive can only be read sequentially. From a followed
// file it reads the available bytes. record.ErrPending means that there are none yet.
func (f *file) readAt(p []byte, off int64) (n int, err error) {
	defer func() { f.share.Reach(off + int64(n)) }()
	if f.closed {
		return 0, fs.ErrClosed
	}
	if f.follows {
		return f.readOn(p, off, 1)
	}
	if f.handle == nil {
		if err := f.open(); err != nil {
			return 0, err
		}
	}
	at, ok := f.handle.(io.ReaderAt)
	if ok {
		n, err := at.ReadAt(p, off)
		if f.transient {
			f.release()
		}
		return n, err
	}
	if f.pos > off {
		f.release()
		return f.readAt(p, off)
	}
	if f.pos < off {
		n, err := io.CopyN(io.Discard, f.handle, off-f.pos)
		if f.pos += n; err != nil {
			return 0, err
		}
	}
	n, err = io.ReadFull(f.handle, p)
	f.pos += int64(n)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	return n, err
}

// open opens the file.
func (f *file) open() (err error) {
	if f.shared {
		f.handle, err = f.r.handleOf(f.name)
		return err
	}
	f.r.opened.mu.Lock()
	defer f.r.opened.mu.Unlock()
	if f.r.opened.closed {
		return fs.ErrClosed
	}
	if f.handle, _, err = openRegular(f.r.dir, f.name); err != nil {
		return err
	}
	f.pos = 0
	f.r.opened.files[f] = true
	return nil
}

func (o *openFiles) isClosed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.closed
}

// release closes the handle; a later readAt opens it again.
func (f *file) release() {
	if f.shared {
		f.handle = nil
		return
	}
	f.r.opened.mu.Lock()
	defer f.r.opened.mu.Unlock()
	if f.grow != nil {
		f.grow.Close()
		f.grow = nil
		delete(f.r.opened.files, f)
	}
	if f.handle != nil {
		f.handle.Close()
		f.handle = nil
		delete(f.r.opened.files, f)
	}
}

func (f *file) close() {
	f.release()
	f.closed = true
	f.share.End()
}

// tidOf returns the thread id of a file of records, or -1 for any other file.
func tidOf(name string) int32 {
	num, ok := strings.CutSuffix(name, ".dat")
	if !ok {
		return -1
	}
	tid, err := strconv.ParseInt(num, 10, 32)
	if err != nil || tid < 0 || recordFile(int32(tid)) != name {
		return -1
	}
	return int32(tid)
}

func recordFile(tid int32) string { return strconv.Itoa(int(tid)) + ".dat" }
