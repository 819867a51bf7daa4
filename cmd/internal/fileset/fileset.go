// Package fileset changes several files as one: all new contents are written beside the files first, and take their
// places when all of them are written. So a full disk, or an interrupt, leaves every file as it was.
package fileset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// Set is a list of changes. The zero value is empty.
type Set struct {
	changes []change
	removed []string
	dirs    []string // made for the changes, the outermost first

	open func(name string) (file, error) // os.OpenFile but in tests
}

// change is the new content of a file.
type change struct {
	name, temporary string
	content         []byte
	mode            fs.FileMode // 0: that of a new file
}

// file is what Commit does with a file.
type file interface {
	Write([]byte) (int, error)
	Chmod(fs.FileMode) error
	Close() error
}

// Write is to give a file new content; one that does not exist is created with its directories, one that has the content
// already is left alone. Symbolic links are followed.
func (s *Set) Write(name string, content []byte) {
	s.changes = append(s.changes, change{name: name, content: content})
}

// Remove is to remove a file.
func (s *Set) Remove(name string) { s.removed = append(s.removed, name) }

// Commit makes the changes, all or none of them, but for what fails while files take their places, which is no matter of
// space. It returns the names of the files that it changed and removed.
func (s *Set) Commit(ctx context.Context) (changed []string, err error) {
	if s.open == nil {
		s.open = func(name string) (file, error) { return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) }
	}
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
	for i := range s.changes {
		c := &s.changes[i]
		if c.temporary == "" {
			continue
		}
		if err := os.Rename(c.temporary, c.name); err != nil {
			return changed, err
		}
		c.temporary = ""
		changed = append(changed, c.name)
	}
	for _, name := range s.removed {
		if err := os.Remove(name); err != nil {
			return changed, err
		}
		changed = append(changed, name)
	}
	return changed, nil
}

// write writes the new content beside the file, or nothing when it has that already.
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
	case !st.Mode().IsRegular(): // a device or a pipe: there is nothing to keep
		return os.WriteFile(c.name, c.content, 0)
	default:
		if old, err := os.ReadFile(c.name); err == nil && bytes.Equal(old, c.content) {
			return nil
		}
		c.mode = st.Mode().Perm()
	}
	f, err := s.create(c)
	if err != nil {
		return c.rename(err)
	}
	_, err = f.Write(c.content)
	if err == nil && c.mode != 0 {
		err = f.Chmod(c.mode)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return c.rename(err)
}

// rename makes an error about a temporary file one about the file.
func (c *change) rename(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return &fs.PathError{Op: path.Op, Path: c.name, Err: path.Err}
	}
	return err
}

// create makes the temporary file of a change. The go command ignores files whose names begin with a point.
func (s *Set) create(c *change) (file, error) {
	dir, base := filepath.Split(c.name)
	for tries := 0; ; tries++ {
		name := fmt.Sprintf("%s.%s.%08x", dir, base, rand.Uint32())
		f, err := s.open(name)
		if err == nil {
			c.temporary = name
			return f, nil
		}
		if !errors.Is(err, fs.ErrExist) || tries == 100 {
			return nil, err
		}
	}
}

// makeDir makes a directory and those above it, and remembers them.
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

// undo removes the temporary files, and directories that are empty again.
func (s *Set) undo() {
	for _, c := range s.changes {
		if c.temporary != "" {
			os.Remove(c.temporary)
		}
	}
	for _, dir := range slices.Backward(s.dirs) {
		os.Remove(dir) // fails when it holds something
	}
}

// Replace gives one file new content.
func Replace(name string, content []byte) error {
	var s Set
	s.Write(name, content)
	_, err := s.Commit(context.Background())
	return err
}
