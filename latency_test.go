package tracec_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"maps"
	"slices"
	"strings"

	"github.com/tracec/tracec"
)

// How long the tasks of each name waited from the first sched_waking until they ran.
func Example_wakeupLatency() {
	rec, err := tracec.Open(context.Background(), "testdata/ftrace/amd64-syscalls.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithEvents("sched_waking", "sched_switch"))
	if err != nil {
		log.Fatal(err)
	}
	woken, waits := map[int64]uint64{}, map[string][]uint64{} // ns, by thread and by name
	for ev := range r.All() {
		if ev.Type.Name == "sched_waking" {
			if pid, _ := ev.Field("pid"); woken[pid.Int()] == 0 {
				woken[pid.Int()] = ev.Time
			}
			continue
		}
		pid, _ := ev.Field("next_pid")
		if start := woken[pid.Int()]; start != 0 {
			comm, _ := ev.Field("next_comm")
			waits[comm.String()] = append(waits[comm.String()], ev.Time-start)
			delete(woken, pid.Int())
		}
	}
	if err := r.Err(); err != nil {
		log.Fatal(err)
	}
	for _, comm := range slices.Sorted(maps.Keys(waits))[:6] {
		fmt.Printf("%s: %d times, at most %d µs\n", comm, len(waits[comm]), slices.Max(waits[comm])/1000)
	}
	// Output:
	// gzip: 3 times, at most 116 µs
	// jbd2/vdd-8: 2 times, at most 1246 µs
	// kcompactd0: 2 times, at most 142 µs
	// ksoftirqd/0: 3 times, at most 362 µs
	// ksoftirqd/1: 5 times, at most 1775 µs
	// kworker/0:1: 6 times, at most 133 µs
}

// The maximum duration of half of the system calls of each name, and of 99 % of them.
func Example_syscallPercentiles() {
	rec, err := tracec.Open(context.Background(), "testdata/ftrace/amd64-syscalls.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	r, err := tracec.NewReader(rec, tracec.WithEvents("sys_enter_*", "sys_exit_*"))
	if err != nil {
		log.Fatal(err)
	}
	entered, took := map[int32]uint64{}, map[string][]uint64{} // ns, by thread and by call
	for ev := range r.All() {
		if strings.HasPrefix(ev.Type.Name, "sys_enter_") {
			entered[ev.Task] = ev.Time
		} else if start, ok := entered[ev.Task]; ok {
			name := strings.TrimPrefix(ev.Type.Name, "sys_exit_")
			took[name] = append(took[name], ev.Time-start)
			delete(entered, ev.Task)
		}
	}
	if err := r.Err(); err != nil {
		log.Fatal(err)
	}
	most := slices.SortedFunc(maps.Keys(took), func(a, b string) int { return cmp.Compare(len(took[b]), len(took[a])) })
	for _, name := range most[:5] {
		times := took[name]
		slices.Sort(times)
		fmt.Printf("%s: %d, p50 %d µs, p99 %d µs\n", name, len(times), times[(len(times)-1)/2]/1000,
			times[(len(times)-1)*99/100]/1000)
	}
	// Output:
	// newfstatat: 159, p50 10 µs, p99 71 µs
	// openat: 133, p50 13 µs, p99 282 µs
	// mmap: 95, p50 50 µs, p99 344 µs
	// rt_sigaction: 86, p50 1 µs, p99 15 µs
	// close: 56, p50 6 µs, p99 28 µs
}
