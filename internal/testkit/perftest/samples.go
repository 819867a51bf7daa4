// Package perftest opens the sample recordings of perf (data/perf/README.md of the shared data).
package perftest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// Sample is a recording with perf's own texts of it.
type Sample struct {
	Name string // such as amd64-6.18/sched.p612
	Data []byte // nil for a directory
	Dir  fs.FS  // nil for a file
	stem string
}

// Samples returns all recordings.
func Samples(t testing.TB) (list []*Sample) {
	t.Helper()
	root := filepath.Join(needs.SharedData(t), "perf")
	for _, pattern := range []string{"*/*.data", "*/*.data.zst"} {
		names, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, name := range names {
			rel, _ := filepath.Rel(root, name)
			stem, _, _ := strings.Cut(name, ".data")
			if strings.Contains(name, "/public/") {
				stem = strings.TrimSuffix(name, ".data.zst")
			}
			s := &Sample{Name: strings.TrimSuffix(strings.TrimSuffix(rel, ".zst"), ".data"), stem: stem}
			if st, err := os.Stat(name); err == nil && st.IsDir() {
				s.Dir = directory(t, name)
			} else {
				s.Data = read(t, name)
			}
			list = append(list, s)
		}
	}
	return list
}

// Text returns a text beside the recording, such as stats.txt; false if there is none.
func (s *Sample) Text(t testing.TB, name string) (string, bool) {
	t.Helper()
	for _, path := range []string{s.stem + "." + name + ".zst", s.stem + "." + name} {
		if _, err := os.Stat(path); err == nil {
			return string(read(t, path)), true
		}
	}
	return "", false
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".zst") {
		var d *zstd.Decoder
		if d, err = zstd.NewReader(nil); err == nil {
			defer d.Close()
			data, err = d.DecodeAll(data, nil)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func directory(t testing.TB, name string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	err := filepath.WalkDir(name, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(name, path)
			files[strings.TrimSuffix(filepath.ToSlash(rel), ".zst")] = &fstest.MapFile{Data: read(t, path)}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
