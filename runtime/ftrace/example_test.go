package ftrace_test

import (
	"errors"
	"fmt"
	"io"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// Print the first events of a recording in time order.
func Example() {
	rec, err := ftrace.Open("../../testdata/ftrace/amd64-date.dat")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rec.Close()
	names := map[uint32]string{}
	for _, f := range rec.Formats() {
		names[uint32(f.ID)] = f.System + ":" + f.Name
	}
	n := 0
	for r := range rec.Merge(ftrace.StreamOptions{NoDate: true}).All() {
		fmt.Printf("%d ns CPU %d %s-%d %s, %d bytes\n", r.Time, r.CPU, rec.Comm(r.Task), r.Task, names[r.ID],
			len(r.Data))
		if n++; n == 4 {
			break
		}
	}
	// Output:
	// 166696364854 ns CPU 0 sh-627 sched:sched_wakeup, 36 bytes
	// 166700702078 ns CPU 0 trace-cmd-626 sched:sched_wakeup, 36 bytes
	// 166702646550 ns CPU 1 <idle>-0 sched:sched_wakeup, 36 bytes
	// 166704570642 ns CPU 0 <idle>-0 sched:sched_wakeup, 36 bytes
}

// Read the last tenth of a second of one processor, a batch at a time.
func ExampleBuffer_Streams() {
	rec, err := ftrace.Open("../../testdata/ftrace/amd64-date.dat")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rec.Close()
	opts := ftrace.StreamOptions{NoDate: true, Options: record.Options{CPUs: []int32{1}, Since: 166_700_000_000,
		Until: 166_800_000_000}}
	n := 0
	for _, s := range rec.Buffers()[0].Streams(opts) {
		for {
			batch, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			n += len(batch.Records)
		}
	}
	fmt.Println(n, "events,", rec.DamageStats().Count, "places that could not be read")
	// Output:
	// 13 events, 0 places that could not be read
}

// Name the threads of events, and the kernel's functions.
func ExampleRecording_Names() {
	rec, err := ftrace.Open("../../testdata/ftrace/amd64-date.dat")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer rec.Close()
	names, seen := rec.Names(), map[string]bool{}
	for r, x := range rec.Merge(ftrace.StreamOptions{}).All() {
		names.Follow(r, x)
		if comm := names.Thread(r, x).Comm; !seen[comm] {
			seen[comm] = true
			fmt.Println(r.Task, comm)
		}
		if len(seen) == 3 {
			break
		}
	}
	// Output:
	// 627 sh
	// 626 trace-cmd
	// 0 <idle>
}
