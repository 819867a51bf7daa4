// Package profile sums up a recording by call stacks and writes the sums as a profile: for pprof,
// as folded stacks, and for speedscope.
//
//	r, err := tracec.NewReader(rec, tracec.WithThreads())
//	err = profile.Write(w, r, profile.Options{Format: profile.Pprof})
//
// Programs that read them:
//
//	go tool pprof -http=: app.pb.gz                                  # flame graph, call graph, differences of two with -diff_base
//	go tool pprof -top -tagroot=thread app.pb.gz                     # functions below their threads
//	flamegraph.pl --countname=ns app.folded > app.svg
//	speedscope app.speedscope.json                                   # or https://www.speedscope.app, which reads all three
//
// # Stacks
//
// A stack consists of the open spans on a track of export/timeline: calls of functions (uftrace,
// function_graph), system calls, interrupts, and the time between other pairs of events. The time
// that a thread of uftrace is off its processor is a call of linux:schedule, as in uftrace report.
// The occupation of processors is not a stack: its time is the time of the threads. Functions of
// the kernel and the system calls of a thread are separate stacks, since the tracer function_graph
// sees the functions that make up a system call. If both were recorded, their times overlap, and
// patterns of the reader select one of them.
//
// A sample of perf is a stack of its own: its call chain, or its address. A tracepoint is the
// innermost frame of its stack. Frames of programs have source lines if the program has DWARF or is
// in Go, and functions that the compiler has inlined are also frames. Go's compiler generates
// methods that call other methods. They are omitted unless they are innermost, as in profiles of
// runtime/pprof. Thus go build -pgo can use a profile of a Go program that perf recorded with call
// chains.
//
// Stack samples of ftrace, the events kernel_stack and user_stack, belong to the previous event in
// their processor's buffer, if it is of the same thread. A reader with patterns yields them with
// tracec.WithStacks. The stack of an event consists of the frames of the program, the frames of the
// kernel, and the event itself as the innermost frame. If the event begins a span, such as a system
// call, the span counts at that stack, with its time. A stack without its event counts without an
// innermost frame. Addresses of the kernel have their names in the recording's kallsyms. Addresses
// of programs have the mapped file and the offset into the mapping, if trace-cmd recorded the maps.
// Other addresses are hexadecimal numbers.
//
// # Values
//
// Options.Value selects the quantity to sum up:
//
//   - self: the time of calls without the calls within them, in nanoseconds. For clocks without a
//     scale it is in units of the clock. Stack samples have no time.
//   - calls: the number of calls and of stack samples.
//   - the name of an integer field of events or calls, such as bytes_req of kmem:kmalloc: the sum
//     over the events at their stack, which ends with the event itself. The stack of an event
//     without a stack sample consists of the open spans on its track.
//   - the name of an event that perf sampled, such as cycles: the sum of the periods of its
//     samples, as in perf report. Tracepoints together are called events.
//
// The default is self. For a recording without times it is the first event that perf sampled, or
// calls for other stack samples and for events that only begin something.
//
// pprof has two values for each stack: calls/count and time/nanoseconds, or events/count and the
// field. For perf it has samples/count and a value for each event, such as cpu-clock/nanoseconds.
// Options.Value selects the value that pprof shows by default. Only pprof has lines: the other
// formats join stacks that differ only in lines. Its labels are thread and process as name-number,
// and tid and pid. Its mappings are the modules of functions, and the systems of other events.
//
// A call of a function without a recorded end counts until the end of the recording, as in uftrace
// report. Other spans do so if the recording has ends of other spans of that name. Otherwise they
// have no time, which causes a warning.
//
// The sums of go tool pprof -top equal the total and self times of uftrace report. For this, part
// of a call's time may be in the frame [lost] within it: the time of lost records, which belongs
// neither to the call itself nor to a call within it. If calls within a call took longer than the
// call itself, since longjmp jumped over their callers, the difference is a negative time of the
// frame [counted twice], which only pprof can show. Totals differ for functions of one name at
// several addresses that call each other: uftrace report counts these twice. They also differ for
// calls that began before the recording: uftrace report counts only the outermost.
//
// # Limits
//
// Memory is about 50 bytes for each different stack. There are at most Options.MaxStacks of them.
// Later stacks count in the frame [other stacks] of their thread, which Options.Warn reports. Calls
// deeper than 2048 count in the frame [deeper].
//
// Names may hold any bytes. A byte that is not part of valid UTF-8 becomes \xNN in all three
// formats, see export/columns. Folded stacks cannot quote: a semicolon in a name becomes a colon,
// as in stackcollapse-perf.pl, and control characters become spaces. Folded stacks and speedscope
// cannot show negative sums, of a field or of [counted twice]. They are omitted, with a warning.
//
// Profiles of speedscope are sampled, not evented: one for each thread, with a weight for each
// stack. Evented profiles hold every begin and end, so that they are as large as the recording. The
// Chrome trace of export/chrome serves that purpose.
//
// uftrace dump --flame-graph also prints folded stacks (report/uftrace/export): without threads, in
// samples of a microsecond or more instead of nanoseconds, and truncated where uftrace truncates
// them.
package profile
