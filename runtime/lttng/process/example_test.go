package process_test

import (
	"fmt"
	"log"
	"os"

	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/lttng/process"
	"github.com/tracec/tracec/runtime/record"
)

// The process on each processor during a trace.
func Example() {
	dir, err := os.MkdirTemp("", "trace")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	w, err := lttng.NewWriter(lttng.CreateIn(dir),
		lttng.Layout{Dialect: lttng.V26, WordSize: 8, Alignment: 8, BlockSize: 4096, CPUs: 1, Freq: 1_000_000_000})
	if err != nil {
		log.Fatal(err)
	}
	schedule, err := w.Marker("kernel", "sched_schedule", "prev_pid %d next_pid %d prev_state #2d%ld")
	if err != nil {
		log.Fatal(err)
	}
	for i, pid := range []int32{7, 8} {
		if err := w.Event(0, schedule, uint64(1000*(i+1)), int32(0), pid, int16(0)); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	rec, err := lttng.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	state := process.New(rec.Traces()[0])
	m := rec.Merge(record.Options{})
	for r, e := range m.All() {
		state.Apply(r, e.Marker)
		if e.Marker.Name == "sched_schedule" {
			fmt.Println(r.Time, state.Running(r.CPU).PID)
		}
	}
	// Output:
	// 1000 7
	// 2000 8
}
