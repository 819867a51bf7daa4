// Package aix reads and writes recordings of the AIX trace facility: event
// streams of 32- and 64-bit systems, log files, and the sets of trace -C all.
//
// [Open] returns a [Recording]. Each of its records comes with an [Entry] for
// what a [record.Record] has no field for, such as the full thread id and the
// place in the file. Record.Data is big-endian and runs from the hook word to
// the end of the event's data. Records of 32-bit programs on a 64-bit kernel
// are rewritten to the layout that trace templates expect.
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
// padding, no thread id, no time stamp. It is big-endian, whatever the machine. Entries of 32-bit
// programs on a 64-bit kernel and of 64-bit programs on a 32-bit kernel have been rewritten to the
// form that templates expect ([Rewrite]). Record.Time is in nanoseconds when the recording holds
// its scale (hook 00A, subhook 25C), else in ticks; entries without a stamp have the time of the
// entry before. Record.Task is the thread id, -1 when it has more than 31 bits; Entry.TID is all of
// it. Record.CPU is the processor when the entry or its file says so, else -1.
//
// Batches, and all that their records and entries point to, are valid until the stream's next call.
//
// # Trust
//
// Nothing in a recording is trusted. Where an entry makes no sense, or what follows it makes none,
// any byte may be the first of the next entry: the chain of entries and gaps that explains the next
// 8 KiB best is taken, judged by what the stream has shown so far: hooks and the lengths of their
// data, threads, and the order of time stamps. What is in the gaps is skipped, counted, and listed
// by [Recording.Damage] with file and offset. The first record after a gap has Lost =
// record.LostUnknown. What is lost of a stream from which bytes were cut, or into which some were
// inserted, are the entries that were hit. Memory does not grow with the recording: a stream holds
// one window of 256 KiB, one batch of 256 records, 64 KiB of rewritten entries and, after damage,
// 350 KiB for the search.
//
// # Choices
//
// What IBM has not published, and what we therefore chose, has one name each:
//
//   - [WithCPUID]: where the processor number of trace -p lies in an entry
//   - [WithShortWord]: which half of the data word a 32-bit program's generic hook has on a 64-bit kernel
//   - [WithMaxBuffer]: the longest buffer of a generic hook
//   - [WithClock]: the scale of the clock, where the recording has none or a wrong one; the first one found is taken
//   - [WithUnwrap]: when a stamp of 32 bits has begun a new period
//   - [WithCPUFiles]: whether files named like those of trace -C belong to a log file
//   - [WithKind]: what a file is that does not look like it; [Detect] says what the others look like
//   - [LogInfo.Order]: the order in which the buffers of a log file are read
//   - [Layouts]: what the dispatch, exec and fork hooks and the subhooks of 00A hold; there are none
//     to begin with. The subhook of a generic 32-bit hook, whose hook word has a length in its place, is the low
//     half of its data word.
package aix
