// Package dynamic reads the events of any open recording without generated
// code: names, times and threads, fields by name, and texts.
//
//	r, err := dynamic.NewReader(rec, dynamic.WithEvents("sched:*"))
//	for ev := range r.All() {
//		pid, ok := ev.Field("next_pid")
//
// An [Event] and its values are valid until the next one. An event type is compiled at its first
// event. [Event.Field] looks a name up each time. [Type.Index], once for each type, and [Event.At]
// do not.
//
// Package tracec opens recordings and makes readers. Use this package directly for recordings that
// a container has opened.
package dynamic
