package lttngtest

import (
	"testing"

	"github.com/tracec/tracec/runtime/lttng"
)

// Mark declares a marker.
func Mark(t testing.TB, w *lttng.Writer, channel, name, format string) *lttng.Mark {
	t.Helper()
	m, err := w.Marker(channel, name, format)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Lossy writes a trace of 2.6 with one processor, and returns its folder. In channel fs 5 events
// were lost before the first open, which is at 1100 ns, 7 before the close at 1300, 4 before the
// open at 2000 and 2 before the open at 2500.
func Lossy(t testing.TB) (dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	schedule := Mark(t, w, "kernel", "sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld")
	open, shut := Mark(t, w, "fs", "open", "fd %u"), Mark(t, w, "fs", "close", "fd %u")
	for _, e := range []struct {
		lost uint32
		time uint64
		mark *lttng.Mark
	}{{0, 1050, shut}, {5, 1100, open}, {0, 1200, open}, {7, 1300, shut}, {0, 1500, shut}, {4, 2000, open},
		{2, 2500, open}} {
		if e.lost > 0 {
			err = w.Lose(0, e.mark, e.lost)
		}
		if err == nil {
			err = w.Event(0, e.mark, e.time, 3)
		}
		if err == nil {
			err = w.Event(0, schedule, e.time+1, 1, 2, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}
