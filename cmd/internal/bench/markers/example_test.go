package markers_test

import (
	"fmt"
	"log"

	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// A generated decoder hands the fields of a marker to its callback.
func ExampleDecoder() {
	rec, err := lttng.Open("bench.trace")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	d := markers.Decoder{
		KernelSchedSchedule: func(r *record.Record, x *lttng.Entry, v *markers.KernelSchedSchedule) {
			fmt.Printf("%d ns, CPU %d: %+v\n", r.Time, r.CPU, *v)
		},
	}
	if err := d.Run(rec); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 549755818388 ns, CPU 0: {PrevPID:800 NextPID:801 PrevState:802}
}
