package markers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec/cmd/internal/bench/markers"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// Loop over the records of a marker, with its fields.
func ExampleBind() {
	rec, err := lttng.Open("bench.trace")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	dec, err := markers.Bind(rec, markers.KernelSchedScheduleEvent)
	if err != nil {
		log.Fatal(err)
	}
	for r, e := range dec.Events(context.Background(), record.Options{}) {
		fmt.Printf("%d ns, CPU %d: %+v\n", r.Time, r.CPU, *e.(*markers.KernelSchedSchedule))
	}
	if err := dec.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 549755818388 ns, CPU 0: {PrevPID:800 NextPID:801 PrevState:802}
}
