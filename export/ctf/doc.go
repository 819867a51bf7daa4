// Package ctf writes the events of a recording as a trace in the Common Trace Format, of version 2
// or 1.8 (docs/spec/ctf.md). Trace Compass, babeltrace2 and tracec read it.
//
// Each processor has a stream. Events without a processor are in the stream of their thread. Times
// are nanoseconds of one clock. Its origin is the Unix epoch if the recording has wall-clock time.
// Times in a stream never step back: an event earlier than the last one of its processor is in
// another stream of it. Each packet has the number of events lost before its end. If that number is
// unknown, the sequence number of the next packet skips one. Events have the process (vpid), the
// thread (vtid) and its name (procname). Events of a trace in CTF already have them among their
// fields.
//
// The name of an event is PROVIDER:NAME. The names of calls end in _entry, the names of returns in
// _exit. Fields keep the names, signs, sizes, bases and structure of the description. Named values
// that occur become labels of an enumeration. Events that lack some fields have another class with
// the same name.
//
// In version 1.8 names of fields are identifiers: other characters become underscores. Lists and
// bytes have their length in a preceding field, NAME_length, unless a trace in CTF already has one.
// A member of a structure that may be missing is a list with at most one element. Attributes, log
// levels and URIs of a trace in CTF are not written. babeltrace2 rejects a trace with a time of
// 2^63 ns or more.
package ctf
