package lttng_test

import (
	"context"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// reads counts the reads of files.
type reads struct {
	fs.FS
	bytes int64
}

type countedFile struct {
	fs.File
	all *reads
}

func (r *reads) Open(name string) (fs.File, error) {
	f, err := r.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err != nil || st.IsDir() {
		return f, err
	}
	return &countedFile{f, r}, nil
}

func (f *countedFile) ReadAt(b []byte, off int64) (int, error) {
	n, err := f.File.(interface {
		ReadAt([]byte, int64) (int, error)
	}).ReadAt(b, off)
	f.all.bytes += int64(n)
	return n, err
}

// TestWindowPassesOverSubBuffers: for a window of time, only the headers and the sub-buffers that
// overlap it are read.
func TestWindowPassesOverSubBuffers(t *testing.T) {
	const events = 20_000
	dir := writeTicks(t, events)
	walk := func(o record.Options) (times []uint64, bytes int64) {
		files := &reads{FS: os.DirFS(dir)}
		rec, err := lttng.OpenFS(files, "trace")
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		before := files.bytes
		m := rec.Merge(o)
		for r, e := range m.All() {
			if e.Marker != nil && e.Marker.Name == "tick" {
				times = append(times, r.Time)
			}
		}
		if m.Err() != nil {
			t.Fatal(m.Err())
		}
		return times, files.bytes - before
	}
	all, whole := walk(record.Options{})
	if len(all) != events {
		t.Fatalf("%d events", len(all))
	}
	middle := all[events/2]
	got, part := walk(record.Options{Since: middle, Until: middle + 10})
	if !slices.Equal(got, all[events/2:events/2+10]) {
		t.Errorf("times %d, want %d", got, all[events/2:events/2+10])
	}
	if part > whole/4 {
		t.Errorf("%d bytes read for ten events, %d for all", part, whole)
	}
}

// writeTicks writes a trace of one processor with a number of events.
func writeTicks(t *testing.T, events int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 16 << 10, CPUs: 1, Freq: 1_000_000_000})
	if err != nil {
		t.Fatal(err)
	}
	tick, err := w.Marker("kernel", "tick", "n %u")
	if err != nil {
		t.Fatal(err)
	}
	for i := range events {
		if err := w.Event(0, tick, uint64(1000+i), uint64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// soon is a context that is done after a few calls.
type soon struct {
	context.Context
	left int
}

func (s *soon) Done() <-chan struct{} { return make(chan struct{}) }

func (s *soon) Err() error {
	if s.left--; s.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestContextEndsSearch: a done context ends a walk that looks for events that do not occur.
func TestContextEndsSearch(t *testing.T) {
	dir := writeTicks(t, 20_000)
	for _, left := range []int{0, 2, 5} {
		files := &reads{FS: os.DirFS(dir)}
		rec, err := lttng.OpenFS(files, "trace")
		if err != nil {
			t.Fatal(err)
		}
		before := files.bytes
		m := rec.Merge(record.Options{IDs: []uint32{}, Context: &soon{t.Context(), left}})
		if records, _, err := m.NextRun(); err != context.Canceled {
			t.Errorf("asked %d times: %d records, error %v", left, len(records), err)
		}
		if n := files.bytes - before; n > int64(left)*32<<10 {
			t.Errorf("asked %d times: %d bytes read", left, n)
		}
		rec.Close()
	}
}
