package tables_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// storms are the events in one turn of a made recording: T and N are the time and the number of the
// turn.
var storms = []struct {
	name  string
	table tables.Any
	turn  string
}{
	{"interrupts", tables.Interrupts, `
		0 T 7 local_timer_entry 236
		0 T 7 softirq_raise 1
		0 T 7 local_timer_exit 236
		0 T 7 softirq_entry 1
		0 T 7 irq_handler_entry 9 disk
		0 T 7 softirq_raise 4
		0 T 7 irq_handler_exit 9 1
		0 T 7 softirq_exit 1
		0 T 7 softirq_entry 4
		0 T 7 softirq_exit 4`},
	{"timers and work", tables.Interrupts, `
		0 T 7 hrtimer_start 0xN0 0xf0 5000
		0 T 7 hrtimer_expire_entry 0xN0 5001 0xf0
		0 T 7 workqueue_queue_work 0xN8 0xf0
		0 T 7 hrtimer_expire_exit 0xN0
		0 T 8 workqueue_execute_start 0xN8 0xf0
		0 T 8 workqueue_execute_end 0xN8 0xf0`},
	{"block_io", tables.BlockIO, `
		0 T 7 block_bio_queue 0x700000 N0 8 W
		0 T 7 block_getrq 0x700000 N0 8 W
		0 T 7 block_io_start 0x700000 N0 8 4096 W
		0 T 7 block_rq_insert 0x700000 N0 8 4096 W
		0 T 7 block_rq_issue 0x700000 N0 8 4096 W
		0 T 8 block_rq_complete 0x700000 N0 8 0 W
		0 T 8 block_io_done 0x700000 N0 0 0 W`},
	{"locks", tables.Locks, `
		0 T 7 contention_begin 0xN0 4
		0 T 7 contention_begin 0xa0 1
		0 T 7 contention_end 0xa0 0
		0 T 7 contention_end 0xN0 0`},
	{"page_faults", tables.PageFaults, `
		0 T 7 page_fault_user 0xN000 0x401000 7`},
}

// storm makes the text of a recording with about that many events.
func storm(turn string, events int) string {
	var b strings.Builder
	lines := strings.Split(strings.TrimSpace(turn), "\n")
	for i := range events / len(lines) {
		for _, line := range lines {
			b.WriteString(strings.NewReplacer("T", fmt.Sprint(1000+i), "N", fmt.Sprint(i%5000+1)).Replace(line) + "\n")
		}
	}
	return b.String()
}

// BenchmarkTables reads recordings for a table.
func BenchmarkTables(b *testing.B) {
	for _, s := range storms {
		b.Run(s.name, func(b *testing.B) {
			rec := scripted.Open(b, allEvents, storm(s.turn, 50_000))
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
			rec := scripted.Open(t, allEvents, storm(s.turn, events))
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
