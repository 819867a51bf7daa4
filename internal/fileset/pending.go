package fileset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// A Pending is a file that is written piece by piece. An existing file is unchanged until Commit.
type Pending struct {
	name, temporary string   // temporary is empty if the file is written directly: a device, or a new file
	unnamed         *os.File // the file, if Commit names it
	kept            func()   // cancels Temporary
	file            file
	created         bool
	written         int64
	err             error // error of a Write or Seek
	system          system
}

// Create begins to write a file. A new file can be read while it grows. Create follows symbolic
// links, and writes directly to devices and pipes.
func Create(name string) (*Pending, error) { return create(name, true, system{}) }

// Stage begins to write a file, as Create does, but a new file does not exist until Commit.
func Stage(name string) (*Pending, error) { return create(name, false, system{}) }

func create(name string, grows bool, sys system) (*Pending, error) {
	sys.init()
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target
	}
	p := &Pending{name: name, system: sys}
	st, err := os.Stat(name)
	isNew := errors.Is(err, fs.ErrNotExist)
	switch {
	case isNew && grows:
		f, err := sys.open(name)
		if err != nil {
			return nil, rename(err, name)
		}
		p.file, p.created = f, true
		return p, nil
	case isNew:
	case err != nil:
		return nil, err
	case st.IsDir():
		return nil, fmt.Errorf("%s: is a directory", name)
	case !st.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		p.file = f
		return p, nil
	}
	if err := p.open(); err != nil {
		return nil, rename(err, name)
	}
	if isNew {
		return p, nil
	}
	if err := p.file.Chmod(st.Mode().Perm()); err != nil {
		p.Discard()
		return nil, rename(err, name)
	}
	return p, nil
}

// open opens the file that Commit will name: an unnamed file, if the system supports that.
func (p *Pending) open() (err error) {
	if p.unnamed, err = p.system.unnamed(filepath.Dir(p.name)); err == nil {
		p.file = p.unnamed
		return nil
	}
	p.temporary, err = beside(p.name, func(other string) (err error) {
		p.file, err = p.system.open(other)
		return err
	})
	if err == nil {
		p.kept = Temporary(p.temporary)
	}
	return err
}

// link names an unnamed file: with its final name if that is free, or with a temporary one.
func (p *Pending) link() (err error) {
	if p.unnamed == nil {
		return nil
	}
	if err = linkUnnamed(p.unnamed, p.name); errors.Is(err, fs.ErrExist) {
		p.temporary, err = beside(p.name, func(other string) error { return linkUnnamed(p.unnamed, other) })
		return err
	}
	p.created = err == nil
	return err
}

// Write writes like os.File.Write. Errors contain the name of the file.
func (p *Pending) Write(b []byte) (int, error) {
	n, err := p.file.Write(b)
	p.written += int64(n)
	if err = rename(err, p.name); p.err == nil {
		p.err = err
	}
	return n, err
}

// Seek sets the offset for the next Write, like os.File.Seek.
func (p *Pending) Seek(offset int64, whence int) (int64, error) {
	at, err := p.file.Seek(offset, whence)
	if err = rename(err, p.name); p.err == nil {
		p.err = err
	}
	return at, err
}

// Written returns the number of bytes written.
func (p *Pending) Written() int64 { return p.written }

// Commit closes the file and gives it its name. If that or a write failed, it returns the error,
// and the old content remains.
func (p *Pending) Commit() error {
	err := p.err
	if err == nil {
		err = p.link()
	}
	if closed := p.file.Close(); err == nil {
		err = closed
	}
	if err == nil && p.temporary != "" {
		err = p.system.rename(p.temporary, p.name)
	}
	if err != nil {
		p.remove()
	}
	p.release()
	return rename(err, p.name)
}

// Discard closes the file and keeps the old content.
func (p *Pending) Discard() {
	p.file.Close()
	p.remove()
	p.release()
}

func (p *Pending) release() {
	if p.kept != nil {
		p.kept()
	}
}

func (p *Pending) remove() {
	switch {
	case p.temporary != "":
		p.system.remove(p.temporary)
	case p.created:
		p.system.remove(p.name)
	}
}
