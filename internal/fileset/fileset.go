// Package fileset changes several files together. It writes all new contents to temporary files
// next to the files, then renames them all. So a full disk or an interrupt leaves every file
// unchanged.
package fileset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Set is a list of changes. The zero value is empty.
type Set struct {
	changes []change
	removed []string
	dirs    []string // created for the changes, the outermost first
	done    []step

	system system
}

// system holds the functions that change directories: package os except in tests.
type system struct {
	open         func(name string) (file, error)    // creates a file
	unnamed      func(dir string) (*os.File, error) // creates an unnamed file
	rename, link func(from, to string) error
	remove       func(name string) error
}

func (s *system) init() {
	if s.open == nil {
		s.open = func(name string) (file, error) { return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) }
		s.rename, s.link, s.remove = os.Rename, os.Link, os.Remove
		if s.unnamed == nil {
			s.unnamed = openUnnamed
		}
	}
	if s.unnamed == nil {
		s.unnamed = func(string) (*os.File, error) { return nil, errors.ErrUnsupported }
	}
}

// change is the new content of a file.
type change struct {
	name, temporary string
	content         []byte
	mode            fs.FileMode // mode of the existing file
	replaces        bool        // the file exists
}

// A step is a completed change. before is the temporary name of the old file, empty for a new file.
type step struct{ name, before string }

// file holds the methods of files that Commit uses.
type file interface {
	io.WriteSeeker
	Chmod(fs.FileMode) error
	Close() error
}

// Write adds new content for a file. Commit creates a missing file with its directories, and skips
// a file that already has the content. It follows symbolic links.
func (s *Set) Write(name string, content []byte) {
	s.changes = append(s.changes, change{name: name, content: content})
}

// Remove adds the removal of a file.
func (s *Set) Remove(name string) { s.removed = append(s.removed, name) }

// Commit makes all changes or none. It returns the names of the files that it changed and removed.
func (s *Set) Commit(ctx context.Context) (changed []string, err error) {
	s.system.init()
	defer func() {
		if err != nil {
			s.undo()
		}
	}()
	for i := range s.changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.write(&s.changes[i]); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := s.place(); err != nil {
		return nil, err
	}
	done := s.done
	s.done = nil // undo is no longer possible
	for _, x := range done {
		if changed = append(changed, x.name); x.before != "" {
			err = errors.Join(err, s.system.remove(x.before))
		}
	}
	return changed, err
}

// place renames the new contents to their final names. An old file has a temporary name until all
// renames have succeeded, since undo may restore it.
func (s *Set) place() error {
	for i := range s.changes {
		c := &s.changes[i]
		if c.temporary == "" {
			continue
		}
		x := step{name: c.name}
		if c.replaces && len(s.changes)+len(s.removed) > 1 {
			var err error
			if x.before, err = beside(c.name, func(name string) error {
				return s.system.link(c.name,
					name)
			}); err != nil {
				// Rename instead of linking, since the file system has no hard links.
				x.before, err = beside(c.name, func(name string) error { return s.system.rename(c.name, name) })
			}
			if err != nil {
				return rename(err, c.name)
			}
		}
		s.done = append(s.done, x)
		if err := s.system.rename(c.temporary, c.name); err != nil {
			return rename(err, c.name)
		}
		c.temporary = ""
	}
	for _, name := range s.removed {
		before, err := beside(name, func(to string) error { return s.system.rename(name, to) })
		if err != nil {
			return rename(err, name)
		}
		s.done = append(s.done, step{name, before})
	}
	return nil
}

// write writes the new content to a temporary file, unless the file already has it.
func (s *Set) write(c *change) error {
	if target, err := filepath.EvalSymlinks(c.name); err == nil {
		c.name = target
	}
	switch st, err := os.Stat(c.name); {
	case errors.Is(err, fs.ErrNotExist):
		if err := s.makeDir(filepath.Dir(c.name)); err != nil {
			return err
		}
	case err != nil:
		return err
	case st.IsDir():
		return fmt.Errorf("%s: is a directory", c.name)
	case !st.Mode().IsRegular(): // a device or a pipe has no old content
		return os.WriteFile(c.name, c.content, 0)
	default:
		if old, err := os.ReadFile(c.name); err == nil && bytes.Equal(old, c.content) {
			return nil
		}
		c.mode, c.replaces = st.Mode().Perm(), true
	}
	f, err := s.create(c)
	if err != nil {
		return rename(err, c.name)
	}
	_, err = f.Write(c.content)
	if err == nil && c.replaces {
		err = f.Chmod(c.mode)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return rename(err, c.name)
}

// rename replaces the name of a temporary file in an error by the name of the file.
func rename(err error, name string) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: path.Op, Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: name, Err: link.Err}
	}
	return err
}

// create makes the temporary file of a change.
func (s *Set) create(c *change) (f file, err error) {
	c.temporary, err = beside(c.name, func(name string) (err error) {
		f, err = s.system.open(name)
		return err
	})
	return f, err
}

// beside creates a file in the directory of another, with an unused name. The go command ignores
// files whose names begin with a point.
func beside(name string, create func(string) error) (string, error) {
	dir, base := filepath.Split(name)
	for tries := 0; ; tries++ {
		other := fmt.Sprintf("%s.%s.%08x", dir, base, rand.Uint32())
		err := create(other)
		if err == nil {
			return other, nil
		}
		if !errors.Is(err, fs.ErrExist) || tries == 100 {
			return "", err
		}
	}
}

// Left returns leftover files next to a file, from processes that were killed while changing it.
func Left(name string) (list []string, err error) {
	dir, base := filepath.Split(name)
	all, err := os.ReadDir(filepath.Clean(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range all {
		if n, ok := strings.CutPrefix(e.Name(), "."+base+"."); ok && len(n) == 8 &&
			strings.Trim(n, "0123456789abcdef") == "" {
			list = append(list, dir+e.Name())
		}
	}
	return list, err
}

// makeDir creates a directory and its missing parents, and notes them for undo.
func (s *Set) makeDir(dir string) error {
	if st, err := os.Stat(dir); err == nil && st.IsDir() {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := s.makeDir(parent); err != nil {
			return err
		}
	}
	err := os.Mkdir(dir, 0o777)
	if err == nil {
		s.dirs = append(s.dirs, dir)
	}
	return err
}

// undo restores the old files, and removes the temporary files and the directories that are empty
// again.
func (s *Set) undo() {
	for _, x := range slices.Backward(s.done) {
		switch {
		case x.before != "":
			s.system.rename(x.before, x.name)
			s.system.remove(x.before) // rename does nothing if both are the same file
		case !s.waits(x.name):
			s.system.remove(x.name)
		}
	}
	for _, c := range s.changes {
		if c.temporary != "" {
			s.system.remove(c.temporary)
		}
	}
	for _, dir := range slices.Backward(s.dirs) {
		os.Remove(dir) // fails if the directory is not empty
	}
}

// waits reports whether the new content of a file is not yet renamed.
func (s *Set) waits(name string) bool {
	return slices.ContainsFunc(s.changes, func(c change) bool { return c.name == name && c.temporary != "" })
}

// Replace replaces the content of one file.
func Replace(name string, content []byte) error {
	var s Set
	s.Write(name, content)
	_, err := s.Commit(context.Background())
	return err
}
