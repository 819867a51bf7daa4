// Package folder opens directories with unknown content.
//
// Opening a pipe or reading a device can block for ever. Files of a kernel's file system look like
// regular files. But reading trace_pipe of tracefs waits for events, and removes them for other
// readers.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrSpecial is the error for files that are not opened: irregular files, and files of a kernel's
// file system.
var ErrSpecial = errors.New("not an ordinary file")

// A Dir is a directory of the system, like os.DirFS, that opens only regular files and directories.
// It opens files of a kernel's file system, such as tracefs, only if the directory itself is in it,
// since then the user has named it.
type Dir struct {
	path   string
	of     device // file system of the first opened directory
	known  bool   // of is known
	kernel string // its name if it is a kernel's file system
}

// Open returns the directory of that path, which need not exist yet.
func Open(path string) *Dir {
	d := &Dir{path: path}
	if st, err := os.Stat(path); err == nil {
		d.of, d.known = deviceOf(st)
		d.kernel = KernelAt(path)
	}
	return d
}

// Kernel returns the name of the kernel's file system that a directory is in, such as "tracefs", or
// an empty string.
func Kernel(dir fs.FS) string {
	if d, ok := dir.(*Dir); ok {
		return d.kernel
	}
	return ""
}

// full returns the path of a name.
func (d *Dir) full(op, name string) (string, error) {
	if !fs.ValidPath(name) {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	local, err := filepath.Localize(name)
	if err != nil {
		return "", &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return filepath.Join(d.path, local), nil
}

// Open implements fs.FS. The error is ErrSpecial for files that are not opened.
func (d *Dir) Open(name string) (fs.File, error) {
	full, err := d.full("open", name)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(full)
	if err != nil {
		return nil, named(err, name)
	}
	if err := d.allows(full, st); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := os.OpenFile(full, os.O_RDONLY|nonblocking, 0)
	if err != nil {
		return nil, named(err, name)
	}
	if st, err = f.Stat(); err == nil && !st.IsDir() && !st.Mode().IsRegular() { // the file was replaced in between
		err = &fs.PathError{Op: "open", Path: name, Err: special(st.Mode())}
	}
	if err != nil {
		return nil, errors.Join(named(err, name), f.Close())
	}
	return f, nil
}

// allows returns the reason for not opening a file, or nil.
func (d *Dir) allows(full string, st fs.FileInfo) error {
	if !st.IsDir() && !st.Mode().IsRegular() {
		return special(st.Mode())
	}
	if of, ok := deviceOf(st); !ok || d.known && of == d.of {
		return nil
	}
	if kernel := KernelAt(full); kernel != "" && kernel != d.kernel {
		return fmt.Errorf("%w: it is the kernel's (%s)", ErrSpecial, kernel)
	}
	return nil
}

func special(mode fs.FileMode) error { return fmt.Errorf("%w: %s", ErrSpecial, mode.Type()) }

// Stat implements fs.StatFS.
func (d *Dir) Stat(name string) (fs.FileInfo, error) {
	full, err := d.full("stat", name)
	if err != nil {
		return nil, err
	}
	st, err := os.Stat(full)
	return st, named(err, name)
}

// Sub implements fs.SubFS.
func (d *Dir) Sub(name string) (fs.FS, error) {
	full, err := d.full("sub", name)
	if err != nil {
		return nil, err
	}
	sub := *d
	sub.path = full
	return &sub, nil
}

// named replaces the name in an error by the file's name in the directory.
func named(err error, name string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Path = name
	}
	return err
}
