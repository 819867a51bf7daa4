// Package spool keeps what can be read only once, such as a pipe or what an archive unpacks to, in temporary files that vanish
// with the process, however that ends.
package spool

import (
	"errors"
	"os"
	"sync"
)

// File is a temporary file. Where the system allows it, it has no name.
type File struct {
	*os.File
	name string // of a file that could not be removed while it is open
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

// Close closes the file, which is gone then.
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

// named are the open files that have a name.
var named = struct {
	sync.Mutex
	files map[*File]bool
}{files: map[*File]bool{}}

// CloseAll closes the files that would stay. It is for the end of a process that cannot wait until their users have closed them.
func CloseAll() {
	named.Lock()
	files := make([]*File, 0, len(named.files))
	for f := range named.files {
		files = append(files, f)
	}
	named.Unlock()
	for _, f := range files {
		f.Close() // no one is left to report an error to
	}
}
