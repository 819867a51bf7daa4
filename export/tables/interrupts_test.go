package tables_test

import (
	"testing"

	"github.com/tracec/tracec/export/tables"
)

// TestInterrupts: rules of docs/spec/tables.md section 5.
func TestInterrupts(t *testing.T) {
	for _, c := range []struct{ name, columns, events, want string }{
		{"a soft interrupt that is interrupted has its own time", "ts ts_end kind name number self context ret", `
			100 0 7 softirq_entry 4
			110 0 7 local_timer_entry 236
			115 0 7 irq_handler_entry 36 disk
			118 0 7 irq_handler_exit 36 1
			120 0 7 local_timer_exit 236
			130 0 7 softirq_exit 4`, `
			115 118 irq disk 36 3 vector 1
			110 120 vector local_timer 236 7 softirq -
			100 130 softirq BLOCK 4 20 - -`},
		{"a line is shared by two handlers", "ts ts_end name ret", `
			100 0 7 irq_handler_entry 9 first
			103 0 7 irq_handler_exit 9 0
			104 0 7 irq_handler_entry 9 second
			109 0 7 irq_handler_exit 9 1`, `
			100 103 first 0
			104 109 second 1`},
		{"the first raise counts", "ts dur delay context", `
			100 0 7 softirq_raise 4
			110 0 7 softirq_raise 4
			120 1 7 softirq_entry 4
			130 0 0 softirq_entry 4
			135 0 0 softirq_raise 4
			140 0 0 softirq_exit 4
			150 1 7 softirq_exit 4
			160 0 14 softirq_entry 4
			170 0 14 softirq_exit 4
			180 0 14 softirq_entry 4
			190 0 14 softirq_exit 4`, `
			130 10 30 idle
			120 30 - -
			160 10 25 ksoftirqd
			180 10 - ksoftirqd`},
		{"an end alone, and a begin alone", "ts ts_end reason kind number self", `
			90 0 7 softirq_entry 1
			100 0 7 irq_handler_exit 9 1
			110 0 7 softirq_exit 1
			120 0 7 irq_handler_entry 9 disk`, `
			- 100 open_begin irq 9 -
			90 110 - softirq 1 -
			120 - open_end irq 9 -`},
		{"soft interrupts follow each other", "ts ts_end reason number self", `
			100 0 7 softirq_entry 1
			200 0 7 irq_handler_entry 9 disk
			300 0 7 softirq_entry 4
			310 0 7 softirq_exit 4`, `
			200 - replaced 9 -
			100 - replaced 1 -
			300 310 - 4 10`},
		{"what is around has ended", "ts ts_end reason number", `
			100 0 7 irq_handler_entry 9 disk
			110 0 7 softirq_entry 1
			120 0 7 irq_handler_exit 9 1`, `
			110 - unpaired 1
			100 120 - 9`},
		{"a loss ends what the processor does", "ts ts_end reason cpu number delay", `
			100 0 7 softirq_raise 4
			101 0 7 softirq_raise 1
			102 1 7 softirq_raise 1
			110 0 7 softirq_entry 4
			111 1 8 softirq_entry 1
			LOST 200 0 7 softirq_exit 4
			210 0 7 softirq_entry 1
			220 0 7 softirq_exit 1
			230 1 8 softirq_exit 1`, `
			110 - lost 0 4 10
			- 200 lost 0 4 -
			210 220 - 0 1 -
			111 230 - 1 1 9`},
		{"timers are late by their own clock", "ts dur kind name address delay gap_inside", `
			100 0 7 hrtimer_start 0xa0 0xf0 5000
			101 0 7 hrtimer_start 0xb0 0xf0 6000
			102 0 7 hrtimer_start 0xc0 0xf0 7000
			103 0 7 hrtimer_start 0xb0 0xf0 6500
			104 0 7 hrtimer_cancel 0xc0
			110 1 7 hrtimer_expire_entry 0xa0 5040 0xf0
			115 1 7 hrtimer_expire_exit 0xa0
			LOST 120 0 7 hrtimer_expire_entry 0xb0 6400 0xf0
			121 0 7 hrtimer_expire_exit 0xb0
			130 0 7 hrtimer_expire_entry 0xc0 7001 0xf0
			131 0 7 hrtimer_expire_exit 0xc0`, `
			110 5 hrtimer 0xf0 160 40 0
			120 1 hrtimer 0xf0 176 -100 1
			130 1 hrtimer 0xf0 192 - 0`},
		{"work is queued, activated, executed and interrupted", "ts dur reason cpu tid kind delay activation self", `
			100 0 7 workqueue_queue_work 0xa0 0xf0
			105 0 7 workqueue_activate_work 0xa0 0xf0
			110 1 8 workqueue_execute_start 0xa0 0xf0
			120 1 8 irq_handler_entry 9 disk
			121 1 8 workqueue_queue_work 0xa0 0xf0
			125 1 8 irq_handler_exit 9 1
			126 0 7 irq_handler_entry 9 disk
			128 0 7 irq_handler_exit 9 1
			130 0 8 workqueue_execute_end 0xa0 0xf0
			140 1 7 workqueue_queue_work 0xa0 0xf0
			150 1 8 workqueue_execute_end 0xa0 0xf0`, `
			120 5 - 1 8 irq - - 5
			126 2 - 0 7 irq - - 2
			110 20 - 1 8 work 10 5 15
			- - replaced - - work - - -
			- - open_begin 1 8 work - - -
			- - open_end - - work - - -`},
		{"work of a thread that has ended", "ts dur tid kind self", `
			100 0 8 workqueue_execute_start 0xa0 0xf0
			110 0 7 sched_process_free eight 8 120
			120 0 9 irq_handler_entry 9 disk
			125 0 9 irq_handler_exit 9 1
			130 0 9 workqueue_execute_end 0xa0 0xf0`, `
			120 5 9 irq 5
			100 30 8 work 30`},
		{"work across a loss", "ts ts_end reason kind gap_inside", `
			100 0 7 workqueue_execute_start 0xa0 0xf0
			LOST 110 0 7 workqueue_execute_end 0xa0 0xf0
			120 0 7 workqueue_execute_end 0xb0 0xf0`, `
			100 110 - work 1
			- 120 lost work 0`},
		{"tasklets", "ts dur kind name address", `
			100 0 7 tasklet_entry 0xa0 0xf0
			110 0 7 tasklet_exit 0xa0 0xf0`, `
			100 10 tasklet 0xf0 160`},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, tables.Interrupts, madeOf(t, c.events), c.columns, c.want)
		})
	}
}

// TestInterruptsNotRecorded: the begins of a kind may be missing in the whole recording.
func TestInterruptsNotRecorded(t *testing.T) {
	rec := madeOf(t, "100 0 7 irq_handler_exit 9 1\n200 0 7 irq_handler_exit 9 1", "irq_handler_entry")
	check(t, tables.Interrupts, rec, "ts ts_end reason", `
		- 100 not_recorded
		- 200 not_recorded`)
	rec = madeOf(t, "100 0 7 workqueue_execute_end 0xa0 0xf0", "workqueue_execute_start")
	check(t, tables.Interrupts, rec, "kind ts ts_end reason", "work - 100 not_recorded")
}
