package uftrace_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/runtime/uftrace"
)

// TestDirectoryOfRecords: what is named as a thread's file and is none is told.
func TestDirectoryOfRecords(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "7.dat"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "8.dat"), 0o700); err != nil {
		t.Fatal(err)
	}
	rec, err := uftrace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, d := range rec.Damage() {
		if d.File == filepath.Join(dir, "8.dat") && errors.Is(d, uftrace.ErrCorrupt) {
			return
		}
	}
	t.Errorf("nothing is said of 8.dat: %v", rec.Damage())
}
