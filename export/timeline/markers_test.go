package timeline_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/runtime/lttng"
)

// TestMarkers: spans of LTTng's markers have the number of the soft interrupt and of the system
// call. A thread is in one call at a time, also before LTTng 2.3.
func TestMarkers(t *testing.T) {
	dir := t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	mark := func(name, format string) *lttng.Mark { return lttngtest.Mark(t, w, "kernel", name, format) }
	schedule := mark("sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld")
	entry, exit := mark("softirq_entry", "softirq_id #1u%lu"), mark("softirq_exit", "softirq_id #1u%lu")
	enter, leave := mark("syscall_entry", "ip #p%ld syscall_id #2u%u"), mark("syscall_exit", "ret %ld")
	for i, e := range []struct {
		mark   *lttng.Mark
		values []any
	}{
		{schedule, []any{int32(0), int32(7), int16(0)}},
		{entry, []any{3}},
		{exit, []any{3}},
		{enter, []any{uint64(0x7000), uint16(5)}},
		{enter, []any{uint64(0x7000), uint16(6)}},
		{leave, []any{int64(0)}},
	} {
		if err := w.Event(0, e.mark, uint64(1000+10*i), e.values...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	tl, _ := newTimeline(t, rec)
	var got []string
	for it := range tl.All() {
		if it.Kind == timeline.End && it.Track.Kind != timeline.CPU {
			got = append(got, fmt.Sprint(it.Track.Kind, " ", it.Name.Text, " ", it.Span.Total()))
		}
	}
	if d := cmp.Diff([]string{"interrupt softirq 3 10", "thread syscall 5 10", "thread syscall 6 10"}, got); d != "" {
		t.Error(d)
	}
}
