package perfetto

import (
	"iter"

	"github.com/tracec/tracec"
)

// Exported for tests.
var (
	AppendText = appendText[[]byte]
	IsMark     = func(s string) bool { return isMark([]byte(s)) }
)

// Encoder returns a function that encodes events of ftrace of a 64-bit machine with some streams,
// reusing its memory.
func Encoder(streams int) func(iter.Seq[*tracec.Event]) {
	w := &worker{word: 8, streams: make([]int32, streams), tasks: make([]taskSet, 1)}
	var b *block
	return func(events iter.Seq[*tracec.Event]) { b = w.block(events, b) }
}
