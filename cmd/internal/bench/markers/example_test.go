package markers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// A generated decoder calls the callback of a marker with its fields.
func ExampleDecoder() {
	rec, err := lttng.Open("bench.trace")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	d := markers.Decoder{
		KernelSchedSchedule: func(r *record.Record, x *lttng.Entry, e *markers.KernelSchedSchedule) error {
			_, err := fmt.Printf("%d ns, CPU %d: %+v\n", r.Time, r.CPU, *e)
			return err
		},
	}
	if err := d.Run(context.Background(), rec); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 549755818388 ns, CPU 0: {PrevPID:800 NextPID:801 PrevState:802}
}
