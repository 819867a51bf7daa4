package lttng

// gaps counts the events that are missing before an event, by the headers of sub-buffers.
type gaps struct {
	losses  losses
	entered uint64 // the state before the current sub-buffer
	lost    int64  // lost before the next event, which is the first of its sub-buffer
	odd     bool   // the sub-buffer does not have its declared size: events may be missing
	brief   bool   // only the first event of the sub-buffer is read, for the loss before it
}
