package uftrace_test

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/internal/testkit/hostile"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/uftrace"
)

// progress walks a recording. The number of reads must not exceed the limit for the sizes of its
// files. There must not be more records than fit into steps of 8 bytes, the steps of a search.
func progress(t *testing.T, name string, files fstest.MapFS) {
	t.Helper()
	var size int64
	for _, f := range files {
		size += int64(len(f.Data))
	}
	limit := hostile.NewLimit(256 + size/8)
	r, err := uftrace.OpenFS(limit.FS(files), "hostile")
	if err != nil {
		if errors.Is(err, hostile.ErrStuck) {
			t.Fatalf("%s: %v", name, err)
		}
		return
	}
	defer r.Close()
	records := 0
	for m := r.Merge(uftrace.MergeOptions{}); ; {
		run, _, err := m.NextRun()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatalf("%s: %v", name, err)
			}
			break
		}
		if records += len(run); len(run) == 0 || int64(records) > size/8 {
			t.Fatalf("%s: %d records, %d of them now, of %d bytes", name, records, len(run), size)
		}
	}
	if limit.Exceeded() {
		t.Fatalf("%s: %v", name, hostile.ErrStuck)
	}
}

// TestProgress sets every word of the files of records, of perf, of the kernel and of tasks, near
// their beginning, to invalid lengths and offsets.
func TestProgress(t *testing.T) {
	for _, name := range needs.Some(t, []string{"crash", "kernel-events", "big-endian", "v3-binary-task", "events",
		"dlopen", "kernel-graph", "extern-note"}, 4) {
		whole := load(t, name)
		for _, file := range slices.Sorted(maps.Keys(whole)) {
			data := whole[file].Data
			if len(data) == 0 || !strings.HasSuffix(file, ".dat") && file != "task.txt" && file != "kernel_header" &&
				file != "info" {
				continue
			}
			files := maps.Clone(whole)
			for what, b := range hostile.Constants(2 * len(data)) {
				files[file] = &fstest.MapFile{Data: b}
				progress(t, name+": "+file+": "+what, files)
			}
			begin := min(len(data), 160)
			for what, b := range hostile.Mutants(t, data[:begin]) {
				files[file] = &fstest.MapFile{Data: slices.Concat(b, data[begin:])}
				progress(t, name+": "+file+": "+what, files)
			}
		}
	}
}
