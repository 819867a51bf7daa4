package uftrace_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/tracec/tracec/internal/testkit/hostile"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestFailingCalls lets each call to the file system fail, one at a time. Either the events are the
// events of the recording, or the unreadable part is named.
func TestFailingCalls(t *testing.T) {
	for _, name := range []string{"forkexec", "kernel-graph", "events", "extern-note", "v3-binary-task"} {
		files := load(t, name)
		count := func(r *uftrace.Recording) (n int) {
			each(t, r, func(*record.Record, *uftrace.Entry) { n++ })
			return n
		}
		whole := count(open(t, files))
		for _, short := range []bool{false, true} {
			for n := 0; ; n++ {
				dir := hostile.FailAt(files, n, short)
				r, err := uftrace.OpenFS(dir, "test")
				events := 0
				if err == nil {
					events = count(r)
					r.Close()
				}
				what, failed := dir.Failed()
				if !failed {
					break
				}
				if err != nil {
					if !errors.Is(err, hostile.ErrCall) {
						t.Errorf("%s: %s: %v", name, what, err)
					}
					continue
				}
				named := slices.ContainsFunc(r.Damage(),
					func(d *uftrace.Damage) bool { return errors.Is(d, hostile.ErrCall) })
				if !named && events != whole {
					t.Errorf("%s: %s (short %v): %d events of %d, and no word of it: %v", name, what, short, events,
						whole, r.Damage())
				}
			}
		}
	}
}
