package lttng

// gaps counts the events that are missing before an event, from the headers of sub-buffers.
type gaps struct {
	losses  losses
	entered uint64 // the state of these before the sub-buffer
	lost    int64  // before the next event, which is the first of its sub-buffer
	odd     bool   // the sub-buffer does not have its declared size: events may be missing
	brief   bool   // of the sub-buffer only the first event is read, before which something was lost
}
