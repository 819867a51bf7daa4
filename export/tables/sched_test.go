package tables_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// TestThreadState checks docs/spec/tables.md section 2, rule by rule.
func TestThreadState(t *testing.T) {
	for _, test := range []struct {
		name, script string
		want         []string // ts ts_end reason tid cpu state wait waker_tid waker_context
	}{
		{"blocked, woken, runs", `
			0 100 5 sched_switch prev_pid=5 prev_state=1 next_pid=6
			1 150 7 sched_waking pid=5
			1 155 7 sched_wakeup pid=5
			0 200 6 sched_switch prev_pid=6 prev_state=0 next_pid=5
			0 300 5 sched_switch prev_pid=5 prev_state=2 next_pid=0`,
			[]string{
				"NULL 100 open_begin 5 0 Running NULL NULL NULL", "NULL 100 open_begin 6 NULL R NULL NULL NULL",
				"100 150 NULL 5 NULL S NULL NULL NULL", "100 200 NULL 6 0 Running NULL NULL NULL",
				"150 200 NULL 5 NULL R woken 7 NULL",
				"200 300 NULL 5 0 Running NULL NULL NULL",
				"200 NULL open_end 6 NULL R yielded NULL NULL", "300 NULL open_end 5 NULL D NULL NULL NULL",
				"300 NULL open_end 0 0 Running NULL NULL NULL",
			}},
		{"the number of a thread that was seen to run is used again", `
			0 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=5
			1 110 8 sched_wakeup_new pid=5`,
			[]string{
				"NULL 100 open_begin 0 0 Running NULL NULL NULL", "NULL 100 open_begin 5 NULL R NULL NULL NULL",
				"100 NULL unpaired 5 0 Running NULL NULL NULL", "110 NULL open_end 5 NULL R new 8 NULL",
			}},
		{"a switch from another thread does not end a run elsewhere", `
			0 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=5
			1 110 0 sched_switch prev_pid=0 prev_state=0 next_pid=5
			0 120 6 sched_switch prev_pid=6 prev_state=1 next_pid=0
			1 130 5 sched_switch prev_pid=5 prev_state=1 next_pid=0`,
			[]string{
				"NULL 100 open_begin 0 0 Running NULL NULL NULL", "NULL 100 open_begin 5 NULL R NULL NULL NULL",
				"NULL 110 open_begin 0 1 Running NULL NULL NULL", "100 NULL not_recorded 5 0 Running NULL NULL NULL",
				"NULL 110 not_recorded 5 NULL R NULL NULL NULL", "NULL 120 not_recorded 6 0 Running NULL NULL NULL",
				"110 130 NULL 5 1 Running NULL NULL NULL", "120 NULL open_end 0 0 Running NULL NULL NULL",
				"130 NULL open_end 5 NULL S NULL NULL NULL", "130 NULL open_end 0 1 Running NULL NULL NULL",
				"120 NULL open_end 6 NULL S NULL NULL NULL",
			}},
		{"preempted; a second waking does not begin the wait again", `
			0 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=5
			0 200 5 sched_switch prev_pid=5 prev_state=0x100 next_pid=6
			0 210 6 sched_waking pid=5
			0 300 6 sched_switch prev_pid=6 prev_state=0x80 next_pid=5`,
			[]string{
				"NULL 100 open_begin 0 0 Running NULL NULL NULL", "NULL 100 open_begin 5 NULL R NULL NULL NULL",
				"100 200 NULL 5 0 Running NULL NULL NULL", "NULL 200 open_begin 6 NULL R NULL NULL NULL",
				"200 300 NULL 6 0 Running NULL NULL NULL", "200 300 NULL 5 NULL R+ preempted NULL NULL",
				"300 NULL open_end 5 0 Running NULL NULL NULL", "300 NULL open_end 6 NULL I NULL NULL NULL",
			}},
		{"woken by an interrupt of another thread, and by the idle thread", `
			0 100 6 irq sched_waking pid=5
			1 100 0 sched_waking pid=7
			1 110 0 softirq sched_waking pid=8`,
			[]string{
				"100 NULL open_end 5 NULL R woken 6 irq", "100 NULL open_end 7 NULL R woken 0 idle",
				"110 NULL open_end 8 NULL R woken 0 softirq",
			}},
		{"the wakeup counts where the waking came before the thread left", `
			0 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=5
			1 140 7 sched_waking pid=5
			0 150 5 sched_switch prev_pid=5 prev_state=1 next_pid=0
			1 160 7 sched_wakeup pid=5
			0 200 0 sched_switch prev_pid=0 prev_state=0 next_pid=5`,
			[]string{
				"NULL 100 open_begin 0 0 Running NULL NULL NULL", "NULL 100 open_begin 5 NULL R NULL NULL NULL",
				"100 150 NULL 5 0 Running NULL NULL NULL", "150 160 NULL 5 NULL S NULL NULL NULL",
				"150 200 NULL 0 0 Running NULL NULL NULL",
				"160 200 NULL 5 NULL R woken 7 NULL", "200 NULL open_end 5 0 Running NULL NULL NULL",
			}},
		{"a new thread has the number of one that ended", `
			0 100 5 sched_process_fork parent_pid=5 child_pid=9
			0 110 5 sched_wakeup_new pid=9
			0 120 5 sched_switch prev_pid=5 prev_state=1 next_pid=9
			0 130 9 sched_process_exit pid=9
			0 140 9 sched_switch prev_pid=9 prev_state=0x20 next_pid=5
			0 150 5 sched_process_free pid=9
			0 160 5 sched_process_fork parent_pid=5 child_pid=9
			0 170 5 sched_wakeup_new pid=9`,
			[]string{
				"NULL 120 open_begin 5 0 Running NULL NULL NULL", "110 120 NULL 9 NULL R new 5 NULL",
				"120 140 NULL 9 0 Running NULL NULL NULL",
				"120 NULL not_recorded 5 NULL S NULL NULL NULL", "NULL 140 not_recorded 5 NULL R NULL NULL NULL",
				"140 NULL open_end 5 0 Running NULL NULL NULL", "170 NULL open_end 9 NULL R new 5 NULL",
			}},
		{"events lost on a processor: what ran there, and what may have been woken", `
			0 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=5
			1 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=6
			1 150 6 sched_switch prev_pid=6 prev_state=1 next_pid=0
			0 200 7 lost=3 sched_switch prev_pid=7 prev_state=1 next_pid=0
			1 250 0 sched_switch prev_pid=0 prev_state=0 next_pid=6`,
			[]string{
				"NULL 100 open_begin 0 0 Running NULL NULL NULL", "NULL 100 open_begin 5 NULL R NULL NULL NULL",
				"NULL 100 open_begin 0 1 Running NULL NULL NULL", "NULL 100 open_begin 6 NULL R NULL NULL NULL",
				"100 150 NULL 6 1 Running NULL NULL NULL", "100 NULL lost 5 0 Running NULL NULL NULL",
				"NULL 200 lost 7 0 Running NULL NULL NULL", "150 250 NULL 0 1 Running NULL NULL NULL",
				"150 NULL lost 6 NULL S NULL NULL NULL", "NULL 250 lost 6 NULL R NULL NULL NULL",
				"200 NULL open_end 0 0 Running NULL NULL NULL", "250 NULL open_end 6 1 Running NULL NULL NULL",
				"200 NULL open_end 7 NULL S NULL NULL NULL",
			}},
		{"a switch from another thread than the one that ran", `
			0 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=5
			0 200 6 sched_switch prev_pid=6 prev_state=1 next_pid=0`,
			[]string{
				"NULL 100 open_begin 0 0 Running NULL NULL NULL", "NULL 100 open_begin 5 NULL R NULL NULL NULL",
				"100 NULL not_recorded 5 0 Running NULL NULL NULL", "NULL 200 not_recorded 6 0 Running NULL NULL NULL",
				"200 NULL open_end 0 0 Running NULL NULL NULL", "200 NULL open_end 6 NULL S NULL NULL NULL",
			}},
		{"exec by another thread than the first", `
			0 100 0 sched_switch prev_pid=0 prev_state=0 next_pid=6
			0 150 5 sched_process_exec pid=5 old_pid=6
			0 200 5 sched_switch prev_pid=5 prev_state=1 next_pid=0`,
			[]string{
				"NULL 100 open_begin 0 0 Running NULL NULL NULL", "NULL 100 open_begin 6 NULL R NULL NULL NULL",
				"100 200 NULL 5 0 Running NULL NULL NULL", "200 NULL open_end 0 0 Running NULL NULL NULL",
				"200 NULL open_end 5 NULL S NULL NULL NULL",
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := shown(t, tables.ThreadState, scripted.Open(t, scripted.Sched, test.script), "ts", "ts_end", "reason",
				"tid", "cpu", "state", "wait", "waker_tid", "waker_context")
			if len(got) == 0 {
				t.Fatal("no rows")
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestWakeups: among the events with a thread's number, only wakeups make rows.
func TestWakeups(t *testing.T) {
	rec := scripted.Open(t, scripted.Sched, `
		0 100 5 sched_process_fork parent_pid=5 child_pid=9
		0 110 5 sched_wakeup_new pid=9 target_cpu=1
		0 120 9 sched_process_exec pid=9 old_pid=9
		0 130 5 irq sched_waking pid=7 target_cpu=1
		1 135 0 sched_wakeup pid=7 target_cpu=1
		0 140 9 sched_process_exit pid=9
		0 150 5 sched_process_free pid=9`)
	got := shown(t, tables.Wakeups, rec, "ts", "cpu", "tid", "target_tid", "target_cpu", "context", "new")
	want := []string{"110 0 5 9 1 NULL 1", "130 0 5 7 1 irq 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestCPUTime adds up the rows of ThreadState.
func TestCPUTime(t *testing.T) {
	rec := recording(t, "sched-mutex")
	want := map[string]int64{}
	for _, row := range rows(t, tables.ThreadState, rec) {
		if row["state"] == "Running" && row["tid"] != "0" && row["dur"] != "NULL" {
			want[key(row, "tid", "cpu")] += number(t, row["dur"])
		}
	}
	got := map[string]int64{}
	for _, row := range rows(t, tables.CPUTime, rec) {
		if n := number(t, row["running"]); n > 0 {
			got[key(row, "tid", "cpu")] += n
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestHostileSched draws events in any order. No row ends before its begin, and the number of rows
// is bounded by the number of events.
func TestHostileSched(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		n := 400
		for i := range n {
			lost := ""
			if r.IntN(40) == 0 {
				lost = "lost=1 "
			}
			pid := func() int32 { return []int32{0, 1, 2, 3, -1, 1 << 30, -1 << 31}[r.IntN(7)] }
			switch r.IntN(5) {
			case 0, 1:
				fmt.Fprintf(&b, "%d %d %d %ssched_switch prev_pid=%d prev_state=%d next_pid=%d\n", r.IntN(2), 100+i*3,
					pid(), lost, pid(), []int64{0, 1, 16, 32, 256, -1, 1 << 40}[r.IntN(7)], pid())
			case 2:
				fmt.Fprintf(&b, "%d %d %d %ssched_waking pid=%d\n", r.IntN(2), 100+i*3, pid(), lost, pid())
			case 3:
				fmt.Fprintf(&b, "%d %d %d %ssched_process_fork parent_pid=1 child_pid=%d\n", r.IntN(2), 100+i*3, pid(),
					lost, pid())
			case 4:
				fmt.Fprintf(&b, "%d %d %d %s%s pid=%d\n", r.IntN(2), 100+i*3, pid(), lost,
					[]string{"sched_wakeup", "sched_wakeup_new", "sched_process_free", "sched_process_exec"}[r.IntN(4)],
					pid())
			}
		}
		rec := scripted.Open(t, scripted.Sched, b.String())
		for _, table := range []tables.Any{tables.ThreadState, tables.SchedLatency, tables.CPUTime, tables.Wakeups} {
			list := rows(t, table, rec)
			if len(list) > 4*n {
				t.Errorf("seed %d: %s has %d rows of %d events", seed, table.Name(), len(list), n)
			}
			for _, row := range list {
				if row["dur"] != "" && row["dur"] != "NULL" && number(t, row["dur"]) < 0 ||
					row["reason"] == "NULL" && row["dur"] == "NULL" {
					t.Errorf("seed %d: %s has %v", seed, table.Name(), row)
				}
			}
		}
	}
}
