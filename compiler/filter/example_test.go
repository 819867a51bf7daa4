package filter_test

import (
	"encoding/binary"
	"fmt"
	"log"

	"github.com/tracec/tracec/compiler/filter"
	grammar "github.com/tracec/tracec/grammar/filter"
)

// A filter over records of four bytes.
func Example() {
	f, err := grammar.Parse(`sched/.*: prio < 100 && COMM =~ "^kworker"`)
	if err != nil {
		log.Fatal(err)
	}
	p := filter.Compile(f, func(name string) (filter.Field, bool) {
		prio := func(data []byte) uint64 { return uint64(binary.LittleEndian.Uint32(data)) }
		return filter.Field{Int: prio}, name == "prio"
	})
	for _, prio := range []byte{50, 120} {
		s := filter.Subject{Data: []byte{prio, 0, 0, 0}, Comm: []byte("kworker/0:1")}
		fmt.Println(prio, f.Matches("sched", "sched_switch") && p.Pass(&s))
	}
	// Output:
	// 50 true
	// 120 false
}
