package fileset

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// tree returns the files below a directory: contents by name.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if e.IsDir() {
			out[filepath.ToSlash(rel)+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(name)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func make3(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, mode := range map[string]fs.FileMode{"a": 0o600, "b": 0o755, "stale": 0o644} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("old "+name), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func change3(dir string) *Set {
	s := &Set{}
	s.Write(filepath.Join(dir, "a"), []byte("new a"))
	s.Write(filepath.Join(dir, "b"), []byte("old b"))
	s.Write(filepath.Join(dir, "sub", "deep", "c"), []byte("new c"))
	s.Remove(filepath.Join(dir, "stale"))
	return s
}

func TestCommit(t *testing.T) {
	dir := make3(t)
	before, err := os.Stat(filepath.Join(dir, "b"))
	if err != nil {
		t.Fatal(err)
	}
	changed, err := change3(dir).Commit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "new a", "b": "old b", "sub/": "", "sub/deep/": "", "sub/deep/c": "new c"}
	if d := cmp.Diff(want, tree(t, dir)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(changed) != 3 || changed[0] != filepath.Join(dir, "a") || changed[2] != filepath.Join(dir, "stale") {
		t.Errorf("changed %q", changed)
	}
	after, err := os.Stat(filepath.Join(dir, "b"))
	if err != nil || !os.SameFile(before, after) || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a file that has its content already was written: %v", err)
	}
	if st, err := os.Stat(filepath.Join(dir, "a")); err != nil || st.Mode().Perm() != 0o600 && os.PathSeparator == '/' {
		t.Errorf("permissions are %v, %v", st.Mode(), err)
	}
}

// full is a file system that is full at the n-th operation.
type full struct{ left int }

type fullFile struct {
	*os.File
	on *full
}

var errFull = &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}

func (f *full) use() error {
	if f.left--; f.left < 0 {
		return errFull
	}
	return nil
}

func (f *full) open(name string) (file, error) {
	if err := f.use(); err != nil {
		return nil, err
	}
	x, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	return &fullFile{x, f}, err
}

// system returns a system that fails once, at the n-th operation. Undoing works.
func (f *full) system(links bool) system {
	once := func(do func() error) error {
		if f.left--; f.left == -1 {
			return errFull
		}
		return do()
	}
	return system{
		open:   f.open,
		rename: func(from, to string) error { return once(func() error { return os.Rename(from, to) }) },
		remove: func(name string) error { return once(func() error { return os.Remove(name) }) },
		link: func(from, to string) error {
			if !links {
				return &os.LinkError{Op: "link", Old: from, New: to, Err: syscall.EPERM}
			}
			return once(func() error { return os.Link(from, to) })
		},
	}
}

func (f *fullFile) Write(b []byte) (int, error) {
	if err := f.on.use(); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

func (f *fullFile) Close() error { return errors.Join(f.File.Close(), f.on.use()) }

// TestFull: if an operation fails, all files are unchanged and no temporary files are left.
func TestFull(t *testing.T) {
	for _, links := range []bool{true, false} {
		for n := 0; testFull(t, n, links); n++ {
			if n > 100 {
				t.Fatal("it never works")
			}
		}
	}
}

// testFull fails at operation n. It returns false if there are fewer operations.
func testFull(t *testing.T, n int, links bool) bool {
	t.Helper()
	// Two files are written: open, write, close. One of them exists: it gets another name, by a
	// link or else a rename. Both files and the removed file are renamed. Then the two other names
	// are removed.
	const written, placed, all = 6, 10, 12
	dir := make3(t)
	before := tree(t, dir)
	s := change3(dir)
	s.system = (&full{n}).system(links)
	changed, err := s.Commit(context.Background())
	if err == nil {
		if want := all; n != want && !(links && n == written) { // a rename replaces a failed link
			t.Errorf("%d operations, want %d", n, want)
		}
		return n < all
	}
	if n >= placed { // too late to undo, and the error names the file
		if len(changed) != 3 || tree(t, dir)["a"] != "new a" {
			t.Errorf("operation %d: changed %q", n, changed)
		}
		return true
	}
	if !errors.Is(err, syscall.ENOSPC) || strings.Contains(err.Error(), "/.") || len(changed) > 0 {
		t.Errorf("operation %d: %v, changed %q", n, err, changed)
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Errorf("operation %d (-before +after):\n%s", n, d)
	}
	return true
}

// cancelAfter is a context that is cancelled after n calls of Err.
type cancelAfter struct {
	context.Context
	left int
}

func (c *cancelAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestCancelled(t *testing.T) {
	for n := range 4 {
		dir := make3(t)
		before := tree(t, dir)
		_, err := change3(dir).Commit(&cancelAfter{context.Background(), n})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d: %v", n, err)
		}
		if d := cmp.Diff(before, tree(t, dir)); d != "" {
			t.Errorf("%d (-before +after):\n%s", n, d)
		}
	}
}

func TestReplace(t *testing.T) {
	dir := make3(t)
	link := filepath.Join(dir, "link")
	if err := os.Symlink("a", link); err != nil {
		needs.Skip(t, "need symbolic links", err)
	}
	if err := Replace(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, dir); got["a"] != "new" || len(got) != 4 {
		t.Errorf("%v", got)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if err := Replace(dir, nil); err == nil || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a directory: %v", err)
	}
	if err := Replace(filepath.Join(dir, "a", "b"), nil); err == nil {
		t.Error("a file below a file")
	}
}

// TestPending: if an operation fails, an existing file is unchanged, and a new one does not exist.
func TestPending(t *testing.T) {
	for _, c := range []struct {
		name  string
		grows bool
	}{{"a", true}, {"new", true}, {"new", false}} {
		for n := 0; !pend(t, c.name, c.grows, n); n++ {
			if n > 10 {
				t.Fatal("it never works")
			}
		}
	}
}

// pend writes a file on a disk where operation n fails, and reports whether operation n was
// reached.
func pend(t *testing.T, name string, grows bool, n int) (done bool) {
	dir := make3(t)
	before := tree(t, dir)
	_, there := before[name]
	p, err := create(filepath.Join(dir, name), grows, (&full{n}).system(true))
	if err == nil {
		for _, s := range []string{"one ", "two"} {
			p.Write([]byte(s))
		}
		if got, ok := tree(t, dir)[name]; ok != (there || grows) || there && got != before[name] {
			t.Errorf("%s before Commit: %q", name, got)
		}
		err = p.Commit()
	}
	if err == nil {
		want := maps.Clone(before)
		want[name] = "one two"
		if d := cmp.Diff(want, tree(t, dir)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		return true
	}
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), filepath.Join(dir, name)+":") {
		t.Errorf("%s, operation %d: %v", name, n, err)
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Errorf("%s, operation %d (-before +after):\n%s", name, n, d)
	}
	return false
}

// TestSeek: written data can be changed before Commit.
func TestSeek(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	p, err := Stage(name)
	if err != nil {
		t.Fatal(err)
	}
	p.Write([]byte("0000 rest"))
	if at, err := p.Seek(0, io.SeekStart); at != 0 || err != nil {
		t.Errorf("%d, %v", at, err)
	}
	p.Write([]byte("head"))
	if _, err := p.Seek(-1, io.SeekStart); err == nil || !strings.Contains(err.Error(), name+":") {
		t.Errorf("before the beginning: %v", err)
	}
	if err := p.Commit(); err == nil {
		t.Error("Commit after a Seek that failed")
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("the file is there")
	}
}

// TestDiscard: the old content stays.
func TestDiscard(t *testing.T) {
	dir := make3(t)
	before := tree(t, dir)
	for _, name := range []string{"a", "new"} {
		p, err := Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := p.Write([]byte("text")); n != 4 || err != nil || p.Written() != 4 {
			t.Errorf("%d, %v", n, err)
		}
		p.Discard()
	}
	if d := cmp.Diff(before, tree(t, dir)); d != "" {
		t.Errorf("(-before +after):\n%s", d)
	}
	if _, err := Create(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Create(filepath.Join(dir, "none", "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
}
