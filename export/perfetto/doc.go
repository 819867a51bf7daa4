// Package perfetto writes recordings in Perfetto's trace format, for https://ui.perfetto.dev and
// for SQL in Perfetto's trace processor.
//
//	r, err := tracec.NewReader(rec, tracec.WithThreads())
//	err = perfetto.Write(w, r, perfetto.Options{})
//
// Events of ftrace become ftrace events of Perfetto. Recordings of perf become samples and ftrace
// events. Recordings of other systems become slices and instants on tracks, as package timeline
// defines them.
//
// # Events of ftrace
//
// Every event becomes an ftrace event, in bundles for each processor:
//
//   - An event that Perfetto supports, by its name and its system, gets Perfetto's message for it,
//     with the fields that both have by name. Usually the message must have all fields of the
//     event. It may lack some only for events of the scheduler, of interrupts, of signals and some
//     others, from which the trace processor makes more than a row. A number that does not fit
//     into the field of the message is omitted.
//   - System calls, syscalls:sys_enter_X and sys_exit_X, become sys_enter and sys_exit with the
//     number and the values. The trace processor makes slices of them and names them by the
//     machine. For machines that it does not support, the trace holds the names. If a recording has
//     both these events and events of raw_syscalls, the latter describe themselves, since each call
//     would otherwise have two slices.
//   - An exit of function_graph without a recorded entry gets an entry, at the begin of the call
//     that the exit records. The trace processor would otherwise make no slice of it.
//   - fgraph_retaddr_entry becomes funcgraph_entry, without the address of the caller.
//   - Texts that programs write to trace_marker become the message print if they have the form of
//     Android's atrace, such as B|12|work and E|12. The trace processor makes slices and counters
//     of these, and would report all others as errors.
//   - All other events describe themselves: kprobes, synthetic events, drivers, events of newer
//     kernels. Integers are int64 and uint64. Lists and bytes are texts, such as [1 2] and 0a1b.
//     There can be 31 fields. If there are more, the last is a text of all the rest, such as "a=1
//     b=2". Addresses from the function tracer and in stacks have an additional field with their
//     names, and events of trace_printk one with the text. An event without a description has its
//     data as hexadecimal digits.
//
// Fields beyond the end of short records are omitted, but no event is omitted. Strings have U+FFFD
// for bytes that are not UTF-8. Of the fields that all events have, only the thread is written.
// common_flags and common_preempt_count are not, since the trace processor mistakes them for
// events. Numbers of devices are the kernel's.
//
// Symbols of function_graph's functions, of timers and of work are interned by their addresses.
// Names of threads come with the events of the scheduler and, at the end, from the names that the
// kernel had saved. Processes come from a snapshot. Stacks of the kernel (kernel_stack) are events,
// with the names as a text. They are also instants with a call stack, which release 55 sums up as a
// flame graph. These are on a track for each processor: a sample of a thread needs the process,
// which recordings do not have. Stacks of programs are only events, with the addresses.
//
// The bundle after lost events reports them.
//
// An instance, a second buffer of a recording, is a separate machine with the name of the buffer.
// The trace processor would otherwise treat the switches of two buffers on a processor as switches
// of one. The first buffer with data belongs to the machine itself. Release 20 of the trace
// processor supports neither such machines nor events that describe themselves, and skips them.
//
// # Recordings of perf
//
// A sample with an address or a call chain becomes a PerfSample of its thread. Its frames have the
// names of functions, their files and the offsets in these. A frame without a known function has
// the name of the file and the offset. The samples of each event are a sequence, whose counter adds
// up the periods. To the trace processor, a sample without a processor is one of processor 0.
//
// Tracepoints become events of ftrace, as above. A tracepoint with a call chain is also a sample.
// Records about threads, memory and perf itself are instants of their threads, with their fields.
// So is a tracepoint without a processor or a thread. Release 55 of the trace processor loads no
// trace with processors from 1024 on, which damaged data may have. Such numbers are written as
// unknown processors. Losses are counted by processor, in the statistics perf_cpu_lost_records.
//
// Records without a time are omitted, since the trace would begin at 0. perf writes such records
// about earlier facts, such as threads and memory. Their information is in the names of threads and
// in frames of samples.
//
// # Recordings of other systems
//
// Recordings of uftrace, AIX and LTTng become the items of package timeline: slices and instants,
// on a track for each thread, for the occupation of each processor and for its interrupts. A thread
// with a known process is a thread in the trace processor. Other threads have tracks by name.
// Fields of events are arguments of the slices: numbers; X_name, the description's name for the
// value of a field X; lists; and bytes as hexadecimal digits, including the data of events without
// a description. Results of calls are arguments of the same slice. Values that uftrace has read at
// calls (proc/statm, page-fault, the counters of the processor) are also counters of the thread.
//
// Some arguments are not from the event: processor is its processor, and lost is the number of
// events lost before it. cut means that the end of a slice was not recorded, unseen that its begin
// was not. A slice without a recorded begin begins at the time from its end, before the slices
// within it and after earlier ones. If that is impossible, it contains no slices.
//
// # Clocks
//
// Times are the times of the records, in nanoseconds. To Perfetto they are BOOTTIME, the only clock
// that all versions accept for events of ftrace. A snapshot of clocks at the first event adds the
// other known clocks of that time: MONOTONIC or MONOTONIC_RAW, if mono or mono_raw is the clock of
// the recording, and REALTIME if the recording has the time of day. Slices and instants of other
// systems have MONOTONIC or MONOTONIC_RAW if that is their clock. Times of local, global, uptime,
// perf and tai have no name in Perfetto. A tick of a clock that counts in ticks
// (record.Machine.Ticks: counter, x86-tsc without a scale) is shown as one nanosecond, without a
// snapshot. Instances with another clock than the first buffer's are not converted, since the
// difference between clocks is not recorded. A time of 2^63 or more, which occurs only in damaged
// data, is an error to the trace processor, which counts and drops the event.
package perfetto
