package command

import (
	"os"
	"runtime"
	"runtime/debug"
)

// startHeap is how large the heap may become before the garbage collector runs for the first time, as a multiple of the 4 MB that it takes by
// itself. Most commands need less from begin to end, and the others run through half a dozen collections while their buffers grow, each of
// which slows down all workers. From the first collection on the heap is what it would be otherwise.
const startHeap = 4

// collectLater has the first collection wait. Who sets GOGC has his way.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	percent := debug.SetGCPercent(100 * startHeap)
	first := &struct{ self *byte }{}
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, percent)
}
