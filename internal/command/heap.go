package command

import (
	"runtime"
	"runtime/debug"
)

const (
	// startPercent sets the first garbage collection to a heap of 16 MB, as a percentage of the
	// runtime's minimum heap of 4 MB. Many commands never need more. Others would collect half a
	// dozen times while their buffers grow, and each collection slows down all workers. After the
	// first collection the heap is no larger than without this setting.
	startPercent = 400
	// plainPercent is the runtime's initial value if GOGC is not set.
	plainPercent = 100
)

// collectLater delays the first collection, unless GOGC is set.
func collectLater() {
	if percent := debug.SetGCPercent(startPercent); percent != plainPercent {
		debug.SetGCPercent(percent)
		return
	}
	first := &struct{ self *byte }{}
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, plainPercent)
}
