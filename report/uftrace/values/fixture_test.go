package values_test

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/uftrace"
)

const saved = "../../../testdata/uftrace"

// recordings are the names of the saved recordings.
func recordings(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(saved, "*", "data.tar.gz"))
	if err != nil || len(list) < 25 {
		t.Fatalf("%d recordings, want 25 or more; %v", len(list), err)
	}
	for i, f := range list {
		list[i] = filepath.Base(filepath.Dir(f))
	}
	return list
}

func open(t testing.TB, name string) *uftrace.Recording {
	t.Helper()
	dir, err := fs.Sub(uftracetest.Unpack(t, filepath.Join(saved, name, "data.tar.gz")), name+".data")
	if err != nil {
		t.Fatal(err)
	}
	r, err := uftrace.OpenFS(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}
