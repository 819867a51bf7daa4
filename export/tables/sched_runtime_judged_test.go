package tables_test

import (
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
)

// counted is the kernel's count for a thread up to a time.
type counted struct {
	time    uint64
	runtime int64
}

// countsOf returns the events sched_stat_runtime by thread.
func countsOf(t *testing.T, rec *tracec.Recording) map[int32][]counted {
	counts := map[int32][]counted{}
	for ev, err := range rec.Events(t.Context(), tracec.WithEvents("sched:sched_stat_runtime")) {
		if err != nil {
			t.Fatal(err)
		}
		pid, _ := ev.Field("pid")
		runtime, _ := ev.Field("runtime")
		counts[int32(pid.Int())] = append(counts[int32(pid.Int())], counted{ev.Time, runtime.Int()})
	}
	return counts
}

// TestRunningIsTheKernels compares each time that a thread ran with the kernel's count
// (docs/spec/tables.md section 3). The kernel counts from the choice of the thread to the choice of
// the next one. Both are up to 110 µs before the events of the switches, which take time
// themselves. The count excludes the time that the host of the virtual machine took, so some rows
// are longer.
func TestRunningIsTheKernels(t *testing.T) {
	for _, c := range []struct {
		name         string
		rows, longer int
	}{
		{"sched-mutex", 456, 4}, {"sched-pingpong", 533, 0}, {"sched-preempt", 240, 9}, {"cut-middle", 1951, 12},
		{"lost-small", 206, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			rec := recording(t, c.name)
			counts := countsOf(t, rec)
			compared, longer := 0, 0
			for row, err := range tables.ThreadState.Rows(t.Context(), rec) {
				if err != nil {
					t.Fatal(err)
				}
				d, known := row.Dur()
				if row.State != "Running" || row.Thread.Idle() || !known {
					continue
				}
				sum, n := int64(0), 0
				for _, k := range counts[row.Thread.TID] {
					if row.Begin < k.time && k.time <= row.End {
						sum, n = sum+k.runtime, n+1
					}
				}
				compared++
				switch differs := int64(d) - sum; {
				case n == 0 || differs < -110_000:
					t.Errorf("%s-%d ran %d to %d: %d, the kernel counts %d", row.Thread.Name, row.Thread.TID, row.Begin,
						row.End, d, sum)
				case differs > 110_000:
					longer++
				}
			}
			if compared != c.rows || longer != c.longer {
				t.Errorf("%d rows, %d of them longer; want %d and %d", compared, longer, c.rows, c.longer)
			}
		})
	}
}
