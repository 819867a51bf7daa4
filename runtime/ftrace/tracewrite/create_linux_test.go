package tracewrite_test

import (
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
)

// TestCreateOver checks that only a regular file at the path is replaced. A previous version
// replaced /dev/null when run as root.
func TestCreateOver(t *testing.T) {
	dir := t.TempDir()
	pipe, link, target := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(target, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	create := func(path string) error {
		w, err := tracewrite.Create(path, header(binary.LittleEndian, 7, "zstd"))
		if err != nil {
			return err
		}
		fill(t, w, binary.LittleEndian)
		return w.Close()
	}
	for _, path := range []string{pipe, dir} {
		if create(path) == nil {
			t.Errorf("%s: no error", path)
		}
	}
	if err := create(link); err != nil {
		t.Error(err)
	}
	for path, want := range map[string]fs.FileMode{pipe: fs.ModeNamedPipe, link: fs.ModeSymlink, target: 0,
		dir: fs.ModeDir} {
		if st, err := os.Lstat(path); err != nil || st.Mode().Type() != want {
			t.Errorf("%s is %v now, %v", path, st.Mode(), err)
		}
	}
	if st, err := os.Stat(target); err != nil || st.Size() < 1000 || st.Mode() != 0o640 {
		t.Errorf("the target of the link: %v, %v", st.Size(), err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("left: %v", left)
	}
}

// TestCreateDevice writes to a null device of its own.
func TestCreateDevice(t *testing.T) {
	device := filepath.Join(t.TempDir(), "null")
	if err := syscall.Mknod(device, syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		needs.Skip(t, "need root", err)
	}
	w, err := tracewrite.Create(device, header(binary.LittleEndian, 7, "zstd"))
	if err != nil {
		needs.Skip(t, "need a file system for temporary files that has devices", err)
	}
	fill(t, w, binary.LittleEndian)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if st, err := os.Lstat(device); err != nil || st.Mode().Type() != fs.ModeDevice|fs.ModeCharDevice {
		t.Errorf("the device is %v now, %v", st.Mode(), err)
	}
}
