// Package lttng reads the traces of LTTng before CTF: versions 0.7 to 2.6, 2006 to 2011. A trace is a directory with one
// file a channel and processor; files are rows of sub-buffers, and what the events hold is told by marker formats that
// the trace records about itself.
//
// # Dialects
//
// The version in the header selects the layout of headers, the rules of alignment and the way that events are
// numbered (lttng.md 3 to 5). WithDialect(Seed) reads the literal layout of the document of 2008/06/02 that no program wrote.
//
// # Units, byte order, memory
//
// Times are nanoseconds since the processor's time stamp counter was 0, by the formula of the readers of the era
// unless WithTime chooses. Integers are in the byte order of the trace. Records, entries and their data are valid
// until the next call of the stream that gave them. A Recording may be used by several goroutines; a Stream and a
// Merged by one.
package lttng
