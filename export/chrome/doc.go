// Package chrome writes recordings in the JSON of Chrome's trace viewer, the lowest common
// denominator of viewers: chrome://tracing, the Performance panel of DevTools, ui.perfetto.dev,
// speedscope, Trace Compass.
//
//	r, err := dynamic.NewReader(rec, dynamic.WithThreads())
//	err = chrome.Write(w, r, chrome.Options{})
//
// The JSON is that of the document "Trace Event Format", an object: traceEvents, then metadata,
// which says where the events come from. Where a viewer has a format of its own, that is better:
// export/perfetto writes fewer bytes, and loads faster.
//
// # Events
//
// A span is an event of phase X, written when it ends; anything else is an instant, of phase I, as
// Chrome itself writes it: DevTools does not know the i of the document (and Perfetto of 2021 does
// not know the I). Importers sort by time. Events of phases B and E, which could be written as they
// come, are a third larger, and the engine of DevTools takes the ends of one thread for those of
// another. What begins at one time is written from the outside inwards, as Perfetto of 2021 does
// not look at lengths; the place of spans without a length among others of their time is not known
// to any importer. Memory does not grow with the recording, but by what is open.
//
// Times are microseconds with three decimals, so that no nanosecond is lost, as the recording has
// them; a clock without a scale is written as if it counted nanoseconds. Importers read numbers as
// floats, which have room for nanoseconds of 104 days: where times are longer, such as those since
// 1970, all are less by metadata.start_ns. displayTimeUnit is left out, as its default is right and
// Perfetto of 2021 multiplies all times by it.
//
// cat is the system of the event, or the module of a function. args are the fields of the event
// without those that all events have: integers as numbers, those beyond 2^53 and what JSON or
// importers do not know of floats as strings; the names that the description has for values, in
// place of the values; bytes in hexadecimal; lists as arrays; stacks as arrays of functions,
// innermost first; and cpu, the processor. What says the function and the depth of calls of
// function_graph is left out, as is the number of a system call. A field of the end that the begin
// has, too, has the prefix end_. An end that was not recorded has the argument end, "not recorded",
// a begin the argument begin. A span whose begin is known by its end alone begins when that says,
// but not before what came before it on the track: length_ns is its true length then. Lost events
// are an instant "lost events" with their number.
//
// # Threads and processes
//
// Names of threads and processes are those of the end of the recording. Threads whose process is
// not known are in a process "threads"; the calls of functions of the kernel in "kernel functions",
// as they are no part of the system calls of the thread; "CPUs" has what processors run,
// "interrupts" what interrupts them, "idle" the idle threads. Importers take a number 0 for
// something else, so that these have numbers from 2147483640, and processors are threads from 1.
//
// # Texts
//
// Texts are UTF-8 as in all text formats of this module: a byte that is not part of a valid
// sequence becomes \xNN, see export/columns. Control characters are \u00NN.
//
// What tracec uftrace dump --chrome prints is another text, that of uftrace
// (report/uftrace/export): it has microseconds with three decimals, too, and neither names of
// threads nor their processes, nor fields.
package chrome
