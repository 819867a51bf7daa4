package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/tables"
)

// storms are what one turn of a made recording holds: T and N are its time and number.
var storms = []struct {
	name  string
	table tables.Any
	turn  string
}{
	{"interrupts", tables.Interrupts, `
		T 0 7 local_timer_entry 236
		T 0 7 softirq_raise 1
		T 0 7 local_timer_exit 236
		T 0 7 softirq_entry 1
		T 0 7 irq_handler_entry 9 disk
		T 0 7 softirq_raise 4
		T 0 7 irq_handler_exit 9 1
		T 0 7 softirq_exit 1
		T 0 7 softirq_entry 4
		T 0 7 softirq_exit 4`},
	{"timers and work", tables.Interrupts, `
		T 0 7 hrtimer_start 0xN0 0xf0 5000
		T 0 7 hrtimer_expire_entry 0xN0 5001 0xf0
		T 0 7 workqueue_queue_work 0xN8 0xf0
		T 0 7 hrtimer_expire_exit 0xN0
		T 0 8 workqueue_execute_start 0xN8 0xf0
		T 0 8 workqueue_execute_end 0xN8 0xf0`},
	{"block_io", tables.BlockIO, `
		T 0 7 block_bio_queue 0x700000 N0 8 W
		T 0 7 block_getrq 0x700000 N0 8 W
		T 0 7 block_io_start 0x700000 N0 8 4096 W
		T 0 7 block_rq_insert 0x700000 N0 8 4096 W
		T 0 7 block_rq_issue 0x700000 N0 8 4096 W
		T 0 8 block_rq_complete 0x700000 N0 8 0 W
		T 0 8 block_io_done 0x700000 N0 0 0 W`},
	{"locks", tables.Locks, `
		T 0 7 contention_begin 0xN0 4
		T 0 7 contention_begin 0xa0 1
		T 0 7 contention_end 0xa0 0
		T 0 7 contention_end 0xN0 0`},
	{"page_faults", tables.PageFaults, `
		T 0 7 page_fault_user 0xN000 0x401000 7`},
}

// storm makes the text of a recording of about so many events.
func storm(turn string, events int) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSpace(turn), "\n")
	for i := range events / len(lines) {
		for _, line := range lines {
			line = strings.ReplaceAll(strings.TrimSpace(line), "N", fmt.Sprint(i%5000+1))
			fmt.Fprintf(&b, "%d%s\n", 1000+i, line[1:])
		}
	}
	return b.String()
}

// BenchmarkTables reads recordings for a table.
func BenchmarkTables(b *testing.B) {
	for _, s := range storms {
		b.Run(s.name, func(b *testing.B) {
			rec := madeOf(b, storm(s.turn, 50_000))
			events, rows := int64(0), 0
			for b.Loop() {
				w := tables.NewWalk(rec)
				err := s.table.Each(w, func(func(int) tables.Value) bool { rows++; return true })
				if err == nil {
					err = w.Run(b.Context())
				}
				if err != nil {
					b.Fatal(err)
				}
				events += w.Extent().Events
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
			if rows == 0 {
				b.Fatal("no rows")
			}
		})
	}
}

// TestTableAllocations: an event does not allocate.
func TestTableAllocations(t *testing.T) {
	for _, s := range storms {
		allocations := func(events int) float64 {
			rec := madeOf(t, storm(s.turn, events))
			return testing.AllocsPerRun(1, func() {
				w := tables.NewWalk(rec)
				err := s.table.Each(w, func(func(int) tables.Value) bool { return true })
				if err == nil {
					err = w.Run(t.Context())
				}
				if err != nil {
					t.Fatal(err)
				}
			})
		}
		const few, many = 2000, 20_000
		if more := allocations(many) - allocations(few); more > (many-few)/100 {
			t.Errorf("%s: %d events more make %v allocations more", s.name, many-few, more)
		}
	}
}
