// Package ftrace reads recordings of the Linux kernel's ftrace ring buffer: trace.dat files of version 6
// and 7 (uncompressed, zstd, zlib), copies of a tracefs directory, and trace.dat through a pipe.
//
// A Recording says what was recorded (Info, Formats, names) and has Buffers: the top trace buffer first,
// then the instances. A Buffer has one record.Stream per CPU; record.Merger puts them in time order.
//
//	rec, err := ftrace.Open("trace.dat")
//	...
//	defer rec.Close()
//	m := record.NewMerger(rec.Streams(ftrace.StreamOptions{}))
//	err = m.Run(func(r *record.Record) error { ... })
//
// # Trust
//
// Nothing in a recording is trusted. Open fails only when there is nothing to read at all; whatever else
// is wrong costs the page, chunk or section it is in, is listed by Recording.Damage with file and offset,
// and the walk goes on. Every error matches one of the sentinels (ErrFormat, ErrTruncated, ...) by
// errors.Is.
//
// # Memory
//
// A file is mapped where the system can do that, and mapped pages that a stream has passed are given back,
// so that the resident part stays small. Then Record.Data is valid until Close. Where a file cannot be
// mapped it is read in blocks. A stream holds one batch of 256 records (14 KiB) and, when its data are
// compressed or read, one block or unpacked chunk (40 KiB as trace-cmd writes them, MaxChunk at most,
// beside as much again for a packed chunk that has to be read). A
// recording holds the texts of its formats and, once asked for, of its symbol tables; a section of
// compressed meta data unpacks to MaxSection at most. None of this grows with the length of the recording.
//
// A mapped file must not be truncated by others while it is read: the size is checked again for every
// block and a fault inside the walk is caught and reported as ErrTruncated, but a callback that touches
// Record.Data in that moment is stopped by the system (SIGBUS). WithoutMapping avoids that.
package ftrace
