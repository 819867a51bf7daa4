// Package lttng reads traces of LTTng from before CTF, versions 0.7 to 2.6.
//
// [Open] reads a trace, or a directory of several traces as one [Recording].
// A trace describes its own events by markers; each record comes with an
// [Entry] that points to its marker. Events do not record their thread.
// [Recording.MergeTasks] finds it by following the scheduler.
//
// # Dialects
//
// The version in the header selects the layout of headers, the rules of alignment and the way that
// events are numbered (lttng.md 3 to 5). WithDialect(Seed) reads the literal layout of the document
// of 2008/06/02 that no program wrote.
//
// # Facilities
//
// Events of 0.7 and 0.8 belong to facilities. core and user_generic are built in, and of kernel
// sched_schedule; others are described by eventdefs/<facility>.xml, or <facility>_<arch>.xml, in
// the trace or where WithEventDefs says. A description is an element facility with elements event
// in the order of their numbers, each with elements field that hold a type: char, uchar, short,
// ushort, int, uint, long, ulong, size_t, ssize_t, off_t, pointer, enum, float (all may have a
// size, a float must), string, array, a sequence of the type of its length and that of its
// elements, struct, union, or a typeref to an element type or typedef. off_t is as large as size_t,
// as readers took it; values of an enum show as numbers. A union has no string or sequence in it.
// What a description gets wrong is damage that names the line, and the events that it is about show
// as bytes.
//
// Integers and floats are aligned as integers of markers are, structures, unions and sequences as
// much as anything in them, as compilers of C and the writers of the era did; a structure or union
// is as long as a multiple of that, unless a string or a sequence is in it. After a string or a
// sequence comes padding to the size of a pointer. No recorded trace that could confirm this for
// more than integers and strings is left (lttng.md 9 and 10).
//
// # Sets
//
// A directory of several traces, such as those of all programs that ran (UST wrote a directory for
// each), opens as one Recording: its Merge yields the events of all in time order. [File.Trace] and
// [Marker.Trace] say which trace an event is of. Each trace has its own version, byte order, clock
// and descriptions: markers of the same name may differ. From 2.3 on a trace is the files of one
// directory; up to 2.2 it has files in the folders control and ltt-usertrace, too. Links to
// directories are followed, to each directory once.
//
// Times are those of each clock, as those of LTTV, which never used the wall clock of a trace.
// Clocks of one machine count from its start, whatever reads them, so that traces of one run agree.
// WithWallClock is for traces of several machines.
//
// # Slices
//
// [Recording.Slices] cuts a trace into slices of time that several goroutines can read at once,
// with record.InSlices or the Parallel of a generated decoder: together they have the events, the
// order and the damage of a merge. Sub-buffers can only be read from their beginning, so that what
// is before a slice in those that were open then is read twice; cuts are where that is little.
//
// # Damage
//
// What cannot be read is left out up to the next sub-buffer and listed by Recording.Damage, with
// file and offset. A sub-buffer that was never closed, because the recorder was killed, does not
// say where its events end. They are read up to 64 zeros, to bytes that are no event, or to an
// event that is older than the one before; the bytes after them that are not 0 are listed. What an
// earlier use left in the memory of a 64-bit machine can pass for events, since nothing in it says
// how old it is.
//
// # Lost events
//
// Headers of 2.2 and later have the total of events that were lost until their sub-buffer was
// closed. An event is lost when its sub-buffer has no room for it and the next one has not been
// read yet, and the sub-buffer is closed when the next one begins. So what a header counts beyond
// the one before was lost after the last event of its sub-buffer: Record.Lost of the first event of
// the next one has it. Those are the exceptions: smaller events can still have had room after a
// lost one, and what was lost between a flush and the next event is counted by the sub-buffer of
// that event, so that it is said one sub-buffer late.
//
// What was lost after the last event of a file no Record says, but [File.LostAtEnd];
// [File.EventsLost] is all that the headers count. A total that is lower than the one before is
// damage: from there on Record.Lost is record.LostUnknown where totals differ. A sub-buffer that
// was never closed has no total. Before 2.2 nothing says whether events were lost by the tracer.
//
// Where damage skips events, or what may have been some, Record.Lost of the next one in its file is
// record.LostUnknown.
//
// # Writing
//
// A [Writer] makes traces of 1.0 and 2.x, for tests and tools.
//
// # Units, byte order, memory
//
// Times are nanoseconds since the processor's time stamp counter was 0, by the formula of the
// readers of the era unless WithTime or WithWallClock chooses. Integers are in the byte order of
// the trace. Records, entries and their data are valid until the next call of the stream that gave
// them. A Recording may be used by several goroutines; a Stream and a merge by one.
package lttng
