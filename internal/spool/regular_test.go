package spool

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRegular: an unread file is used directly. Pipes and partly read files are not.
func TestRegular(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, size, ok := Regular(f); got != f || size != 4 || !ok {
		t.Errorf("%v of %d bytes, %v", got, size, ok)
	}
	if _, err := io.ReadFull(f, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	for _, r := range []io.Reader{f, in, strings.NewReader("text")} {
		if _, _, ok := Regular(r); ok {
			t.Errorf("%T is used directly", r)
		}
	}
}
