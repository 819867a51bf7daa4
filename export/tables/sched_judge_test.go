package tables_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
)

var scheduled = []string{
	"sched-mutex", "sched-pingpong", "sched-preempt", "sched-migrate", "sched-wakeup-only", "sched-procs-own",
	"lost-small", "cut-middle",
}

// TestThreadStateIsPerfettos compares each state with Perfetto's. A state that only one of them has
// must be a state that Perfetto does not follow. It is then compared with the events themselves.
func TestThreadStateIsPerfettos(t *testing.T) {
	for _, name := range scheduled {
		t.Run(name, func(t *testing.T) {
			text, ok := saved(t, name, "perfetto-thread_state.tsv")
			if !ok {
				t.Fatal("no text")
			}
			rec := recording(t, name)
			m := momentsOf(t, rec)
			ours := rows(t, tables.ThreadState, rec)
			theirs := map[string]bool{}
			for _, p := range lines(t, text) {
				theirs[stateKey(p)] = true
			}
			closed, open, waits := map[string]bool{}, map[string]map[string]string{}, map[string]int64{}
			same := 0
			for _, o := range ours {
				begin := key(o, "ts", "tid", "state")
				if o["dur"] == "NULL" {
					open[begin] = o
					continue
				}
				closed[stateKey(o)] = true
				if o["state"] == "R" {
					waits[key(o, "ts", "tid")] = number(t, o["dur"])
				}
				if theirs[stateKey(o)] {
					same++
				} else if o["tid"] != "0" || o["state"] != "Running" { // Perfetto has no states of the idle thread
					m.hold(t, o)
				}
			}
			for _, p := range lines(t, text) {
				if p["dur"] == "-1" || closed[stateKey(p)] {
					continue
				}
				// At a switch from another thread than the one that ran, Perfetto ends the state of
				// that one, although events are missing.
				if o := open[key(p, "ts", "tid", "state")]; o != nil &&
					(o["reason"] == "lost" || o["reason"] == "not_recorded") {
					continue
				}
				// Perfetto follows only sched_waking. If only sched_wakeup comes after a thread has
				// left the processor, Perfetto's sleep lasts until the thread runs.
				if m.joined(t, p, ours, waits) {
					continue
				}
				t.Errorf("Perfetto's %v is not among ours", p)
			}
			if same*10 < len(closed)*4 {
				t.Errorf("%d of %d are Perfetto's", same, len(closed))
			}
		})
	}
}

// stateKey identifies a state by the columns that both tables have.
func stateKey(row map[string]string) string {
	return key(row, "ts", "dur", "cpu", "tid", "state")
}

// joined reports whether a sleep in Perfetto equals our sleep that sched_wakeup ends, together with
// the wait after it.
func (m moments) joined(t *testing.T, p map[string]string, ours []map[string]string, waits map[string]int64) bool {
	for _, o := range ours {
		if key(o, "ts", "tid", "state") != key(p, "ts", "tid", "state") || o["dur"] == "NULL" {
			continue
		}
		wait, ok := waits[o["ts_end"]+" "+o["tid"]+" "]
		return ok && number(t, o["dur"])+wait == number(t, p["dur"]) && m[o["tid"]][number(t, o["ts_end"])] == "wakeup"
	}
	return false
}

// moments are the times of events about a thread.
type moments map[string]map[int64]string // by thread and time: in, out, wake, wakeup

// momentsOf reads the moments from the fields of the events, without package tables.
func momentsOf(t *testing.T, rec *tracec.Recording) moments {
	m := moments{}
	note := func(ev *tracec.Event, field, what string) {
		v, ok := ev.Field(field)
		if !ok {
			t.Fatalf("no %s in %s", field, ev.Type.Name)
		}
		tid := strconv.FormatInt(v.Int(), 10)
		if m[tid] == nil {
			m[tid] = map[int64]string{}
		}
		if m[tid][int64(ev.Time)] == "" {
			m[tid][int64(ev.Time)] = what
		}
	}
	for ev, err := range rec.Events(context.Background(), tracec.WithEvents("sched:*")) {
		if err != nil {
			t.Fatal(err)
		}
		switch ev.Type.Name {
		case "sched_switch":
			note(ev, "prev_pid", "out")
			note(ev, "next_pid", "in")
		case "sched_waking", "sched_wakeup_new":
			note(ev, "pid", "wake")
		case "sched_wakeup":
			note(ev, "pid", "wakeup")
		}
	}
	return m
}

// hold checks a closed state: events are at its begin and its end, and no event between them ends
// it.
func (m moments) hold(t *testing.T, o map[string]string) {
	t.Helper()
	begins, ends := map[string]string{"Running": "in", "R": "wake wakeup out", "R+": "out"},
		map[string]string{"Running": "out", "R": "in", "R+": "in"}
	begin, end := begins[o["state"]], ends[o["state"]]
	list := m[o["tid"]]
	from, to := number(t, o["ts"]), number(t, o["ts_end"])
	if begin == "" {
		begin, end = "out", "wake"
		if list[to] == "wakeup" {
			end = "wakeup"
		}
	}
	if !regexp.MustCompile(`\b`+list[from]+`\b`).MatchString(begin) || list[to] != end {
		t.Errorf("%v begins with %q and ends with %q", o, list[from], list[to])
	}
	for at, what := range list {
		if at > from && at < to && (what == end || what == "out") {
			t.Errorf("%v has an event %s at %d", o, what, at)
		}
	}
}

// latencyLine is a line of perf sched latency.
var latencyLine = regexp.MustCompile(`(?m)^\s*(.*):(\d+)\s*\|\s*[\d.]+ ms \|\s*(\d+) \| avg:\s*([\d.]+) ms \| max:\s*([\d.]+) ms`)

// TestLatencyIsPerfs compares sums and maxima with perf sched latency of perf 7.2, which prints
// microseconds. perf counts waits of unknown length as 0, so the sum is the mean times the count.
// The test compares recordings of the whole machine without losses. In other recordings, perf
// counts waits whose begin it does not know.
func TestLatencyIsPerfs(t *testing.T) {
	for _, name := range []string{"sched-mutex", "sched-pingpong", "sched-preempt", "sched-migrate", "cut-middle"} {
		t.Run(name, func(t *testing.T) {
			text, _ := saved(t, name, "perf72-sched-latency.txt")
			rec := recording(t, name)
			known := momentsOf(t, rec)
			first := sights(t, rec)
			sum, most, only := map[string]int64{}, map[string]int64{}, map[string]int64{}
			also := map[string]int64{} // waits that only perf counts
			for _, o := range rows(t, tables.SchedLatency, rec) {
				tid := o["tid"]
				switch {
				case o["dur"] != "NULL":
					dur := number(t, o["dur"])
					sum[tid] += dur
					most[tid] = max(most[tid], dur)
					if known[tid][number(t, o["ts"])] == "wakeup" { // perf 7.2 follows only sched_waking
						only[tid] += dur
					}
				case o["reason"] == "open_begin" && first[tid] > 0: // perf begins at the thread's first event
					also[tid] += number(t, o["ts_end"]) - first[tid]
				}
			}
			n := 0
			for _, m := range latencyLine.FindAllStringSubmatch(text, -1) {
				n++
				tid := m[2]
				count, mean, longest := number(t, m[3]), milliseconds(t, m[4]), milliseconds(t, m[5])
				differs := sum[tid] - mean*count
				if abs(most[tid]-longest) > 1000 ||
					abs(differs) > 1000*count && abs(differs-only[tid]) > 1000*count &&
						abs(differs+also[tid]) > 1000*count {
					t.Errorf("%s: sum %d, longest %d; perf: %d x %d, %d; ours only %d, perf's only %d", m[1]+":"+tid,
						sum[tid], most[tid], count, mean, longest, only[tid], also[tid])
				}
			}
			if n < 10 {
				t.Errorf("%d lines of perf", n)
			}
		})
	}
}

// sights returns the time of the first event that names a thread, by thread.
func sights(t *testing.T, rec *tracec.Recording) map[string]int64 {
	first := map[string]int64{}
	for ev, err := range rec.Events(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"pid", "prev_pid", "next_pid"} {
			if v, ok := ev.Field(name); ok && first[fmt.Sprint(v.Int())] == 0 {
				first[fmt.Sprint(v.Int())] = int64(ev.Time)
			}
		}
	}
	return first
}

// milliseconds converts a text in milliseconds to nanoseconds.
func milliseconds(t *testing.T, text string) int64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return int64(v*1e6 + 0.5)
}

func abs(n int64) int64 { return max(n, -n) }
