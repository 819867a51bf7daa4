package pair_test

import (
	"fmt"

	"github.com/tracec/tracec/runtime/pair"
	"github.com/tracec/tracec/runtime/record"
)

// How long threads wait for a processor: the time from the last wakeup of a thread to the switch to
// it.
func Example() {
	woken := pair.Table[int32, string]{Unpaired: func(pid int32, b pair.Begun[string], why pair.Reason) {
		fmt.Printf("%s[%d] woken at %d: %v\n", b.Value, pid, b.Time, why)
	}}
	wakeup := func(r record.Record, pid int32, comm string) { woken.Begin(pid, &r, comm) }
	switched := func(r record.Record, next int32) {
		if b, ok := woken.End(next, &r); ok {
			fmt.Printf("%s[%d] waited for %d ns\n", b.Value, next, r.Time-b.Time)
		}
	}
	wakeup(record.Record{Time: 1000}, 7, "cat")
	wakeup(record.Record{Time: 1200}, 8, "less")
	switched(record.Record{Time: 1500}, 7)
	switched(record.Record{Time: 9000, Lost: 12}, 8) // another switch to it may be one of the twelve
	wakeup(record.Record{Time: 9100}, 7, "cat")
	woken.Finish()
	// Output:
	// cat[7] waited for 500 ns
	// less[8] woken at 1200: lost
	// cat[7] woken at 9100: unended
}

// The stack that the kernel records after an event belongs to the pair that begins there. It is
// available when the pair ends.
func ExampleTable_At() {
	type sleep struct{ stack []string }
	asleep := pair.Table[int32, sleep]{}
	last := map[int32]pair.Ref{} // by thread: the pair that began at its last event
	last[7] = asleep.Begin(7, &record.Record{Time: 1000, Task: 7}, sleep{})
	if b := asleep.At(last[7]); b != nil {
		b.Value.stack = []string{"schedule", "pipe_read"}
	}
	if b, ok := asleep.End(7, &record.Record{Time: 4000, Task: 8}); ok {
		fmt.Println(4000-b.Time, b.Value.stack)
	}
	fmt.Println(asleep.At(last[7]) == nil)
	// Output:
	// 3000 [schedule pipe_read]
	// true
}
