package uftrace_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestDirectoryOfRecords: an entry that has the name of a thread's file but is not a file is
// reported.
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

// TestDeadLinks: a listed file that does not exist is a dead link, which is reported.
func TestDeadLinks(t *testing.T) {
	for _, name := range []string{"abc.sym", "default.opts", "32386.dat"} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, load(t, "abc-full")); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("nowhere", path); err != nil {
			needs.Skip(t, "need symbolic links", err)
		}
		rec, err := uftrace.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range rec.Streams(record.Options{}) {
			for err == nil {
				_, err = s.Next()
			}
		}
		if list := rec.Damage(); len(list) == 0 || list[0].File != path || !errors.Is(list[0], fs.ErrNotExist) {
			t.Errorf("%s: %v", name, list)
		}
		rec.Close()
	}
}
