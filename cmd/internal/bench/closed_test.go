package main

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestClosed checks that streams of a closed recording fail as record.Recording documents, in all
// systems, whether they were opened before or after. Closing again does nothing.
func TestClosed(t *testing.T) {
	hooks := filepath.Join(t.TempDir(), "trace.raw")
	if err := writeAIX(hooks, 1e6, false); err != nil {
		t.Fatal(err)
	}
	a, errA := aix.Open(hooks)
	u, errU := uftrace.Open("calls/bench.data")
	l, errL := lttng.Open("markers/bench.trace")
	f, errF := ftrace.Open("../../../testdata/ftrace/amd64-extract.dat")
	if err := errors.Join(errA, errU, errL, errF); err != nil {
		t.Fatal(err)
	}
	closes(t, a, a.Merge(record.Options{}), a.Merge)
	closes(t, u, u.Merge(uftrace.MergeOptions{}), func(record.Options) *record.Merger[uftrace.Entry] { return u.Merge(uftrace.MergeOptions{}) })
	closes(t, l, l.Merge(record.Options{}), l.Merge)
	closes(t, f, f.Merge(ftrace.StreamOptions{}), func(record.Options) *record.Merger[record.None] { return f.Merge(ftrace.StreamOptions{}) })
}

func closes[E any](
	t *testing.T, rec record.Recording, before *record.Merger[E], merge func(record.Options) *record.Merger[E],
) {
	t.Helper()
	for range 2 {
		if err := rec.Close(); err != nil {
			t.Errorf("%s: %v", rec.Name(), err)
		}
	}
	for when, m := range map[string]*record.Merger[E]{"before": before, "after": merge(record.Options{})} {
		var all error
		for {
			_, _, err := m.NextRun()
			if err == io.EOF {
				break
			}
			all = errors.Join(all, err)
		}
		if all = errors.Join(all, record.Damaged(rec)); !errors.Is(all, fs.ErrClosed) {
			t.Errorf("%s, opened %s: %v", rec.Name(), when, all)
		}
	}
}
