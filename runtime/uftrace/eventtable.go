package uftrace

// eventTable describes events that are not calls.
type eventTable struct {
	user        map[uint32]string
	tracepoints map[uint32]string // of kernel_header
	kernelHead  kernelHeader
}
