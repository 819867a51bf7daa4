package ftrace

import (
	"io"

	"github.com/tracec/tracec/runtime/internal/memory"
)

// Extent returns the end of a trace.dat according to its own sizes. It returns false if the end is
// not within the first size bytes of r, or if the sizes are damaged. It also returns false if there
// is no size. An example is the text of a latency tracer in a file of version 6, which ends with
// the file.
func Extent(r io.ReaderAt, size int64) (end int64, ok bool) {
	src := &source{name: "trace.dat", r: r, size: size}
	rec := &Recording{sources: []*source{src}, memory: memory.New(0), led: sections{measuring: true}}
	if rec.open(src) != nil {
		return 0, false
	}
	rec.finish()
	for _, b := range rec.buffers {
		if b.text != nil {
			rec.led.claims(b.text.end)
		}
		for i := range b.CPUs {
			rec.led.claims(b.CPUs[i].Offset + b.CPUs[i].Size)
		}
	}
	return rec.led.claimed, rec.damage.Stats().Count == 0 && rec.led.claimed < size
}

// claims notes the end of a part of the recording.
func (x *sections) claims(end int64) { x.claimed = max(x.claimed, end) }
