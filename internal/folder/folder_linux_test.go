package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestKernel: files of the kernel's file systems, such as proc, are opened if the user named their
// folder, but not otherwise.
func TestKernel(t *testing.T) {
	proc := Open("/proc/self")
	if got := Kernel(proc); got != "proc" || KernelAt("/proc/self/status") != "proc" {
		t.Fatalf("/proc/self is of %q", got)
	}
	if _, err := fs.ReadFile(proc, "status"); err != nil {
		t.Error(err)
	}
	look := LookAt(proc)
	if _, err := look.Open("status"); !errors.Is(err, errSkipped) {
		t.Errorf("a file: %v", err)
	}
	if list, err := fs.ReadDir(look, "task"); !errors.Is(err, errSkipped) {
		t.Errorf("a folder: %v, %v", list, err)
	}

	dir := made(t, "file")
	for name, to := range map[string]string{"status": "/proc/self/status", "task": "/proc/self/task"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir).Open(name); !errors.Is(err, ErrSpecial) {
			t.Errorf("%s by a link: %v", name, err)
		}
	}
	if _, err := fs.Sub(LookAt(Open(dir)), "task"); !errors.Is(err, errSkipped) {
		t.Errorf("a folder by a link: %v", err)
	}
	if Kernel(Open(dir)) != "" || Kernel(os.DirFS("/proc")) != "" {
		t.Error("a folder of nobody else is the kernel's")
	}

	root := LookAt(Open("/"))
	if _, err := fs.Sub(root, "proc"); !errors.Is(err, errMounted) || len(root.Elsewhere()) != 1 {
		t.Errorf("what is mounted: %v, %v", err, root.Elsewhere())
	}
}
