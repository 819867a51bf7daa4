package tables_test

import (
	"slices"
	"testing"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// lockEvents are the events of locks and of exits of threads.
var lockEvents = slices.Concat(scripted.Locks, scripted.Sched)

// TestLocks checks the rules of docs/spec/tables.md section 7.
func TestLocks(t *testing.T) {
	for _, c := range []struct{ name, columns, events, want string }{
		{"nested, and names", "ts ts_end tid address type spun contended ret", `
			0 100 7 contention_begin 0xa0 4
			0 110 7 contention_begin 0xb0 1
			1 111 8 contention_begin 0xa0 0
			0 115 7 contention_end 0xb0 0
			1 120 7 contention_end 0xa0 -4
			1 130 8 contention_end 0xa0 0`, `
			110 115 7 176 SPIN 0 1 0
			100 120 7 160 WRITE 0 1 -4
			111 130 8 160 semaphore 0 1 0`},
		{"a mutex that a thread first spins on", "ts ts_end reason type spun", `
			0 100 7 contention_begin 0xa0 33
			0 110 7 contention_begin 0xa0 32
			0 120 7 contention_end 0xa0 0
			0 130 7 contention_begin 0xa0 33
			0 140 7 contention_end 0xa0 0
			0 150 7 contention_begin 0xa0 1
			0 160 7 contention_begin 0xa0 1
			0 170 7 contention_end 0xa0 0`, `
			100 120 - MUTEX 1
			130 140 - SPIN|MUTEX 0
			150 - replaced SPIN 0
			160 170 - SPIN 0`},
		{"without a partner", "ts ts_end reason ret", `
			0 100 7 contention_end 0xa0 0
			0 110 7 contention_begin 0xb0 1
			0 120 8 contention_begin 0xb0 1
			0 130 0 sched_process_free seven 7 120`, `
			- 100 open_begin 0
			110 - unpaired -
			120 - open_end -`},
		{"the end is next after a loss", "ts ts_end reason address gap_inside", `
			0 100 7 contention_begin 0xb0 4
			0 101 7 contention_begin 0xa0 4
			1 110 8 contention_begin 0xa0 4
			0 120 7 lost=3 contention_end 0xa0 0
			1 130 8 contention_begin 0xc0 1
			1 135 8 contention_end 0xc0 0
			1 140 8 contention_end 0xa0 0`, `
			100 - lost 176 0
			101 120 - 160 1
			110 - lost 160 0
			130 135 - 192 0
			- 140 lost 160 0`},
		{"lockdep", "ts ts_end reason type name contended held ret", `
			0 100 7 lock_acquire 2 sem 0xa0
			0 101 7 lock_contended sem 0xa0
			0 105 7 lock_acquire 1 other 0xb0
			0 106 7 lock_acquired other 0xb0
			0 107 7 lock_release other 0xb0
			0 110 7 lock_acquired sem 0xa0
			0 120 7 lock_release sem 0xa0
			0 130 7 lock_acquire 0 plain 0xc0
			0 140 7 lock_release plain 0xc0
			0 150 7 lock_release held 0xd0
			0 160 7 lock_acquire 0 kept 0xe0
			0 165 7 lock_acquired kept 0xe0`, `
			105 106 - try other 0 1 -
			100 110 - read sem 1 10 -
			130 - not_recorded - plain 0 - -
			- - open_begin - held 0 - -
			160 165 - - kept 0 - -`},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, tables.Locks, scripted.Open(t, lockEvents, c.events), c.columns, c.want)
		})
	}
}

// TestLocksNotRecorded: ends make rows even if begins are not recorded.
func TestLocksNotRecorded(t *testing.T) {
	rec := scripted.Open(t, without(lockEvents, "contention_begin", "lock_acquire"), `
		0 100 7 contention_end 0xa0 0
		0 110 7 lock_release plain 0xc0`)
	check(t, tables.Locks, rec, "ts ts_end reason name", `
		- 100 not_recorded -
		- - not_recorded plain`)
}

// TestPageFaults checks docs/spec/tables.md section 8.
func TestPageFaults(t *testing.T) {
	check(t, tables.PageFaults, scripted.Open(t, scripted.Faults, `
		0 100 7 page_fault_user 0xdead000 0x401000 7
		1 110 8 page_fault_kernel 0xffffffffffffff00 0xffffffff81000000 0
		1 120 8 page_fault_user 0x1000 0x1000 0x1c`),
		"ts cpu tid address ip error_code code mode", `
		100 0 7 233492480 4198400 7 PWU user
		110 1 8 -256 -2130706432 0 - kernel
		120 1 8 4096 4096 28 URI user`)
}

// TestNoise checks docs/spec/tables.md section 8.
func TestNoise(t *testing.T) {
	rec := scripted.Open(t, scripted.Noise, `
		0 100 7 osnoise 23 1000 9 1 0 12 5 4
		1 110 8 irq_noise 90 7 local_timer 236
		1 120 8 thread_noise kworker/1 95 11 44
		1 130 8 sample_threshold 80 60 2`)
	check(t, tables.OSNoise, rec, "ts cpu runtime noise max hardware nmi irq softirq threads",
		"100 0 1000000 23000 9000 1 0 12 5 4")
	check(t, tables.Noises, rec, "ts kind name start duration", `
		110 irq local_timer 90 7
		120 thread kworker/1 95 11
		130 sample - 80 60`)
	for row, err := range tables.OSNoise.Rows(t.Context(), rec) {
		if err != nil || row.Available() != 97.7 {
			t.Error(row, err)
		}
	}
}

// TestTimerLat: the events of one expiry make one row.
func TestTimerLat(t *testing.T) {
	check(t, tables.TimerLat, scripted.Open(t, scripted.Noise, `
		0 90 7 timerlat 4 1 50
		0 100 0 timerlat 5 0 800
		1 101 0 timerlat 5 0 900
		0 110 7 timerlat 5 1 9000
		0 120 7 timerlat 5 2 9500
		1 121 8 lost=3 timerlat 5 1 700
		0 200 0 timerlat 6 0 100
		0 300 7 timerlat 7 1 200`),
		"ts ts_end reason cpu tid sequence irq waking user gap_inside", `
		- 90 open_begin 0 7 4 - 50 - 0
		100 120 - 0 7 5 800 9000 9500 0
		200 200 - 0 - 6 100 - - 0
		- 300 lost 0 7 7 - 200 - 0
		101 121 - 1 8 5 900 700 - 1`)
}

// TestInheritedName: a fork records the name of the parent. The name of the new thread comes from
// its own events.
func TestInheritedName(t *testing.T) {
	rec := scripted.Open(t, slices.Concat(scripted.Locks, scripted.Sched), `
		comm 9 worker
		0 100 5 sched_process_fork demo 5 demo 9
		0 105 5 sched_process_fork demo 5 demo 8
		0 110 9 contention_begin 0x10 1
		0 120 9 contention_end 0x10 0
		0 130 8 contention_begin 0x10 1
		0 140 8 contention_end 0x10 0`)
	check(t, tables.Locks, rec, "tid thread", "9 worker\n8 demo")
}
