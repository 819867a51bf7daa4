package perfetto_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// recordings returns the recordings of ftrace in testdata and in the shared data, if it is
// available.
func recordings(t *testing.T) []string {
	t.Helper()
	shared := needs.SharedData(t)
	var names []string
	for _, pattern := range []string{
		"../../testdata/ftrace/*.dat", "../../testdata/ftrace/*.tar.zst", shared + "/ftrace/*/*.dat",
		shared + "/ftrace/*/raw-*.tar.zst",
		shared + "/ftrace-public/*.dat",
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
	return needs.Some(t, names, 12)
}

// eventName returns the name of an event in the trace processor.
func eventName(system, name string) string {
	for _, side := range []string{"sys_enter", "sys_exit"} {
		if system == "syscalls" && strings.HasPrefix(name, side+"_") {
			return side
		}
	}
	if name == "fgraph_retaddr_entry" {
		return "funcgraph_entry"
	}
	return name
}

// TestEvents: every event of every recording is imported, and the trace processor reports no errors
// except those that the recording causes.
func TestEvents(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v55")
	for _, name := range recordings(t) {
		t.Run(strings.TrimPrefix(name, "../../"), func(t *testing.T) {
			rec := open(t, name)
			want := expect(t, rec)
			a := e.ask(t, export(t, rec),
				"select name, count(*) from ftrace_event group by name",
				"select name || ' ' || ifnull(idx, ''), sum(value) from stats where severity in ('error', 'data_loss') and value > 0 group by 1",
				"select ifnull(c.machine_id, 0) || ' ' || c.cpu || ' ' || tid, count(*), sum(dur) from sched join thread using (utid) join cpu c using (ucpu) where dur >= 0 group by 1",
				"select distinct tid || ' ' || name, 1 from thread where name is not null",
				"select name, count(*), sum(dur) from slice where dur >= 0 group by name")
			if t.Failed() {
				return
			}
			compareCounts(t, counts(a.Results[0].Rows), want.events)
			compareCounts(t, counts(a.Results[1].Rows), want.stats)
			compareSlices(t, sums(a.Results[2].Rows), want.sched, nil)
			compareSlices(t, sums(a.Results[4].Rows), want.spans, want.cut)
			names := counts(a.Results[3].Rows)
			for name := range want.names {
				if names[name] == 0 {
					t.Errorf("no thread %s", name)
				}
			}
		})
	}
}

// TestOldEngine: the trace processor of 2021 accepts the same traces. It supports no
// self-describing events, fewer other events, no losses and no machines.
func TestOldEngine(t *testing.T) {
	t.Parallel()
	e := startEngine(t, "v20")
	for i, name := range recordings(t) {
		if i%3 > 0 { // a third of them, to save time
			continue
		}
		t.Run(strings.TrimPrefix(name, "../../"), func(t *testing.T) {
			rec := open(t, name)
			for _, at := range places(newReader(t, rec).Recording().(*ftrace.Recording)) {
				if at.machine != 0 {
					return // two buffers with data; it supports only one
				}
			}
			want := expect(t, rec)
			a := e.ask(t, export(t, rec),
				"select name, count(*) from raw group by name",
				"select name || ' ', sum(value) from stats where severity in ('error', 'data_loss') and value > 0 group by 1",
				"select '0 ' || cpu || ' ' || tid, count(*), sum(dur) from sched join thread using (utid) "+
					// it ends the last slice of each processor
					"where ts < (select max(ts) from sched s where s.cpu = sched.cpu) group by 1")
			if t.Failed() {
				return
			}
			for name, n := range want.raw { // raw events describe themselves if there are others
				if n < want.events[name] {
					want.events[name] -= n
				}
			}
			got := counts(a.Results[0].Rows)
			for name, n := range got {
				if n != want.events[name] {
					t.Errorf("%s: %d, want %d", name, n, want.events[name])
				}
			}
			for name, n := range want.events {
				if n != got[name] && (name == "sched_switch" && len(want.sched) > 0 ||
					strings.HasPrefix(name, "sys_e") || strings.HasPrefix(name, "softirq_")) {
					t.Errorf("%s: %d, want %d", name, got[name], n)
				}
			}
			for key := range want.stats {
				if strings.HasPrefix(key, "ftrace_cpu") {
					delete(want.stats, key)
				}
			}
			compareCounts(t, counts(a.Results[1].Rows), want.stats)
			sched := sums(a.Results[2].Rows)
			if want.stats["mismatched_sched_switch_tids "] > 0 { // threads with a filtered end have a length of 0
				for who, s := range sched {
					sched[who] = slice{want.sched[who].count, s.ns}
				}
			}
			compareSlices(t, sched, want.sched, nil)
		})
	}
}

// expected are the expected contents of a trace in the trace processor.
type expected struct {
	events map[string]int // by name
	raw    map[string]int // events of raw_syscalls
	stats  map[string]int // the errors it reports, with processors
	names  map[string]bool
	sched  map[string]slice // by machine, processor and thread
	spans  map[string]slice // of functions and system calls, by name
	cut    map[string]int   // spans that are not whole
}

// callNames are the trace processor's names of system calls that differ from the kernel's
// functions.
var callNames = map[string][]string{
	"newfstat": {"fstat"}, "newuname": {"uname"}, "newfstatat": {"fstatat"}, "fadvise64_64": {"fadvise64"},
	"newstat": {"stat"}, "newlstat": {"lstat"},
}

// slice holds the number and the durations of slices.
type slice struct {
	count int
	ns    uint64
}

func (s slice) plus(ns uint64) slice { return slice{s.count + 1, s.ns + ns} }

func sums(rows [][]any) map[string]slice {
	m := map[string]slice{}
	for _, row := range rows {
		var s slice
		fmt.Sscan(fmt.Sprint(row[1], " ", row[2]), &s.count, &s.ns)
		m[fmt.Sprint(row[0])] = s
	}
	return m
}

// expect collects the expected contents from a recording. The trace processor reports the lost
// events of each processor. It also reports a switch from a thread to which the last switch did not
// lead, which occurs if the switches of some threads are not recorded.
func expect(t *testing.T, rec record.Recording) expected {
	x := expected{events: map[string]int{}, raw: map[string]int{}, stats: map[string]int{}, names: map[string]bool{},
		sched: map[string]slice{}, spans: map[string]slice{}, cut: map[string]int{}}
	r := newReader(t, rec)
	running, since := map[place]int64{}, map[place]uint64{}
	of := places(r.Recording().(*ftrace.Recording))
	for ev := range r.All() {
		x.events[eventName(ev.Type.System, ev.Type.Name)]++
		if ev.Type.System == "raw_syscalls" {
			x.raw[ev.Type.Name]++
		}
		at := of[ev.Stream]
		if ev.Lost != 0 {
			x.stats[fmt.Sprint("ftrace_cpu_has_data_loss ", at.cpu)] = 1
		}
		if comm := ev.Comm(); ev.Task > 0 && comm != "" {
			x.names[fmt.Sprint(ev.Task, " ", comm)] = true
		}
		if ev.Type.Name == "sched_switch" && ev.Type.System == "sched" {
			prev, _ := ev.Field("prev_pid")
			next, _ := ev.Field("next_pid")
			if was, ok := running[at]; ok {
				who := fmt.Sprint(at.machine, " ", at.cpu, " ", was)
				if was == prev.Int() {
					x.sched[who] = x.sched[who].plus(ev.Time - since[at])
				} else {
					x.stats["mismatched_sched_switch_tids "]++
				}
			}
			running[at], since[at] = next.Int(), ev.Time
		}
	}
	tl, err := timeline.New(newReader(t, rec))
	if err != nil {
		t.Fatal(err)
	}
	for it := range tl.All() {
		if it.Kind != timeline.End {
			continue
		}
		name := it.Span.Name.Text
		switch {
		case name == "rt_sigreturn": // it has no end on most machines, so the trace processor makes no slice
			continue
		case it.Span.Name.Category == "syscalls":
			name = "sys_" + name
		case it.Track.Kind != timeline.Functions:
			continue
		}
		if it.Span.Unseen && it.Event != nil { // the exit records the begin
			x.events["funcgraph_entry"]++
		} else if it.Span.Cut || it.Span.Unseen {
			x.cut[name]++
			continue
		}
		x.spans[name] = x.spans[name].plus(it.Span.Total())
	}
	return x
}

// compareSlices compares the wanted slices. Some slices that are cut in the timeline are whole in
// the trace processor, which ends a function when another function begins at the same depth.
func compareSlices(t *testing.T, got, want map[string]slice, cut map[string]int) {
	t.Helper()
	for _, name := range sortedKeys(want) {
		if call, ok := strings.CutPrefix(name, "sys_"); ok && got[name].count == 0 {
			for _, other := range callNames[call] {
				got[name] = got["sys_"+other]
			}
		}
		if more := got[name].count - want[name].count; more > 0 && more <= cut[name] {
			continue
		}
		if got[name] != want[name] {
			t.Errorf("%s: %d of %d ns, want %d of %d ns", name, got[name].count, got[name].ns, want[name].count,
				want[name].ns)
		}
	}
}

// counts converts rows of a name and a number to a map.
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

func sortedKeys[V any](of ...map[string]V) []string {
	all := map[string]V{}
	for _, m := range of {
		maps.Copy(all, m)
	}
	keys := make([]string, 0, len(all))
	for k := range all {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
