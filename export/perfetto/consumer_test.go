package perfetto_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// recordings returns the recordings of ftrace in testdata and, where they are, in the data that is shared.
func recordings(t *testing.T) []string {
	var names []string
	for _, pattern := range []string{
		"../../testdata/ftrace/*.dat", "../../testdata/ftrace/*.tar.zst", "../../../shared/data/ftrace/*/*.dat", "../../../shared/data/ftrace/*/raw-*.tar.zst",
		"../../../shared/data/ftrace-public/*.dat",
	} {
		list, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, list...)
	}
	if len(names) < 10 {
		t.Fatalf("%d recordings", len(names))
	}
	return names
}

// eventName is the name that an event has in the trace processor.
func eventName(system, name string) string {
	for _, side := range []string{"sys_enter", "sys_exit"} {
		if system == "syscalls" && strings.HasPrefix(name, side+"_") {
			return side
		}
	}
	return name
}

// TestEvents: every event of every recording arrives, and the trace processor complains of nothing that the recording does not deserve.
func TestEvents(t *testing.T) {
	e := startEngine(t, "v55")
	for _, name := range recordings(t) {
		t.Run(strings.TrimPrefix(name, "../../"), func(t *testing.T) {
			rec := open(t, name)
			want := expect(t, rec)
			a := e.ask(t, export(t, rec),
				"select name, count(*) from ftrace_event group by name",
				"select name || ' ' || ifnull(idx, ''), sum(value) from stats where severity in ('error', 'data_loss') and value > 0 group by 1",
				"select ts, dur, tid, ifnull(cpu.machine_id, 0) || ' ' || cpu.cpu from sched join thread using (utid) join cpu on sched.ucpu = cpu.ucpu order by sched.id")
			if t.Failed() {
				return
			}
			compareCounts(t, counts(a.Results[0].Rows), want.events)
			compareCounts(t, counts(a.Results[1].Rows), want.stats)
		})
	}
}

// expected is what the trace processor should find in a trace.
type expected struct {
	events map[string]int // by name
	stats  map[string]int // its complaints, with processors
}

// expect finds out what a recording has. The trace processor complains of lost events of a processor, and of a switch from another thread than
// the last switch was to, which recordings have that leave out the switches of some.
func expect(t *testing.T, rec record.Recording) expected {
	x := expected{events: map[string]int{}, stats: map[string]int{}}
	r := newReader(t, rec)
	running := map[place]int64{}
	of := places(r.Recording().(*ftrace.Recording))
	for ev := range r.All() {
		x.events[eventName(ev.Type.System, ev.Type.Name)]++
		at := of[ev.Stream]
		if ev.Lost != 0 {
			x.stats[fmt.Sprint("ftrace_cpu_has_data_loss ", at.cpu)] = 1
		}
		if ev.Type.Name == "sched_switch" && ev.Type.System == "sched" {
			prev, _ := ev.Field("prev_pid")
			next, _ := ev.Field("next_pid")
			if was, ok := running[at]; ok && was != prev.Int() {
				x.stats["mismatched_sched_switch_tids "]++
			}
			running[at] = next.Int()
		}
	}
	return x
}

// counts returns rows of a name and a number.
func counts(rows [][]any) map[string]int {
	m := map[string]int{}
	for _, row := range rows {
		n := 0
		fmt.Sscan(fmt.Sprint(row[1]), &n)
		m[fmt.Sprint(row[0])] = n
	}
	return m
}

func compareCounts(t *testing.T, got, want map[string]int) {
	t.Helper()
	for _, name := range sortedKeys(want, got) {
		if want[name] != got[name] {
			t.Errorf("%s: %d, want %d", name, got[name], want[name])
		}
	}
}

func sortedKeys[V any](of ...map[string]V) (keys []string) {
	for _, m := range of {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}
