// Package perf reads perf.data, the recordings of Linux perf: files, pipes and directories, of
// kernels and perfs of any version and byte order (docs/spec/perf.md).
//
// Records are the samples and the side-band records of the kernel, and the records that perf itself
// writes. Each is of an [Event]: an attribute that perf asked the kernel for, or a type of record.
// A tracepoint has the id of its format as Record.ID and the payload of its format as Record.Data,
// as in a trace.dat, so that decoders of runtime/ftrace read it. Record.Data of all others is their
// record without its header. Entry has the whole record in either case.
//
// A recorder writes the buffers of all processors one after another, in rounds. A stream holds the
// records of two rounds, and sorts them.
package perf
