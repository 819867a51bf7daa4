package uftrace_test

import (
	"errors"
	"io"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

const saved = "../../testdata/uftrace"

// recordings are the names of the saved recordings.
func recordings(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(saved, "*", "data.tar.gz"))
	if err != nil || len(list) < 25 {
		t.Fatalf("%d recordings in %s, want 25 or more; %v", len(list), saved, err)
	}
	for i, f := range list {
		list[i] = filepath.Base(filepath.Dir(f))
	}
	return list
}

// load unpacks a recording into memory.
func load(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	return uftracetest.Files(t, name)
}

func open(t testing.TB, fs fstest.MapFS, opts ...uftrace.Option) *uftrace.Recording {
	t.Helper()
	r, err := uftrace.OpenFS(fs, "test", opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// each calls fn for every record in time order.
func each(t testing.TB, r *uftrace.Recording, fn func(rec *record.Record, e *uftrace.Entry)) {
	t.Helper()
	for m := r.Merge(uftrace.MergeOptions{}); ; {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			fn(&records[i], &entries[i])
		}
	}
}
