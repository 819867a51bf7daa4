// Package aix reads and writes recordings of the AIX trace facility: event streams of 32- and
// 64-bit systems, log files, and the sets of trace -C all.
//
// [Open] returns a [Recording]. Each of its records comes with an [Entry] for the data that a
// [record.Record] has no field for, such as the full thread id and the place in the file.
// Record.Data is big-endian and runs from the hook word to the end of the event's data. Records of
// 32-bit programs on a 64-bit kernel are rewritten to the layout that trace templates expect.
//
//	rec, err := aix.Open("trace.raw")
//	...
//	defer rec.Close()
//	ctx := rec.Context(nil)
//	m := rec.Merge(record.Options{})
//	for r, e := range m.All() {
//		ctx.Update(r, e)
//		...
//	}
//	err = m.Err()
//
// # Records
//
// Record.ID is the hook id in its form of 16 bits: the id 010 of three digits is 0x0100.
// Record.Data begins with the hook word and ends with the last byte of the event's data: no
// padding, no thread id, no time stamp. It is big-endian on every machine. Entries of 32-bit
// programs on a 64-bit kernel and of 64-bit programs on a 32-bit kernel have been rewritten to the
// form that templates expect ([Rewrite]). Record.Time is in nanoseconds if the recording contains
// its scale (hook 00A, subhook 25C), otherwise in ticks. Entries without a stamp have the time of
// the previous entry. Record.Task is the thread id, or -1 if it has more than 31 bits. Entry.TID is
// the full id. Record.CPU is the processor if the entry or its file has it, otherwise -1.
//
// Batches, and everything to which their records and entries point, are valid until the stream's
// next call.
//
// # Trust
//
// Nothing in a recording is trusted. If an entry or the bytes after it are not plausible, any byte
// may be the first of the next entry. The chain of entries and gaps that explains the next 8 KiB
// best is selected. It is weighed by the stream so far: hooks and the lengths of their data,
// threads, and the order of time stamps. Gaps are skipped, counted, and listed by
// [Recording.Damage] with file and offset. The first record after a gap has Lost =
// record.LostUnknown. If bytes were cut from a stream or inserted, only the affected entries are
// lost. Memory does not grow with the recording. A stream holds one window of 256 KiB, one batch of
// 256 records, 64 KiB of rewritten entries and, after damage, 350 KiB for the search.
//
// # Choices
//
// Some parts of the format are not published by IBM. Each of our assumptions has a name:
//
//   - [WithCPUID]: the place of the processor number of trace -p in an entry
//   - [WithShortWord]: the half of the data word that a 32-bit program's generic hook has on a
//     64-bit
//     kernel
//   - [WithMaxBuffer]: the longest buffer of a generic hook
//   - [WithClock]: the scale of the clock, if the recording has none or a wrong one; the first one
//     found is used
//   - [WithUnwrap]: the rule by which a stamp of 32 bits has begun a new period
//   - [WithCPUFiles]: whether files named like those of trace -C belong to a log file
//   - [WithKind]: the kind of a file that cannot be recognized; [Detect] returns the kind of others
//   - [LogInfo.Order]: the order in which the buffers of a log file are read
//   - [Layouts]: the payloads of the dispatch, exec and fork hooks and of the subhooks of 00A;
//     empty by default. The hook word of a generic 32-bit hook has a length instead of the
//     subhook. Its subhook is the low half of its data word.
package aix
