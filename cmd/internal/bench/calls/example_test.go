package calls_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// A generated decoder calls the callback of a function with its values.
func ExampleDecoder() {
	rec, err := uftrace.Open("bench.data")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	returns := 0
	d := calls.Decoder{
		Leaf: func(r *record.Record, x *uftrace.Entry, e *calls.LeafArgs) error {
			_, err := fmt.Printf("depth %d: leaf(%d)\n", x.Depth, e.Arg1)
			return err
		},
		LeafReturn: func(*record.Record, *uftrace.Entry) error { returns++; return nil },
	}
	if err := d.Run(context.Background(), rec); err != nil {
		log.Fatal(err)
	}
	fmt.Println(returns, "returns")
	// Output:
	// depth 3: leaf(0)
	// depth 3: leaf(1)
	// depth 3: leaf(2)
	// 3 returns
}
