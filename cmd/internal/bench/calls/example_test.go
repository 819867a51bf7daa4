package calls_test

import (
	"fmt"
	"log"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// A generated decoder hands the values of a function to its callback.
func ExampleDecoder() {
	rec, err := uftrace.Open("bench.data")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	returns := 0
	d := calls.Decoder{
		Leaf: func(r *record.Record, x *uftrace.Entry, v *calls.LeafArgs) {
			fmt.Printf("depth %d: leaf(%d)\n", x.Depth, v.Arg1)
		},
		LeafReturn: func(*record.Record, *uftrace.Entry) { returns++ },
	}
	if err := d.Run(rec); err != nil {
		log.Fatal(err)
	}
	fmt.Println(returns, "returns")
	// Output:
	// depth 3: leaf(0)
	// depth 3: leaf(1)
	// depth 3: leaf(2)
	// 3 returns
}
