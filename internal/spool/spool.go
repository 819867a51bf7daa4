// Package spool copies data that can be read only once, such as a pipe or an unpacked archive, to
// temporary files. They disappear with the process, even if it is killed.
package spool

import (
	"errors"
	"io"
	"os"
	"sync"
)

// File is a temporary file. It is unnamed if the system supports that.
type File struct {
	*os.File
	name string // name of a file that cannot be removed while it is open
}

// New creates a file in dir; "" is os.TempDir.
func New(dir string) (*File, error) {
	if dir == "" {
		dir = os.TempDir()
	}
	if f, err := openUnnamed(dir); err == nil {
		return &File{File: f}, nil
	}
	f, err := os.CreateTemp(dir, "tracec-*")
	if err != nil {
		return nil, err
	}
	if os.Remove(f.Name()) == nil {
		return &File{File: f}, nil
	}
	named.Lock() // Windows does not remove open files
	defer named.Unlock()
	s := &File{File: f, name: f.Name()}
	named.files[s] = true
	return s, nil
}

// Regular returns the file and size of a reader if it need not be copied: it must be a regular file
// at its begin, such as redirected standard input.
func Regular(r io.Reader) (f *os.File, size int64, ok bool) {
	f, ok = r.(*os.File)
	if !ok {
		return nil, 0, false
	}
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() {
		return nil, 0, false
	}
	if at, err := f.Seek(0, io.SeekCurrent); err != nil || at != 0 {
		return nil, 0, false
	}
	return f, st.Size(), true
}

// Close closes and deletes the file.
func (f *File) Close() error {
	err := f.File.Close()
	if f.name == "" {
		return err
	}
	named.Lock()
	defer named.Unlock()
	if !named.files[f] {
		return err
	}
	delete(named.files, f)
	return errors.Join(err, os.Remove(f.name))
}

// named holds the open files that have a name.
var named = struct {
	sync.Mutex
	files map[*File]bool
}{files: map[*File]bool{}}

// CloseAll closes and deletes the named files. It is for a process that ends before their users
// have closed them.
func CloseAll() {
	named.Lock()
	files := make([]*File, 0, len(named.files))
	for f := range named.files {
		files = append(files, f)
	}
	named.Unlock()
	for _, f := range files {
		f.Close() // an error can no longer be reported
	}
}

// A Bound ends the copying of a recording at its end according to its own sizes. Gigabytes of data
// after it are not copied.
type Bound struct {
	// Extent returns the end of a recording with size bytes copied so far. It returns false if the
	// end is unknown or later.
	Extent func(r io.ReaderAt, size int64) (end int64, ok bool)
	next   int64
}

// Slack is the amount of data after a recording that is copied anyway, since determining the end
// takes time.
const Slack = 64 << 20

// Reached reports whether f holds a whole recording and more than Slack after it, and returns the
// end of the recording. It calls Extent whenever size has doubled.
func (b *Bound) Reached(f *File, size int64) (end int64, ok bool) {
	if b.Extent == nil || size < max(b.next, Slack) {
		return 0, false
	}
	b.next = 2 * size
	if end, ok = b.Extent(f, size); ok && size-end < Slack {
		b.next = end + Slack
		return 0, false
	}
	return end, ok
}
