package ftrace

import (
	"github.com/tracec/tracec/runtime/record"

	"github.com/tracec/tracec/runtime/internal/damage"
)

// sliceState is the state of a stream that reads a slice of its recording. part is nil for the
// whole stream.
type sliceState struct {
	part *record.Part // nil for the whole stream
	flat *flat        // if it is a part
	held damage.Log   // if it is a part
}
