// Package chrome writes recordings in the JSON of Chrome's trace viewer, the lowest common
// denominator of viewers: chrome://tracing, the Performance panel of DevTools, ui.perfetto.dev,
// speedscope, Trace Compass.
//
//	r, err := tracec.NewReader(rec, tracec.WithThreads())
//	err = chrome.Write(w, r, chrome.Options{})
//
// The JSON is an object as in the document "Trace Event Format": traceEvents, then metadata with
// the origin of the events. If a viewer has its own format, that is better: export/perfetto writes
// fewer bytes, and loads faster.
//
// # Events
//
// A span is an event of phase X, written when it ends. All other events are instants of phase I,
// which Chrome itself writes. DevTools does not support the i of the document. (Perfetto of 2021
// does not support the I.) Importers sort by time.
//
// Events of phases B and E could be written immediately. But they are a third larger, and the
// engine of DevTools may match the end of one thread with another thread. Spans with the same begin
// are written from the outside inwards, as Perfetto of 2021 ignores lengths. No importer can order
// spans of length zero among others of the same time. Memory grows only with the number of open
// spans.
//
// Times are microseconds with three decimals, so that no nanosecond of the recording is lost. A
// clock without a scale is written as if it counted nanoseconds. Importers read numbers as floats,
// which can hold nanoseconds of 104 days. If times are longer, such as times since 1970,
// metadata.start_ns is subtracted from all of them. displayTimeUnit is omitted: its default is
// right, and Perfetto of 2021 multiplies all times by it.
//
// cat is the system of the event, or the module of a function. args are the fields of the event
// without the fields common to all events. Integers are numbers. Integers beyond 2^53, and floats
// that JSON or importers do not support, are strings. Named values are replaced by their names.
// Bytes are hexadecimal, lists are arrays, and stacks are arrays of functions, innermost first. cpu
// is the processor. The function and depth of function_graph calls are omitted, as is the number of
// a system call.
//
// A field of the end that the begin also has gets the prefix end_. If the end was not recorded, the
// argument end is "not recorded", and likewise begin. Sometimes only the end of a span reports its
// begin. Such a span begins at that time, but not before earlier events on the track. length_ns is
// then its true length. Lost events are an instant "lost events" with their number.
//
// # Threads and processes
//
// Threads and processes have the last names in the recording. Threads of an unknown process are in
// a process "threads". Calls of kernel functions are in "kernel functions", as they are not part of
// the system calls of the thread. "CPUs" shows the occupation of processors, "interrupts" their
// interrupts, "idle" the idle threads. Importers give the number 0 a special meaning, so these
// processes have numbers from 2147483640, and processors are threads from 1.
//
// # Texts
//
// Texts are UTF-8 as in all text formats of this module: a byte that is not part of a valid
// sequence becomes \xNN, see export/columns. Control characters are \u00NN.
//
// The output of tracec uftrace dump --chrome is a different text, from uftrace
// (report/uftrace/export). It also has microseconds with three decimals, but no names of threads,
// no processes and no fields.
package chrome
