package ftrace_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/runtime/ftrace"
)

// zeros never end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestExtent checks that a recording is complete exactly where its own sizes end. From a pipe, at
// most a little more is copied, and the recording reports it.
func TestExtent(t *testing.T) {
	files, err := filepath.Glob("../../testdata/ftrace/*.dat")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		more := append(data[:len(data):len(data)], make([]byte, 100)...)
		end, ok := ftrace.Extent(bytes.NewReader(more), int64(len(more)))
		if !ok {
			t.Logf("%s does not say", name)
			continue
		}
		found++
		if got := opened(t, bytes.NewReader(data[:end]), end); got != opened(t, bytes.NewReader(data),
			int64(len(data))) {
			t.Errorf("%s of %d bytes ends at %d, before its end", name, len(data), end)
		}
		for _, size := range []int64{end, end - 1, end / 2, 100} {
			if at, ok := ftrace.Extent(bytes.NewReader(more[:size]), size); ok {
				t.Errorf("%s: %d of %d bytes end at %d", name, size, end, at)
			}
		}
	}
	if found < len(files)-2 {
		t.Errorf("%d of %d recordings say where they end", found, len(files))
	}
}

// opened digests a recording.
func opened(t *testing.T, r io.ReaderAt, size int64) int {
	t.Helper()
	rec, err := ftrace.OpenReaderAt(r, size, "trace.dat")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	n := len(walkRecords(rec))
	if s := rec.DamageStats(); s.Count > 0 {
		t.Error(rec.Damage())
	}
	return n
}

// TestPipeWithoutEnd checks that opening does not wait for bytes after a recording in a pipe.
func TestPipeWithoutEnd(t *testing.T) {
	data, err := os.ReadFile("../../testdata/ftrace/amd64-extract.dat")
	if err != nil {
		t.Fatal(err)
	}
	rec, err := ftrace.OpenReader(io.MultiReader(bytes.NewReader(data), zeros{}), "pipe",
		ftrace.WithTempDir(t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	if n := len(walkRecords(rec)); n != opened(t, bytes.NewReader(data), int64(len(data))) ||
		rec.DamageStats().Count != 1 {
		t.Errorf("%d records, %v", n, rec.Damage())
	}
}
