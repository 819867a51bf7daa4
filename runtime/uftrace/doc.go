// Package uftrace reads recordings of uftrace: the call records of each thread, symbols and memory
// maps, and the events of the kernel and of perf.
//
// [Open] reads a directory. Each record comes with an [Entry]. Its kind is a call, a return or an
// event. To follow calls, with filters and call stacks, use package callstack.
//
//	rec, err := uftrace.Open("uftrace.data")
//	...
//	defer rec.Close()
//	m := rec.Merge(uftrace.MergeOptions{Options: record.Options{Tasks: []int32{4711}}})
//	for r, e := range m.All() {
//		...
//	}
//	err = m.Err()
//
// # Payloads
//
// A record with arguments is followed by values. Their length is not in the file. It follows from
// the argument specs of its function, which are text in the recording. Open evaluates them over the
// symbols (see [Spec]), so that a stream can walk. If a payload fits no spec, the bytes up to the
// next plausible record are skipped and counted (see [Damage]).
//
// # Lost records
//
// Entries of kind Lost have the number of records missing before the next one, and so does their
// Record.Lost. The missing records are of their thread, or of the kernel on their processor. Losses
// reported by perf are in Record.Lost of the next event of its file. If damage of a file skips
// bytes that may have been records, Record.Lost of the next record of any kind is
// record.LostUnknown. This applies to the files of threads, of the kernel and of perf. Bytes of a
// payload of unknown length are not records.
//
// # Units, byte order, memory
//
// Times are nanoseconds of the recorded clock, CLOCK_MONOTONIC by default. Numbers of payloads are
// in the byte order of the recording ([Info.BigEndian]). Records, entries and their data are valid
// until the next call of the stream that returned them. Several goroutines may use a [Recording],
// but only one a [Stream] or a merge.
//
// # Index
//
// Streams that select records by their ids skip parts of files without such records, if there is an
// index beside the directory: see [Recording.Index].
package uftrace
