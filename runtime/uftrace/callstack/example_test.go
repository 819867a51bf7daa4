package callstack_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// The number of calls of each function, and the maximum number of open calls around it.
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

// A flame profile: the time of each stack in ns, without the calls below, as uftrace dump
// --flame-graph --sample-time=1ns prints it.
func Example_flame() {
	rec, err := uftrace.Open("../../../cmd/internal/bench/calls/bench.data")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	player, err := callstack.New(rec, callstack.Options{})
	if err != nil {
		log.Fatal(err)
	}
	self := map[string]uint64{}
	for s := range player.All(context.Background()) {
		if s.Entry.Kind != uftrace.Leave {
			continue
		}
		var stack []string
		for _, f := range s.Callers() {
			stack = append(stack, f.Name())
		}
		self[strings.Join(append(stack, s.Frame.Name()), ";")] += s.Frame.Self()
	}
	if err := player.Err(); err != nil {
		log.Fatal(err)
	}
	for _, stack := range slices.Sorted(maps.Keys(self)) {
		fmt.Println(stack, self[stack])
	}
	// Output:
	// main 6740
	// main;work 321
	// main;work;node 2924
	// main;work;node;leaf 801
}
