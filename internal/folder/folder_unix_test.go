//go:build unix && !aix

package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// made makes a folder of files. Each file contains its own name.
func made(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range files {
		name := filepath.Join(dir, f)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSpecial: files other than regular ones are not opened, even through links. A pipe would block
// for ever.
func TestSpecial(t *testing.T) {
	dir := made(t, "sub/file")
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"null": "/dev/null", "link": "sub/file", "linked": "pipe",
		"nowhere": "nothing"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]error{
		"sub/file": nil, "link": nil, "sub": nil, "pipe": ErrSpecial, "linked": ErrSpecial, "null": ErrSpecial,
		"nowhere": fs.ErrNotExist, "../x": fs.ErrInvalid, "/etc": fs.ErrInvalid,
	} {
		f, err := Open(dir).Open(name)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
		if err == nil {
			f.Close()
		}
	}
	if text, err := fs.ReadFile(Open(dir), "link"); err != nil || string(text) != "sub/file" {
		t.Errorf("%q, %v", text, err)
	}
	sub, err := fs.Sub(Open(dir), "sub")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := fs.ReadFile(sub, "file"); err != nil || string(text) != "sub/file" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestLook: a Look keeps its bounds, in the order of the names, and reports its omissions.
func TestLook(t *testing.T) {
	dir := made(t, "a/1", "a/2", "a/3", "b/1", "c")
	look := LookAt(Open(dir))
	look.entries, look.files = 5, 1
	if list, err := fs.ReadDir(look, "."); err != nil || len(list) != 3 {
		t.Fatalf("%v, %v", list, err)
	}
	if list, err := fs.ReadDir(look, "a"); err != nil || len(list) != 2 || !look.Full() {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := fs.ReadDir(look, "b"); !errors.Is(err, errSkipped) {
		t.Errorf("%v, %v", list, err)
	}
	f, err := look.Open("c")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := look.Open("c"); !errors.Is(err, errSkipped) {
		t.Errorf("a second file: %v", err)
	}
	list, _ := os.ReadDir(dir)
	First(list, func(name string) bool { return name == "c" })
	if got := []string{list[0].Name(), list[1].Name(), list[2].Name()}; !slices.Equal(got, []string{"c", "a", "b"}) {
		t.Errorf("%v", got)
	}
}
