package uftrace_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestFollowLateFiles: records wait for the files of the threads and processors that info names, if
// these files appear last.
func TestFollowLateFiles(t *testing.T) {
	type row struct {
		Time uint64
		Task int32
	}
	files := load(t, "threads")
	rows := func(r *uftrace.Recording) (list []row) {
		each(t, r, func(rec *record.Record, _ *uftrace.Entry) { list = append(list, row{rec.Time, rec.Task}) })
		return list
	}
	want := rows(open(t, files))
	for _, late := range []string{"32555.dat", "32553.dat", "perf-cpu0.dat", "perf-cpu1.dat"} {
		t.Run(late, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write := func(name string) {
				if err := os.WriteFile(filepath.Join(dir, name), files[name].Data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for name := range files {
				if name != late {
					write(name)
				}
			}
			until, end := context.WithCancel(t.Context())
			defer end()
			r, err := uftrace.Open(dir, uftrace.WithFollow(record.Follow{Until: until, Delay: time.Hour,
				Poll: time.Millisecond}))
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			got := make(chan []row)
			go func() { got <- rows(r) }()
			time.Sleep(20 * time.Millisecond) // in which reads that do not wait have finished
			write(late)
			end()
			if diff := cmp.Diff(want, <-got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
