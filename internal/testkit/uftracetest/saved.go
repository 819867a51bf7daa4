// Package uftracetest provides recordings for tests of uftrace's commands: the saved ones of
// testdata/uftrace, and made-up ones that are written record by record, with the outputs of
// uftrace.
package uftracetest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/packed"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Saved returns the names of the saved recordings.
func Saved(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(savedDir(t), "*", "data.tar.gz"))
	if err != nil || len(paths) == 0 {
		t.Fatal("no saved recordings: ", err)
	}
	names := make([]string, len(paths))
	for i, p := range paths {
		names[i] = filepath.Base(filepath.Dir(p))
	}
	slices.Sort(names)
	return names
}

func savedDir(t testing.TB) string {
	t.Helper()
	return filepath.Join(needs.Root(t), "testdata", "uftrace")
}

// Files returns the files of a saved recording.
func Files(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	return unpack(t, filepath.Join(savedDir(t), name, "data.tar.gz"), name+".data/")
}

// Open opens files as a recording. It closes the recording at the end of the test.
func Open(t testing.TB, files fstest.MapFS, opts ...uftrace.Option) *uftrace.Recording {
	t.Helper()
	rec, err := uftrace.OpenFS(files, "test", opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// Outputs returns the outputs of uftrace for a saved recording: 0.13/report.txt and so on.
func Outputs(t testing.TB, name string) map[string]string {
	t.Helper()
	outputs := map[string]string{}
	for path, f := range unpack(t, filepath.Join(savedDir(t), name, "expected.tar.gz"), "") {
		outputs[path] = string(f.Data)
	}
	return outputs
}

// unpack returns the files of an archive that are below a prefix.
func unpack(t testing.TB, archive, prefix string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for name, f := range packed.Files(t, archive) {
		if name, ok := strings.CutPrefix(name, prefix); ok {
			files[name] = f
		}
	}
	return files
}
