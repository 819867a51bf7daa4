// Package profile sums up a recording by call stacks and writes the sums as a profile: for pprof,
// as folded stacks, and for speedscope.
//
//	r, err := dynamic.NewReader(rec, dynamic.WithThreads())
//	err = profile.Write(w, r, profile.Options{Format: profile.Pprof})
//
// What reads them:
//
//	go tool pprof -http=: app.pb.gz                                  # flame graph, call graph, differences of two with -diff_base
//	go tool pprof -top -tagroot=thread app.pb.gz                     # functions below their threads
//	flamegraph.pl --countname=ns app.folded > app.svg
//	speedscope app.speedscope.json                                   # or https://www.speedscope.app, which reads all three
//
// # Stacks
//
// A stack is the spans that are open on a track of export/timeline: calls of functions (uftrace,
// function_graph), system calls, interrupts, and what is between other pairs of events. The time
// that a thread of uftrace is off its processor is a call of linux:schedule, as uftrace report has
// it. What processors run is no stack: its time is that of the threads. Functions of the kernel and
// the system calls of a thread are stacks of their own, since the tracer function_graph sees the
// functions that make up a system call; where both were recorded, their times are of the same time,
// and patterns of the reader choose one of them.
//
// Stack samples, the events kernel_stack and user_stack of ftrace, belong to the event before them
// in their processor's buffer, when that is of the same thread. A reader with patterns yields them
// with dynamic.WithStacks. The stack of an event is the frames of the program, those of the kernel,
// and the event itself as the innermost frame. Where the event begins a span, such as a system
// call, the span counts at that stack, with its time. A stack whose event was not read counts
// without an innermost frame. Addresses of the kernel have the names of the recording's kallsyms,
// those of programs the file that is mapped there and the offset into the mapping, when trace-cmd
// recorded the maps; others are hexadecimal numbers.
//
// # Values
//
// Options.Value says what is summed up:
//
//   - self: the time that calls took without the calls within them, in nanoseconds; where clocks have no scale, in units of the clock. Stack samples have no time.
//   - calls: how many calls there were, and stack samples.
//   - the name of an integer field of events or calls, such as bytes_req of kmem:kmalloc: the sum over the events at their stack, which ends with the event itself; where an event
//     has no stack sample, over the spans that are open on its track.
//
// The default is self, or calls for a recording without times: of stack samples, or of events that
// only begin something.
//
// pprof has two values for each stack: calls/count and time/nanoseconds, or events/count and the
// field; Options.Value says which of them it shows when it is not told. Its labels are thread and
// process as name-number, and tid and pid; its mappings are the modules of functions, and the
// systems of other events.
//
// A call of a function whose end was not recorded counts until the recording ends, as uftrace
// report has it; other spans do where the recording has ends of others of their name. Those that
// have no time are a warning.
//
// The sums of go tool pprof -top are the total and self times of uftrace report. To that end the
// time of a call that is neither its own nor of a call within it, of lost records, is the frame
// [lost] within it. Where calls within have taken more, as longjmp jumped over their callers, the
// difference is a negative time of the frame [counted twice], which only pprof can show. Totals
// differ for functions of one name at several addresses that call each other, which uftrace report
// counts twice, and for calls that began before the recording, of which it counts the outermost
// alone.
//
// # Limits
//
// Memory is about 50 bytes for each different stack. There are at most Options.MaxStacks of them;
// what comes after them counts in the frame [other stacks] of its thread, and Options.Warn says so.
// Calls deeper than 2048 count in the frame [deeper].
//
// Names may hold any bytes. A byte that is not part of valid UTF-8 becomes \xNN in all three
// formats, see export/columns. Folded stacks have no way to quote: a semicolon in a name becomes a
// colon, as stackcollapse-perf.pl has it, and control characters become spaces. Folded stacks and
// speedscope know no negative sums, of a field or of [counted twice]: those are left out, with a
// warning.
//
// Profiles of speedscope are sampled, not evented: one of each thread, a weight for each stack.
// Evented ones hold every begin and end, so that their size is that of the recording; the Chrome
// trace of export/chrome is that.
//
// uftrace dump --flame-graph prints folded stacks, too (report/uftrace/export): without threads, in
// samples of a microsecond or more in place of nanoseconds, and cut where uftrace cuts them.
package profile
