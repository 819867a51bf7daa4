// Package ctf writes the events of a recording as a trace in the Common Trace Format, of version 2
// or 1.8 (docs/spec/ctf.md). Trace Compass and babeltrace2 read it, and tracec does.
//
// A processor has a stream, and so has a thread where events do not tell their processor. Times are
// nanoseconds of one clock, whose origin is the Unix epoch if the recording knows the wall clock. A
// stream never goes back in time: an event before the last one of its processor is in another
// stream of it. Each packet has the number of events lost before its end. Where that is not known,
// the number of the next packet skips one. Events have the process (vpid), the thread (vtid) and
// its name (procname). Those of a trace in CTF have them among their fields already.
//
// An event is named PROVIDER:NAME. Where calls have returns, _entry or _exit follows. Its fields
// have the names, signs, sizes, bases and structure that the description gives them. Named values
// become labels of an enumeration, as far as they occur. An event that lacks fields is of a class
// of its own without these, of the same name. In version 1.8 names of fields are identifiers: other
// characters become underscores. Lists and bytes have their length in a field before, NAME_length,
// unless a trace in CTF has one already. A member of a structure that may be missing is a list of
// none or one. Attributes, log levels and URIs of a trace in CTF are not written.
// babeltrace2 refuses a trace with a time of 2^63 ns or more.
package ctf
