package hostile

import (
	"errors"
	"io"
	"io/fs"
)

// ErrCall is the error of the call that FailAt selects.
var ErrCall = errors.New("the call that fails")

// Failing is a file system in which one call fails. Calls open or stat a file, list a directory, or
// read.
type Failing struct {
	dir   fs.FS
	n     int
	short bool
	calls int
	what  string
}

// FailAt makes call n fail, counted from 0. If short is set, a read that fails returns half of the
// bytes, otherwise none.
func FailAt(dir fs.FS, n int, short bool) *Failing { return &Failing{dir: dir, n: n, short: short} }

// Failed describes the call that failed. It returns false if there were fewer calls.
func (f *Failing) Failed() (what string, ok bool) { return f.what, f.what != "" }

func (f *Failing) call(what, name string) error {
	f.calls++
	if f.calls-1 != f.n {
		return nil
	}
	f.what = what + " " + name
	return &fs.PathError{Op: what, Path: name, Err: ErrCall}
}

// Open implements fs.FS.
func (f *Failing) Open(name string) (fs.File, error) {
	if err := f.call("open", name); err != nil {
		return nil, err
	}
	x, err := f.dir.Open(name)
	if err != nil {
		return nil, err
	}
	switch y := x.(type) {
	case fs.ReadDirFile:
		return x, nil
	case io.ReaderAt:
		return failingAt{failingFile{x, f, name}, y}, nil
	}
	return failingFile{x, f, name}, nil
}

// Stat implements fs.StatFS.
func (f *Failing) Stat(name string) (fs.FileInfo, error) {
	if err := f.call("stat", name); err != nil {
		return nil, err
	}
	return fs.Stat(f.dir, name)
}

// ReadDir implements fs.ReadDirFS. If it fails, it returns half of the entries, as a system may.
func (f *Failing) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(f.dir, name)
	if fails := f.call("readdir", name); fails != nil {
		return list[:len(list)/2], fails
	}
	return list, err
}

type failingFile struct {
	fs.File
	f    *Failing
	name string
}

func (x failingFile) Read(b []byte) (int, error) {
	if err := x.f.call("read", x.name); err != nil {
		if x.f.short {
			n, _ := x.File.Read(b[:len(b)/2])
			return n, err
		}
		return 0, err
	}
	return x.File.Read(b)
}

type failingAt struct {
	failingFile
	at io.ReaderAt
}

func (x failingAt) ReadAt(b []byte, off int64) (int, error) {
	if err := x.f.call("read", x.name); err != nil {
		if x.f.short {
			n, _ := x.at.ReadAt(b[:len(b)/2], off)
			return n, err
		}
		return 0, err
	}
	return x.at.ReadAt(b, off)
}
