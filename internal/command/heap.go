package command

import (
	"runtime"
	"runtime/debug"
)

const (
	// startPercent has garbage collected for the first time when the heap reaches 16 MB; it is of
	// the 4 MB that the runtime takes for the least. Many commands need less from begin to end;
	// others would collect half a dozen times while their buffers grow, which slows down all
	// workers each time. After the first collection the heap is as large as it would be otherwise.
	startPercent = 400
	// plainPercent is what the runtime begins with, unless GOGC says otherwise.
	plainPercent = 100
)

// collectLater has the first collection wait, unless GOGC says what is wanted.
func collectLater() {
	if percent := debug.SetGCPercent(startPercent); percent != plainPercent {
		debug.SetGCPercent(percent)
		return
	}
	first := &struct{ self *byte }{}
	runtime.AddCleanup(first, func(percent int) { debug.SetGCPercent(percent) }, plainPercent)
}
