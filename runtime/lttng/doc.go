// Package lttng reads traces of LTTng from before CTF, versions 0.7 to 2.6.
//
// [Open] reads a trace, or a directory of several traces as one [Recording]. A trace describes its
// own events by markers. Each record comes with an [Entry] that points to its marker. Events do not
// record their thread. [Recording.MergeTasks] finds it by following the scheduler.
//
//	rec, err := lttng.Open("trace")
//	...
//	defer rec.Close()
//	m := rec.Merge(record.Options{CPUs: []int32{1}})
//	for r, e := range m.All() {
//		...
//	}
//	err = m.Err()
//
// # Dialects
//
// The version in the header selects the layout of headers, the rules of alignment and the numbering
// of events (lttng.md 3 to 5). WithDialect(Seed) reads the literal layout of the document of
// 2008/06/02. No program wrote it.
//
// # Facilities
//
// Events of 0.7 and 0.8 belong to facilities. core and user_generic are built in, as is
// sched_schedule of facility kernel. Others are described by eventdefs/<facility>.xml, or
// <facility>_<arch>.xml, in the trace or in the directory of WithEventDefs. A description is an
// element facility with elements event in the order of their numbers. Each event has elements field
// that contain a type: char, uchar, short, ushort, int, uint, long, ulong, size_t, ssize_t, off_t,
// pointer, enum, float (all may have a size, a float must), string, array, a sequence with the
// types of its length and its elements, struct, union, or a typeref to an element type or typedef.
// off_t has the size of size_t, as in the readers of the time. Values of an enum are shown as
// numbers. A union contains no string or sequence. An error in a description is damage that names
// the line. The affected events are shown as bytes.
//
// Integers and floats are aligned like integers of markers. Structures, unions and sequences are
// aligned like their most aligned member, as in C compilers and in the writers of the era. The size
// of a structure or union is a multiple of its alignment, unless it contains a string or a
// sequence. After a string or a sequence comes padding to the size of a pointer. No recorded trace
// is left that could confirm this for more than integers and strings (lttng.md 9 and 10).
//
// # Sets
//
// A directory of several traces opens as one Recording. For example, UST wrote a directory for each
// program that ran. Its Merge yields the events of all traces in time order. [File.Trace] and
// [Marker.Trace] name the trace of an event. Each trace has its own version, byte order, clock and
// descriptions: markers of the same name may differ. From 2.3 on a trace is the files of one
// directory. Up to 2.2 it also has files in the folders control and ltt-usertrace. Links to
// directories are followed, but each directory is read only once.
//
// Times are the times of each trace's clock, as in LTTV, which never used the wall clock of a
// trace. All clocks of one machine count from its start, so traces of one run agree. WithWallClock
// is for traces of several machines.
//
// # Slices
//
// [Recording.Slices] cuts a trace into slices of time for several goroutines, with record.InSlices
// or the Parallel of a generated decoder. Together the slices have the events, the order and the
// damage of a merge. Sub-buffers can only be read from their beginning. If a slice begins inside a
// sub-buffer, the events before it in that sub-buffer are read twice. Cuts are placed where there
// are few such events.
//
// # Damage
//
// Unreadable bytes are skipped up to the next sub-buffer and listed by Recording.Damage, with file
// and offset. A sub-buffer that was never closed, because the recorder was killed, does not record
// where its events end. They are read up to 64 zeros, to bytes that are not an event, or to an
// event that is older than the previous one. Non-zero bytes after them are listed. On a 64-bit
// machine, memory left from an earlier use can pass for events, since nothing in it shows its age.
//
// # Lost events
//
// Headers of 2.2 and later have the total of events that were lost until their sub-buffer was
// closed. An event is lost if its sub-buffer has no room for it and the next one has not been read
// yet. The sub-buffer is closed when the next one begins. So the events of the increase of a
// header's total were lost after the last event of its sub-buffer. They are in Record.Lost of the
// first event of the next sub-buffer. There are two exceptions. Smaller events can still have had
// room after a lost one. Events lost between a flush and the next event are counted by the
// sub-buffer of that event, and so are reported one sub-buffer late.
//
// [File.LostAtEnd] returns the events lost after the last event of a file; no Record has them.
// [File.EventsLost] is the total of the headers. A total that is lower than the previous one is
// damage: from there on Record.Lost is record.LostUnknown if totals differ. A sub-buffer that was
// never closed has no total. Before 2.2 the trace does not record whether the tracer lost events.
//
// If damage skips events or possible events, Record.Lost of the next one in its file is
// record.LostUnknown.
//
// # Writing
//
// A [Writer] makes traces of 1.0 and 2.x, for tests and tools.
//
// # Units, byte order, memory
//
// Times are nanoseconds since the processor's time stamp counter was 0, by the formula of the
// readers of the era. WithTime or WithWallClock select another formula. Integers are in the byte
// order of the trace. Records, entries and their data are valid until the next call of their
// stream. Several goroutines may use a Recording, but only one a Stream or a merge.
package lttng
