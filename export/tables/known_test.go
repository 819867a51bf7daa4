package tables_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// explained returns the explained times of a recording in the tables of the scheduler. The tables
// agree.
func explained(t *testing.T, rec *tracec.Recording) []tables.Explained {
	t.Helper()
	var all [][]tables.Explained
	for _, table := range []tables.Any{tables.ThreadState, tables.SchedLatency, tables.CPUTime} {
		w := tables.NewWalk(rec)
		if err := table.Each(w, func(func(int) tables.Value) bool { return true }); err != nil {
			t.Fatal(err)
		}
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		all = append(all, w.Explained())
	}
	if d := cmp.Diff(all[0], all[1]) + cmp.Diff(all[0], all[2]); d != "" {
		t.Error(d)
	}
	return all[0]
}

// life is a thread in a plain computation.
type life struct{ begin, end, first, last uint64 }

// does records a change of the thread's state.
func (l *life) does(time uint64) {
	if l.first == 0 {
		l.first = time
	}
	l.last = time
}

// TestExplainedDrawn draws threads on two processors. All of their states are recorded, so each
// thread is known from its first change to its last, and lives until its end or the recording's.
func TestExplainedDrawn(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		now, lives, next := uint64(1000), map[int]*life{}, 10
		var all []*life
		begin := func(tid int, time uint64) {
			lives[tid] = &life{begin: time}
			all = append(all, lives[tid])
		}
		current, cpus := []int{0, 0}, []life{{}, {}}
		var runnable, blocked, dead []int
		for ; next < 16; next++ {
			begin(next, now)
			blocked = append(blocked, next)
		}
		take := func(list *[]int) int {
			i := r.IntN(len(*list))
			tid := (*list)[i]
			*list = slices.Delete(*list, i, i+1)
			return tid
		}
		fmt.Fprintf(&b, "0 %d 0 sched_process_exit pid=1\n0 %d 0 sched_waking pid=%d\n", now, now, blocked[0])
		lives[blocked[0]].does(now)
		runnable = append(runnable, take(&[]int{blocked[0]}))
		blocked = blocked[1:]
		for range 300 {
			now += uint64(1 + r.IntN(50))
			cpu := r.IntN(2)
			prev := current[cpu]
			switch op := r.IntN(8); {
			case op < 2 && len(blocked) > 0:
				tid := take(&blocked)
				fmt.Fprintf(&b, "%d %d %d sched_waking pid=%d\n", cpu, now, prev, tid)
				lives[tid].does(now)
				runnable = append(runnable, tid)
			case op == 2:
				tid := next
				if len(dead) > 0 && r.IntN(2) == 0 {
					tid = take(&dead)
				} else {
					next++
				}
				fmt.Fprintf(&b, "%d %d %d sched_process_fork child_pid=%d\n%d %d %d sched_wakeup_new pid=%d\n", cpu,
					now, prev, tid, cpu, now+1, prev, tid)
				now++
				begin(tid, now)
				lives[tid].does(now)
				runnable = append(runnable, tid)
			case op > 2:
				state := []int{0, 1, 2, 0x100, 0x20}[r.IntN(5)]
				if prev == 0 {
					state = 0
				}
				to := 0
				if len(runnable) > 0 && r.IntN(4) > 0 {
					to = take(&runnable)
				}
				if to == prev {
					continue
				}
				fmt.Fprintf(&b, "%d %d %d sched_switch prev_pid=%d prev_state=%d next_pid=%d\n", cpu, now, prev, prev,
					state, to)
				current[cpu] = to
				cpus[cpu].does(now)
				if to != 0 {
					lives[to].does(now)
				}
				if prev == 0 {
					continue
				}
				lives[prev].does(now)
				switch state {
				case 0, 0x100:
					runnable = append(runnable, prev)
				case 0x20:
					lives[prev].end = now
					dead = append(dead, prev)
				default:
					blocked = append(blocked, prev)
				}
			}
		}
		now++
		fmt.Fprintf(&b, "0 %d 0 sched_process_fork child_pid=9999\n", now)
		processors, threads := tables.Explained{What: "processors"}, tables.Explained{What: "threads"}
		for _, c := range cpus {
			processors.Count++
			processors.Known += c.last - c.first
			processors.Whole += now - 1000
		}
		for _, l := range all {
			if l.first == 0 {
				continue
			}
			if l.end == 0 {
				l.end = now
			}
			threads.Count++
			threads.Known += l.last - l.first
			threads.Whole += l.end - l.begin
		}
		if d := cmp.Diff([]tables.Explained{processors, threads},
			explained(t, scripted.Open(t, scripted.Sched, b.String()))); d != "" {
			t.Fatalf("seed %d: %s\n%s", seed, d, b.String())
		}
	}
}

// TestExplained computes the explained times from events and rows without package tables. The
// recording of one process explains next to nothing.
func TestExplained(t *testing.T) {
	for name, most := range map[string]float64{"sched-mutex": 1, "sched-pingpong": 1, "cut-middle": 1,
		"lost-small": 0.7, "sched-procs-own": 0.02} {
		rec := recording(t, name)
		processors, threads := lifetimes(t, rec)
		for row, err := range tables.ThreadState.Rows(t.Context(), rec) {
			if err != nil {
				t.Fatal(err)
			}
			dur, _ := row.Dur()
			if row.State == "Running" {
				processors.Known += dur
			}
			if row.Thread.TID != 0 {
				threads.Known += dur
			}
		}
		got := explained(t, rec)
		if d := cmp.Diff([]tables.Explained{processors, threads}, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if share := float64(got[0].Known) / float64(got[0].Whole); share > most || share < most/10 {
			t.Errorf("%s: %.3f of the processors' time", name, share)
		}
	}
}

// schedNames are the events that the tables of the scheduler read.
var schedNames = []string{
	"sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new", "sched_process_fork", "sched_process_exec",
	"sched_process_free",
	"task_newtask", "task_rename",
}

// lifetimes returns the time of processors and threads within a recording.
func lifetimes(t *testing.T, rec *tracec.Recording) (processors, threads tables.Explained) {
	t.Helper()
	processors.What, threads.What = "processors", "threads"
	var first, last uint64
	cpus, begun := map[int32]bool{}, map[int64]uint64{}
	sees := func(tid int64) {
		if _, ok := begun[tid]; !ok && tid > 0 {
			begun[tid] = first
		}
	}
	dies := func(tid int64, at uint64) {
		if since, ok := begun[tid]; ok {
			threads.Count++
			threads.Whole += at - since
			delete(begun, tid)
		}
	}
	r, err := rec.Reader(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for ev := range r.All() {
		field := func(name string) int64 {
			v, _ := ev.Field(name)
			return v.Int()
		}
		if !slices.Contains(schedNames, ev.Type.Name) {
			continue
		}
		if first == 0 {
			first = ev.Time
		}
		last = ev.Time
		switch ev.Type.Name {
		case "sched_switch":
			cpus[ev.CPU] = true
			sees(field("prev_pid"))
			sees(field("next_pid"))
			if field("prev_state")&0x30 != 0 { // X or Z
				dies(field("prev_pid"), ev.Time)
			}
		case "sched_waking", "sched_wakeup":
			sees(field("pid"))
		case "sched_wakeup_new":
			dies(field("pid"), ev.Time)
			begun[field("pid")] = ev.Time
		case "sched_process_free":
			dies(field("pid"), ev.Time)
		}
	}
	for tid := range begun {
		dies(tid, last)
	}
	processors.Count = int64(len(cpus))
	processors.Whole = uint64(len(cpus)) * (last - first)
	return processors, threads
}
