// Package ctf reads traces in the Common Trace Format, versions 1.8 and 2: traces of LTTng 2.x,
// barectf, Zephyr, perf data convert and others (docs/spec/ctf.md).
//
// A recording is a directory. Each folder in it with a file metadata is a trace, whose other files
// are streams of packets. Every file is a stream of records. Record.ID is Event.Index. Record.CPU
// is the field cpu_id of the packet, or the position of the file if packets have no such field.
// Record.Data has the bytes that [Form] describes.
package ctf
