package tracec_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// TestLostBefore: a loss before skipped events counts as a loss before the next yielded event of
// the processor. It does not matter whether the container or the reader skips them.
func TestLostBefore(t *testing.T) {
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 2, Ftrace: []string{tracefile.Format("print", 5)},
		Systems: []tracefile.System{{Name: "sched",
			Formats: []string{tracefile.Format("switch", 301), tracefile.Format("wakeup", 302)}}}}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]"}}
	passed, taken := m.Payload(302, 7, 1), m.Payload(301, 7, 1)
	for cpu := range uint64(2) {
		pages := m.NewPage(4096, 1000+cpu).Event(0, taken).Event(10, passed).Done()
		pages = append(pages, m.NewPage(4096, 2000+cpu).Missed(5).Event(0, passed).Event(10, passed).Done()...)
		pages = append(pages, m.NewPage(4096, 3000+cpu).Missed(int64(3+cpu)).Event(0, passed).Event(10, taken).Event(1,
			taken).Done()...)
		pages = append(pages, m.NewPage(4096, 4000+cpu).Missed(-1).Event(0, passed).Done()...)
		pages = append(pages, m.NewPage(4096, 5000+cpu).Missed(1).Event(0, taken).Done()...)
		f.Buffers[0].CPUs = append(f.Buffers[0].CPUs, tracefile.CPU{ID: int(cpu), Pages: pages})
	}
	b := f.Bytes()
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "lost")
	if err != nil {
		t.Fatal(err)
	}
	want := []int64{0, 0, 8, 0, 9, 0, -1, -1}
	for name, opt := range map[string]tracec.Option{"names": tracec.WithEvents("switch"),
		"ids": tracec.WithRecords(record.Options{IDs: []uint32{301}})} {
		var got []int64
		for ev := range newReader(t, rec, opt).All() {
			got = append(got, ev.Lost)
		}
		if !slices.Equal(got, want) {
			t.Errorf("chosen by %s: %d lost, want %d", name, got, want)
		}
		got = nil
		err := newReader(t, rec, opt).Render(2, func() func([]byte, *tracec.Event) ([]byte, error) {
			return func(dst []byte, ev *tracec.Event) ([]byte, error) { return append(dst, byte(ev.Lost)), nil }
		}, func(block []byte) error {
			for _, c := range block {
				got = append(got, int64(int8(c)))
			}
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("chosen by %s, in blocks: %d lost, want %d, %v", name, got, want, err)
		}
	}
}

// TestLostBeforeWindow: a loss before a time window does not count in the window, even if earlier
// events are read for the names of threads.
func TestLostBeforeWindow(t *testing.T) {
	rec, err := lttng.Open(lttngtest.Lossy(t), lttng.WithTasks())
	if err != nil {
		t.Fatal(err)
	}
	for since, want := range map[uint64][]int64{0: {5, 0, 11, 2}, 1400: {4, 2}, 1501: {4, 2}, 2100: {2}} {
		for name, opts := range map[string][]tracec.Option{"alone": nil, "with threads": {tracec.WithThreads()}} {
			opts = append(opts, tracec.WithRecords(record.Options{Since: since}), tracec.WithEvents("fs:open"))
			var got []int64
			for ev := range newReader(t, rec, opts...).All() {
				got = append(got, ev.Lost)
			}
			if !slices.Equal(got, want) {
				t.Errorf("from %d on, %s: %d lost, want %d", since, name, got, want)
			}
		}
	}
}
