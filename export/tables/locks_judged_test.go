package tables_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/tables"
)

// wait is a row of perf lock contention.
type wait struct {
	count      int
	total, max float64 // nanoseconds
	unit       [2]float64
}

// contention reads a text of perf lock contention. The key is the column after the numbers.
func contention(t *testing.T, name, file string) map[string]wait {
	t.Helper()
	list := map[string]wait{}
	for line := range strings.Lines(judgement(t, name, file)) {
		f := strings.Fields(line)
		if len(f) < 8 || f[0] == "contended" {
			continue
		}
		n, err := strconv.Atoi(f[0])
		if err != nil {
			t.Fatal(err)
		}
		w := wait{count: n}
		for i, to := range []*float64{&w.total, &w.max} {
			v, err := strconv.ParseFloat(f[1+2*i], 64)
			if err != nil {
				t.Fatal(err)
			}
			unit := map[string]float64{"ns": 1, "us": 1e3, "ms": 1e6}[f[2+2*i]]
			*to, w.unit[i] = v*unit, unit/100 // two digits
		}
		list[f[7]] = w
	}
	if len(list) == 0 {
		t.Fatalf("%s has no rows", file)
	}
	return list
}

// TestLocksPerf: counts, sums and the longest waits by thread and by lock equal perf lock
// contention's.
func TestLocksPerf(t *testing.T) {
	for _, name := range []string{"locks-mutex", "locks-faults", "all-mix"} {
		t.Run(name, func(t *testing.T) {
			threads, locks := map[string]wait{}, map[string]wait{}
			add := func(list map[string]wait, key string, dur uint64) {
				w := list[key]
				w.count++
				w.total += float64(dur)
				w.max = max(w.max, float64(dur))
				list[key] = w
			}
			kinds := map[string]string{}
			for row, err := range tables.Locks.Rows(t.Context(), recording(t, name)) {
				if err != nil {
					t.Fatal(err)
				}
				dur, ok := row.Dur()
				if !ok || row.Ret != 0 || !row.Contended || row.Spun || row.GapInside {
					t.Errorf("%+v", row)
				}
				add(threads, fmt.Sprint(row.Thread.TID), dur)
				add(locks, fmt.Sprintf("%016x", row.Address), dur)
				kind := "(" + map[string]string{"SPIN": "spinlock", "READ": "rwsem", "WRITE": "rwsem"}[row.Type] + ")"
				kinds[fmt.Sprintf("%016x", row.Address)] = kind
			}
			check := func(judge, ours map[string]wait) {
				for key, j := range judge {
					o := ours[key]
					if o.count != j.count || math.Abs(o.total-j.total) > j.unit[0] ||
						math.Abs(o.max-j.max) > j.unit[1] {
						t.Errorf("%s: perf has %+v, we %+v", key, j, o)
					}
				}
				if len(judge) != len(ours) {
					t.Errorf("perf has %d rows, we %d", len(judge), len(ours))
				}
			}
			check(contention(t, name, "perf61-lock-contention-threads.txt"), threads)
			check(contention(t, name, "perf72-lock-contention-addresses.txt"), locks)
			for line := range strings.Lines(judgement(t, name, "perf72-lock-contention-addresses.txt")) {
				if f := strings.Fields(line); len(f) == 9 && f[0] != "contended" && kinds[f[7]] != f[8] {
					t.Errorf("%s is %s, we have %s", f[7], f[8], kinds[f[7]])
				}
			}
		})
	}
}

// TestPageFaultsText: page faults equal those in the text of trace-cmd.
func TestPageFaultsText(t *testing.T) {
	for _, name := range []string{"faults-own", "locks-faults", "all-mix"} {
		t.Run(name, func(t *testing.T) {
			var judge, ours []string
			for _, e := range reported(t, name) {
				if mode, ok := strings.CutPrefix(e.name, "page_fault_"); ok {
					judge = append(judge, fmt.Sprint(e.time, " ", tid(e.thread), " ", mode, " ", e.rest))
				}
			}
			for row, err := range tables.PageFaults.Rows(t.Context(), recording(t, name)) {
				if err != nil {
					t.Fatal(err)
				}
				mode := "kernel"
				if row.User {
					mode = "user"
				}
				if row.User != strings.Contains(row.Letters(), "U") { // no fault of the kernel was at a kernel address
					t.Errorf("%+v has the letters %s", row, row.Letters())
				}
				ours = append(ours, fmt.Sprintf("%d %d %s address=%#x ip=%#x error_code=%#x",
					row.Begin, row.Thread.TID, mode, row.Address, row.IP, row.ErrorCode))
			}
			same(t, judge, ours)
		})
	}
}
