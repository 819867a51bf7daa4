// Package uftrace reads recordings of uftrace: the call records of each thread,
// symbols and memory maps, and the events of the kernel and of perf.
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
// symbols (see [Spec]), so that a stream can walk. A payload that fits no spec costs the bytes up
// to the next plausible record, and is counted (see [Damage]).
//
// # Lost records
//
// Entries of kind Lost, and their Record.Lost, have the number of records missing before the next
// one, of their thread, or of the kernel on their processor. Losses reported by perf are in
// Record.Lost of the next event of its file. Where damage of a file skips bytes that may have been
// records, Record.Lost of the next one, whatever its kind, is record.LostUnknown: in the files of
// threads, of the kernel and of perf. Bytes of a payload of unknown length are not records.
//
// # Units, byte order, memory
//
// Times are nanoseconds of the clock that was recorded, CLOCK_MONOTONIC by default. Numbers of
// payloads are in the byte order of the recording ([Info.BigEndian]). Records, entries and their
// data are valid until the next call of the stream that gave them. A [Recording] may be used by
// several goroutines; a [Stream] and a merge by one.
//
// # Index
//
// Streams that select records by their ids skip parts of files without such records, if there is an
// index beside the directory: see [Recording.Index].
package uftrace
