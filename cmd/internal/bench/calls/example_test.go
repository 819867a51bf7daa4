package calls_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec/cmd/internal/bench/calls"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Loop over the calls of a function and its returns, with its arguments.
func ExampleBind() {
	rec, err := uftrace.Open("bench.data")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	dec, err := calls.Bind(rec, calls.LeafEvent, calls.LeafReturnEvent)
	if err != nil {
		log.Fatal(err)
	}
	returns := 0
	for _, e := range dec.Events(context.Background(), record.Options{}) {
		switch e := e.(type) {
		case *calls.LeafArgs:
			fmt.Printf("depth %d: leaf(%d)\n", dec.Entry().Depth, e.Arg1)
		case *calls.LeafResult:
			returns++
		}
	}
	if err := dec.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(returns, "returns")
	// Output:
	// depth 3: leaf(0)
	// depth 3: leaf(1)
	// depth 3: leaf(2)
	// 3 returns
}
