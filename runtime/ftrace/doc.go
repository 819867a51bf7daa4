// Package ftrace reads recordings of the Linux kernel's ftrace: trace.dat files of versions 6 and
// 7, copies of a tracefs directory, and pipes.
//
// [Open] returns a [Recording]. [Recording.Merge] returns its records in time order;
// [Buffer.Streams] returns one stream per CPU.
//
//	rec, err := ftrace.Open("trace.dat")
//	...
//	defer rec.Close()
//	m := rec.Merge(ftrace.StreamOptions{Options: record.Options{CPUs: []int32{1}}})
//	for r := range m.All() {
//		...
//	}
//	err = m.Err()
//
// # Trust
//
// Nothing in a recording is trusted. Open fails only if nothing can be read at all. Any other error
// loses one page, chunk or section. [Recording.Damage] lists it with file and offset, and the walk
// continues. Every error matches one of the sentinels ([ErrFormat], [ErrTruncated], ...) by
// errors.Is.
//
// # Memory
//
// Files are read in blocks of 128 KiB per stream, or of a sub-buffer if it is larger. Compressed
// chunks are unpacked one at a time. A stream holds one batch of 256 records (14 KiB) and its
// block. If its data are packed, it holds a chunk in packed and unpacked form instead of a block. A
// chunk is ten sub-buffers as trace-cmd writes them, MaxChunk at most, and 128 KiB for the decoder.
// A recording holds its metadata, MaxMeta at most, and its symbol tables once they are used. A
// compressed section unpacks to MaxSection at most. None of these sizes grows with the length of
// the recording.
//
// Record.Data is valid until the next call of its stream.
//
// # Order and loss
//
// Records of equal time come in the order of their buffers, then of their CPUs, as in trace-cmd
// report. Record.Lost is set on the first record after the loss. It is LostUnknown if the
// unreadable bytes may have been records. Record.Task is -1 if an event has no pid.
package ftrace
