package spool

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestFile: written data can be read back, and the open file has no name, if the system supports
// that.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	f, err := New(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(f, "hello"); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4)
	if _, err := f.ReadAt(b, 1); err != nil || string(b) != "ello" {
		t.Errorf("read %q, %v", b, err)
	}
	if list, err := os.ReadDir(dir); err != nil || runtime.GOOS != "windows" && len(list) > 0 {
		t.Errorf("while it is open: %v, %v", list, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("after Close: %v, %v", list, err)
	}
}

// TestNamed: Close and CloseAll remove a file that must keep its name.
func TestNamed(t *testing.T) {
	for _, end := range []func(*File){func(f *File) { f.Close() }, func(*File) { CloseAll() }} {
		dir := t.TempDir()
		open, err := os.CreateTemp(dir, "tracec-*")
		if err != nil {
			t.Fatal(err)
		}
		f := &File{File: open, name: open.Name()}
		named.files[f] = true
		end(f)
		if list, err := os.ReadDir(dir); err != nil || len(list) > 0 || len(named.files) > 0 {
			t.Errorf("left: %v, %v, %v", list, err, named.files)
		}
	}
}

func TestNoDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	if f, err := New(dir); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), dir) {
		t.Errorf("%v, %v", f, err)
	}
}
