// Package perf reads perf.data, the recordings of Linux perf: files, pipes and directories, of
// kernels and perfs of any version and byte order (docs/spec/perf.md).
//
// Records are the samples and the side-band records of the kernel, and the records that perf itself
// writes. Each record has an [Event], which is an attribute that perf requested from the kernel, or
// a type of record. Record.ID of a tracepoint is the id of its format, and Record.Data is the
// payload that the format describes. Decoders of runtime/ftrace read it, as they read a trace.dat.
// For other events Record.Data is the record without its header. Entry always has the whole record.
//
// A recorder writes the buffers of all processors one after another, in rounds. A stream holds the
// records of two rounds, and sorts them. [Recording.Slices] cuts a file at the ends of rounds. A
// [Scout] does so for goroutines that follow names.
package perf
