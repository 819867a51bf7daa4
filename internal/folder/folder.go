// Package folder opens directories with unknown content.
//
// A pipe can take for ever to open, a device to read, and the files by which a kernel answers call
// themselves regular: to read trace_pipe of tracefs waits for events, and takes them away from
// whoever traces.
package folder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrSpecial reports what is not opened: no regular file, or one by which the kernel answers.
var ErrSpecial = errors.New("not an ordinary file")

// Dir is a directory of the system, as os.DirFS has it, of which only regular files and directories
// are opened. Those of a kernel's file system, such as tracefs, are opened when the directory
// itself is of it: then somebody has named it.
type Dir struct {
	path   string
	of     device // the file system of the directory that was opened first
	known  bool   // of is known
	kernel string // its name, when the kernel itself answers there
}

// Open returns the directory of that path, which need not be there yet.
func Open(path string) *Dir {
	d := &Dir{path: path}
	if st, err := os.Stat(path); err == nil {
		d.of, d.known = deviceOf(st)
		d.kernel = KernelAt(path)
	}
	return d
}

// Kernel returns the name of the file system by which the kernel answers, such as "tracefs", when a
// directory is of one; empty for others.
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

// Open implements fs.FS. The error is ErrSpecial for what is not opened.
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
	if st, err = f.Stat(); err == nil && !st.IsDir() && !st.Mode().IsRegular() { // it has taken the place of what was there
		err = &fs.PathError{Op: "open", Path: name, Err: special(st.Mode())}
	}
	if err != nil {
		return nil, errors.Join(named(err, name), f.Close())
	}
	return f, nil
}

// allows reports why something is not opened.
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

// named has an error call a file by its name in the directory.
func named(err error, name string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		p.Path = name
	}
	return err
}
