package ftrace

import "github.com/tracec/tracec/runtime/internal/choice"

// selection is the part of the options that a stream observes while it reads.
type selection struct {
	choice *choice.Choice // nil if all records are selected
	kinds  *choice.Kinds  // of choice
	sought bool
	since  uint64
	until  uint64 // 0 means no end
}
