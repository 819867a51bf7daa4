package ftrace

import (
	"github.com/tracec/tracec/runtime/record"

	"github.com/tracec/tracec/runtime/internal/damage"
)

// sliceState is the state of a stream that reads a slice of its recording.
type sliceState struct {
	part *record.Part // nil for the whole stream
	flat *flat        // set if the stream is a part
	held damage.Log   // used if the stream is a part
}
