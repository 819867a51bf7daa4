package callstack_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// How often each function was called, and how many calls were open around it at most.
func Example() {
	rec, err := uftrace.Open("../../../cmd/internal/bench/calls/bench.data")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	player, err := callstack.New(rec, callstack.Options{})
	if err != nil {
		log.Fatal(err)
	}
	calls, depth := map[string]int{}, map[string]int{}
	for s := range player.All(context.Background()) {
		if s.Entry.Kind == uftrace.Leave {
			name := s.Frame.Sym.Simple
			calls[name]++
			depth[name] = max(depth[name], s.Depth)
		}
	}
	if err := player.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(calls)
	fmt.Println(depth)
	// Output:
	// map[leaf:3 main:1 node:3 work:1]
	// map[leaf:3 main:0 node:2 work:1]
}
