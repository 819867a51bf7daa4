// Package dynamic reads the events of any open recording without generated
// code: names, times and threads, fields by name, and texts.
//
//	r, err := dynamic.NewReader(rec, dynamic.WithEvents("sched:*"))
//	for ev := range r.All() {
//		pid, ok := ev.Field("next_pid")
//
// An [Event] and its values are valid until the next one. A type of events is
// compiled when its first event comes. [Event.Field] looks a name up each time;
// [Type.Index], once for each type, and [Event.At] do not.
//
// Package tracec opens recordings and makes readers. This one is for those who
// have opened a recording by its container.
package dynamic
