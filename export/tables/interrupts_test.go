package tables_test

import (
	"slices"
	"testing"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// interruptEvents are the events of interrupts and of exits of threads.
var interruptEvents = slices.Concat(scripted.Interrupts, scripted.Sched)

// TestInterrupts checks the rules of docs/spec/tables.md section 5.
func TestInterrupts(t *testing.T) {
	for _, c := range []struct{ name, columns, events, want string }{
		{"a soft interrupt that is interrupted has its own time", "ts ts_end kind name number self context ret", `
			0 100 7 softirq_entry 4
			0 110 7 local_timer_entry 236
			0 115 7 irq_handler_entry 36 disk
			0 118 7 irq_handler_exit 36 1
			0 120 7 local_timer_exit 236
			0 130 7 softirq_exit 4`, `
			115 118 irq disk 36 3 vector 1
			110 120 vector local_timer 236 7 softirq -
			100 130 softirq BLOCK 4 20 - -`},
		{"a line is shared by two handlers", "ts ts_end name ret", `
			0 100 7 irq_handler_entry 9 first
			0 103 7 irq_handler_exit 9 0
			0 104 7 irq_handler_entry 9 second
			0 109 7 irq_handler_exit 9 1`, `
			100 103 first 0
			104 109 second 1`},
		{"the first raise counts", "ts dur delay context", `
			comm 14 ksoftirqd/0
			0 100 7 softirq_raise 4
			0 110 7 softirq_raise 4
			1 120 7 softirq_entry 4
			0 130 0 softirq_entry 4
			0 135 0 softirq_raise 4
			0 140 0 softirq_exit 4
			1 150 7 softirq_exit 4
			0 160 14 softirq_entry 4
			0 170 14 softirq_exit 4
			0 180 14 softirq_entry 4
			0 190 14 softirq_exit 4`, `
			130 10 30 idle
			120 30 - -
			160 10 25 ksoftirqd
			180 10 - ksoftirqd`},
		{"an end alone, and a begin alone", "ts ts_end reason kind number self", `
			0 90 7 softirq_entry 1
			0 100 7 irq_handler_exit 9 1
			0 110 7 softirq_exit 1
			0 120 7 irq_handler_entry 9 disk`, `
			- 100 open_begin irq 9 -
			90 110 - softirq 1 -
			120 - open_end irq 9 -`},
		{"soft interrupts follow each other", "ts ts_end reason number self", `
			0 100 7 softirq_entry 1
			0 200 7 irq_handler_entry 9 disk
			0 300 7 softirq_entry 4
			0 310 7 softirq_exit 4`, `
			200 - replaced 9 -
			100 - replaced 1 -
			300 310 - 4 10`},
		{"what is around has ended", "ts ts_end reason number", `
			0 100 7 irq_handler_entry 9 disk
			0 110 7 softirq_entry 1
			0 120 7 irq_handler_exit 9 1`, `
			110 - unpaired 1
			100 120 - 9`},
		{"a loss ends what the processor does", "ts ts_end reason cpu number delay", `
			0 100 7 softirq_raise 4
			0 101 7 softirq_raise 1
			1 102 7 softirq_raise 1
			0 110 7 softirq_entry 4
			1 111 8 softirq_entry 1
			0 200 7 lost=3 softirq_exit 4
			0 210 7 softirq_entry 1
			0 220 7 softirq_exit 1
			1 230 8 softirq_exit 1`, `
			110 - lost 0 4 10
			- 200 lost 0 4 -
			210 220 - 0 1 -
			111 230 - 1 1 9`},
		{"timers are late by their own clock", "ts dur kind name address delay gap_inside", `
			0 100 7 hrtimer_start 0xa0 0xf0 5000
			0 101 7 hrtimer_start 0xb0 0xf0 6000
			0 102 7 hrtimer_start 0xc0 0xf0 7000
			0 103 7 hrtimer_start 0xb0 0xf0 6500
			0 104 7 hrtimer_cancel 0xc0
			1 110 7 hrtimer_expire_entry 0xa0 5040 0xf0
			1 115 7 hrtimer_expire_exit 0xa0
			0 120 7 lost=3 hrtimer_expire_entry 0xb0 6400 0xf0
			0 121 7 hrtimer_expire_exit 0xb0
			0 130 7 hrtimer_expire_entry 0xc0 7001 0xf0
			0 131 7 hrtimer_expire_exit 0xc0`, `
			110 5 hrtimer 0xf0 160 40 0
			120 1 hrtimer 0xf0 176 -100 1
			130 1 hrtimer 0xf0 192 - 0`},
		{"work is queued, activated, executed and interrupted", "ts dur reason cpu tid kind delay activation self", `
			0 100 7 workqueue_queue_work 0xa0 0xf0
			0 105 7 workqueue_activate_work 0xa0 0xf0
			1 110 8 workqueue_execute_start 0xa0 0xf0
			1 120 8 irq_handler_entry 9 disk
			1 121 8 workqueue_queue_work 0xa0 0xf0
			1 125 8 irq_handler_exit 9 1
			0 126 7 irq_handler_entry 9 disk
			0 128 7 irq_handler_exit 9 1
			0 130 8 workqueue_execute_end 0xa0 0xf0
			1 140 7 workqueue_queue_work 0xa0 0xf0
			1 150 8 workqueue_execute_end 0xa0 0xf0`, `
			120 5 - 1 8 irq - - 5
			126 2 - 0 7 irq - - 2
			110 20 - 1 8 work 10 5 15
			- - replaced - - work - - -
			- - open_begin 1 8 work - - -
			- - open_end - - work - - -`},
		{"work of a thread that has ended", "ts dur tid kind self", `
			0 100 8 workqueue_execute_start 0xa0 0xf0
			0 110 7 sched_process_free eight 8 120
			0 120 9 irq_handler_entry 9 disk
			0 125 9 irq_handler_exit 9 1
			0 130 9 workqueue_execute_end 0xa0 0xf0`, `
			120 5 9 irq 5
			100 30 8 work 30`},
		{"work across a loss", "ts ts_end reason kind gap_inside", `
			0 100 7 workqueue_execute_start 0xa0 0xf0
			0 110 7 lost=3 workqueue_execute_end 0xa0 0xf0
			0 120 7 workqueue_execute_end 0xb0 0xf0`, `
			100 110 - work 1
			- 120 lost work 0`},
		{"interrupts between processors, within the interrupt that brings them",
			"ts dur reason kind name cpu context self", `
			string 0xffff800080001000 Function call interrupts
			string 0xffff800080002000 Rescheduling interrupts
			0 90 7 ipi_raise 2 0xffff800080001000
			1 100 8 irq_handler_entry 2 IPI
			1 105 8 ipi_entry 0xffff800080001000
			1 110 8 ipi_exit 0xffff800080001000
			1 111 8 ipi_entry 0xffff800080002000
			0 112 7 ipi_exit 0xffff800080002000
			1 114 8 ipi_exit 0xffff800080002000
			1 120 8 irq_handler_exit 2 1
			1 130 8 ipi_entry 0xffff800080003000
			1 140 8 ipi_entry 0xffff800080003000
			1 150 8 lost=3 ipi_exit 0xffff800080001000`, `
			105 5 - ipi Function call interrupts 1 irq 5
			- - open_begin ipi Rescheduling interrupts 0 - -
			111 3 - ipi Rescheduling interrupts 1 irq 3
			100 20 - irq IPI 1 - 12
			130 - replaced ipi 0xffff800080003000 1 - -
			140 - lost ipi 0xffff800080003000 1 - -
			- - lost ipi Function call interrupts 1 - -`},
		{"vectors of the processor are not all of their events", "ts dur kind name number", `
			0 100 7 call_function_entry 252
			0 105 7 local_timer_entry 236
			0 108 7 local_timer_exit 236
			0 109 7 vector_setup 3
			0 110 7 call_function_exit 252`, `
			105 3 vector local_timer 236
			100 10 vector call_function 252`},
		{"tasklets", "ts dur kind name address", `
			0 100 7 tasklet_entry 0xa0 0xf0
			0 110 7 tasklet_exit 0xa0 0xf0`, `
			100 10 tasklet 0xf0 160`},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, tables.Interrupts, scripted.Open(t, interruptEvents, c.events), c.columns, c.want)
		})
	}
}

// TestInterruptsNotRecorded: the begins of a kind may be missing in the whole recording.
func TestInterruptsNotRecorded(t *testing.T) {
	rec := scripted.Open(t, without(interruptEvents, "irq_handler_entry"), `
		0 100 7 irq_handler_exit 9 1
		0 200 7 irq_handler_exit 9 1`)
	check(t, tables.Interrupts, rec, "ts ts_end reason", `
		- 100 not_recorded
		- 200 not_recorded`)
	rec = scripted.Open(t, without(interruptEvents, "workqueue_execute_start"),
		"0 100 7 workqueue_execute_end 0xa0 0xf0")
	check(t, tables.Interrupts, rec, "kind ts ts_end reason", "work - 100 not_recorded")
}
