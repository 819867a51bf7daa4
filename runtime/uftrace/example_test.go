package uftrace_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/tracec/tracec/runtime/uftrace"
)

// The calls of a small program, indented by their depth.
func ExampleOpen() {
	rec, err := uftrace.Open("../../cmd/internal/bench/calls/bench.data") // a directory that uftrace record wrote
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	calls := rec.Merge(uftrace.MergeOptions{})
	for r, e := range calls.All() {
		if e.Kind == uftrace.Enter && e.Sym != nil {
			fmt.Printf("%s%s, %d bytes of values\n", strings.Repeat("  ", int(e.Depth)), e.Sym.Name, len(r.Data))
		}
	}
	if err := calls.Err(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.DamageStats().Count, "places that could not be read")
	// Output:
	// main, 0 bytes of values
	//   work, 0 bytes of values
	//     node, 4 bytes of values
	//       leaf, 4 bytes of values
	//     node, 4 bytes of values
	//       leaf, 4 bytes of values
	//     node, 4 bytes of values
	//       leaf, 4 bytes of values
	// 0 places that could not be read
}
