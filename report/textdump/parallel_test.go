package textdump_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/textdump"
	"github.com/tracec/tracec/runtime/lttng"
)

// busyTrace writes events that constantly change the state for later lines: the running process,
// its mode, and the names of numbers.
func busyTrace(t *testing.T, events int) *lttng.Recording {
	t.Helper()
	s := newScene(t, lttng.V26, 3)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range events {
		cpu := r.IntN(3)
		switch r.IntN(8) {
		case 0:
			s.event(cpu, "kernel.sched_schedule prev_pid %d next_pid %d prev_state #2d%ld", r.IntN(20), r.IntN(20), 0)
		case 1, 2:
			s.event(cpu, "kernel.syscall_entry ip #p%lu syscall_id #2u%u", 0x1000+i, r.IntN(10))
		case 3:
			s.event(cpu, "kernel.softirq_raise softirq_id #1u%lu", r.IntN(4))
		case 4:
			name := fmt.Sprintf("/bin/program%d", r.IntN(50))
			if i > events/2 { // more than a worker's limit for a block
				name += strings.Repeat("/folder", 300)
				if r.IntN(20) > 0 {
					continue
				}
			}
			s.event(cpu, "fs.exec filename %s", name)
		case 5:
			s.event(cpu, "kernel.process_fork parent_pid %d child_pid %d child_tgid %d", r.IntN(20), r.IntN(20),
				r.IntN(20))
		case 6:
			if r.IntN(20) == 0 {
				s.event(cpu, "syscall_state.sys_call_table id %d address %p symbol %s", r.IntN(10), uint64(0xc0000000),
					fmt.Sprintf("sys_call%d+0x0/0x10", i))
			}
			s.event(cpu, "kernel.syscall_exit ret %ld", i)
		case 7:
			if r.IntN(40) == 0 {
				s.event(cpu, "softirq_state.softirq_vec id %d address %p symbol %s", r.IntN(4), uint64(0xc0000000),
					fmt.Sprintf("action%d", i))
			}
			if r.IntN(200) == 0 {
				s.event(cpu, "userspace.note text %s", strings.Repeat("a long story ", 20_000))
			}
			s.event(cpu, "kernel.irq_entry ip #p%lu handler %p irq_id #4u%u kernel_mode #1u%u", i, i, 3, 1)
		}
	}
	if err := s.w.Close(); err != nil {
		t.Fatal(err)
	}
	rec, err := lttng.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func printed(t *testing.T, rec *lttng.Recording, o textdump.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := textdump.Run(t.Context(), rec, o, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWorkersPrintTheSame: a line depends on the state from earlier events, even if another
// goroutine prints it later.
func TestWorkersPrintTheSame(t *testing.T) {
	rec := busyTrace(t, 20_000)
	for name, o := range map[string]textdump.Options{
		"all":   {Name: "t"},
		"plain": {Name: "t", Plain: true},
		"some":  {Name: "t", Filter: textdump.Filter{Choice: report.Options{Options: selection.Options{Events: []string{"kernel.s*"}, Tasks: []string{"3", "7"}}}}},
	} {
		o.Workers = 1
		want := printed(t, rec, o)
		if strings.Count(want, "\n") < 1000 || name == "all" &&
			(!strings.Contains(want, "[sys_call") || !strings.Contains(want, "long story")) {
			t.Fatalf("%s: %.500s", name, want)
		}
		for _, lines := range []int{60, 1024, 4096} {
			restore := textdump.SetBlockLines(lines)
			for _, o.Workers = range []int{2, 3, 8} {
				if got := printed(t, rec, o); got != want {
					t.Errorf("%s: %d workers print something else in blocks of %d lines", name, o.Workers, lines)
				}
			}
			restore()
		}
	}
}

// TestWorkersPrintSavedTraces does the same with real traces.
func TestWorkersPrintSavedTraces(t *testing.T) {
	list, _ := filepath.Glob("../../testdata/lttng/*/*.tar.xz")
	more, _ := filepath.Glob(filepath.Join(needs.SharedData(t), "lttng/real/*.tar.gz"))
	for _, name := range append(list, more...) {
		// traces of several megabytes
		if !needs.LongProofs(t) && (strings.Contains(name, "698650") || strings.Contains(name, "trace-2.6")) {
			continue
		}
		rec := open(t, name)
		want := printed(t, rec, textdump.Options{Workers: 1})
		for _, lines := range []int{500, 4096} {
			restore := textdump.SetBlockLines(lines)
			if got := printed(t, rec, textdump.Options{Workers: 3}); got != want {
				t.Errorf("%s: several workers print something else in blocks of %d lines", name, lines)
			}
			restore()
		}
	}
}

// TestChosenLines: lines of selected events equal the lines among all events, although only those
// of the other events are read that record the running process.
func TestChosenLines(t *testing.T) {
	recordings := []*lttng.Recording{busyTrace(t, 20_000)}
	list, _ := filepath.Glob("../../testdata/lttng/*/*.tar.xz")
	for _, name := range list {
		recordings = append(recordings, open(t, name))
	}
	chosen := 0
	for _, rec := range recordings {
		for _, o := range []textdump.Options{
			{Name: "t"}, {Name: "t", Plain: true},
			{Name: "t", Plain: true, Filter: textdump.Filter{Choice: report.Options{Options: selection.Options{Tasks: []string{"3", "7"}}}}},
			{Name: "t", Plain: true, Filter: textdump.Filter{Choice: report.Options{Options: selection.Options{Filters: []string{`.*: COMM != "7"`}}}}},
		} {
			all := strings.SplitAfter(printed(t, rec, o), "\n")
			for _, m := range rec.Markers() {
				if m.Channel == "" || strings.ContainsAny(m.Name, "[*?") {
					continue
				}
				title := m.Channel + "." + m.Name
				of := func(lines []string) (out []string) {
					for _, l := range lines {
						if strings.HasPrefix(l, title+": ") {
							out = append(out, l)
						}
					}
					return out
				}
				o.Filter.Choice.Events = []string{title}
				want, got := of(all), of(strings.SplitAfter(printed(t, rec, o), "\n"))
				chosen += len(want)
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("%s, %+v (-of all +chosen):\n%s", rec.Name(), o.Filter.Choice, d)
				}
			}
		}
	}
	if chosen < 10_000 {
		t.Errorf("only %d lines", chosen)
	}
}

// fails is a writer that fails, or does something, after some bytes.
type fails struct {
	left int
	then func() error
}

func (f *fails) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, f.then()
	}
	return len(b), nil
}

// TestWorkersEnd: a writer that fails and a context that is done end all goroutines.
func TestWorkersEnd(t *testing.T) {
	rec := busyTrace(t, 10_000)
	full := errors.New("full")
	before := runtime.NumGoroutine()
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		at := r.IntN(1 << 20)
		if err := textdump.Run(t.Context(), rec, textdump.Options{Workers: 4},
			&fails{at, func() error { return full }}); !errors.Is(err, full) {
			t.Fatalf("after %d bytes: %v", at, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err := textdump.Run(ctx, rec, textdump.Options{Workers: 4}, &fails{at, func() error { cancel(); return nil }})
		if cancel(); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d bytes: %v", at, err)
		}
	}
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}
