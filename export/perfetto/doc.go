// Package perfetto writes recordings in Perfetto's trace format, for
// https://ui.perfetto.dev and for SQL in Perfetto's trace processor.
//
//	r, err := dynamic.NewReader(rec, dynamic.WithThreads())
//	err = perfetto.Write(w, r, perfetto.Options{})
//
// Events of ftrace become ftrace events of Perfetto. Recordings of other systems
// become slices and instants on tracks, as package timeline defines them.
//
// # Events of ftrace
//
// Every event becomes one of ftrace, in bundles for each processor:
//
//   - One that Perfetto knows, by its name and its system, gets Perfetto's message for it, with the fields that both have by name. Where the
//     message lacks a field of the event, that is so only for events of which the trace processor makes more than a row: those of the scheduler,
//     of interrupts, of signals and some others. A number that does not fit into the field of the message is left out.
//   - System calls, syscalls:sys_enter_X and sys_exit_X, become sys_enter and sys_exit with the number and the values, of which the trace
//     processor makes slices. It names them by the machine; for machines that it does not know the trace holds the names. Of a recording with
//     both these events and those of raw_syscalls the latter describe themselves, or each call would have two slices.
//   - An exit of function_graph whose entry was not recorded gets one, with the time at which it says that the call began: the trace processor
//     makes no slice of it otherwise.
//   - fgraph_retaddr_entry becomes funcgraph_entry, without the address of the caller.
//   - Texts that programs write to trace_marker are of the message print when they are what atrace of Android writes, such as B|12|work and
//     E|12, of which the trace processor makes slices and counters. It would report all others as errors.
//   - All others describe themselves: kprobes, synthetic events, drivers, what newer kernels have. Integers are int64 and uint64; lists and
//     bytes are texts, such as [1 2] and 0a1b. There can be 31 fields: of more, the last is a text of all that have no place, such as "a=1 b=2".
//     Addresses that the function tracer and stacks record have a field more with their names, events of trace_printk one with the text. An event
//     without a description has its data as hexadecimal digits.
//
// Fields of short records that are not there are left out, and no event is. Strings have U+FFFD in
// place of bytes that are not UTF-8. Of the fields that all events have, the thread is written;
// common_flags and common_preempt_count are not, since the trace processor takes them for events.
// Numbers of devices are the kernel's.
//
// Symbols of function_graph's functions, of timers and of work are interned by their addresses.
// Names of threads come with the events of the scheduler and, at the end, from the names that the
// kernel had saved; processes from what a snapshot says. Stacks of the kernel (kernel_stack) are
// events, with the names as a text, and once more instants with a call stack, which release 55 sums
// up as a flame graph: on a track for each processor, since a sample of a thread must say the
// process, which recordings do not. Stacks of programs are events alone, with the addresses.
//
// Lost events are said of the bundle that comes after them.
//
// An instance, a second buffer of a recording, is a machine of its own to the trace processor, with
// the name of the buffer, since it would take the switches of two buffers on a processor for those
// of one. The first buffer with data is that of the machine. Release 20 of the trace processor
// knows neither such machines nor events that describe themselves, and passes over them.
//
// # Recordings of other systems
//
// Recordings of uftrace, AIX and LTTng become what package timeline makes of them: slices and
// instants, on a track for each thread, for what each processor runs and for its interrupts. A
// thread whose process the recording says is that thread to the trace processor; others have tracks
// by name. Fields of events are arguments of the slices: numbers, and beside them as X_name what
// the description calls the value of a field X; lists; bytes as hexadecimal digits, as are the data
// of events without a description. Results of calls are arguments of the same slice. What uftrace
// has read at calls (proc/statm, page-fault, the counters of the processor) is counters of the
// thread, too.
//
// Arguments that are not of the event: processor is where it happened; lost is how many events were
// lost before; cut says that the end of a slice was not recorded, unseen that its begin was not. A
// slice of which the begin was not recorded begins when its end says, before what it holds and
// after what came before it; where that cannot be, it holds nothing.
//
// # Clocks
//
// Times are those of the records, in nanoseconds, and BOOTTIME to Perfetto, which is the only clock
// that all versions take for events of ftrace. A snapshot of clocks at the first event says what
// else is known of that time: MONOTONIC or MONOTONIC_RAW, when mono or mono_raw is the clock of the
// recording, and REALTIME when the recording has the time of day. Slices and instants of other
// systems have MONOTONIC or MONOTONIC_RAW when that is their clock. Times of local, global, uptime,
// perf and tai have no name in Perfetto. A tick of a clock that counts in ticks
// (record.Machine.Ticks: counter, x86-tsc without a scale) is shown as one nanosecond, and there is
// no snapshot. Instances whose clock is another than that of the first buffer are not converted:
// recordings do not say how clocks differ. A time of 2^63 and more, which only damage makes, is an
// error to the trace processor, which counts it and leaves the event out.
package perfetto
