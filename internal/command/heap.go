package command

import (
	"os"
	"runtime"
	"runtime/debug"
)

// startHeap is how large the heap may become before garbage is collected for the first time, in multiples of the 4 MB that the runtime
// allows. Many commands need less from begin to end; others would collect half a dozen times while their buffers grow, which slows down all
// workers each time. After the first collection the heap is as large as it would be otherwise.
const startHeap = 4

// collectLater has the first collection wait, unless GOGC says what is wanted.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	percent := debug.SetGCPercent(100 * startHeap)
	first := &struct{ self *byte }{}
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, percent)
}
