// Package dynamic reads the events of any open recording without generated code: their names, times and tasks, their fields by name
// with their types, and their texts. It is to recordings what dynamicpb is to protobuf messages.
//
//	r, err := dynamic.NewReader(rec) // *ftrace.Recording, *aix.Recording, *uftrace.Recording or *lttng.Recording
//	for ev := range r.All() {
//		if v, ok := ev.Field("bytes_req"); ok {
//			sum += v.Int()
//		}
//	}
//
// [WithEvents] and [WithRecords] choose what is read:
//
//	r, err := dynamic.NewReader(rec, dynamic.WithEvents("sys_enter_*", "sched:*"))
//
// What a kind of event holds is compiled when its first event comes. Walking costs what it costs a generated decoder; each field that is asked
// for costs a lookup by name. [Type.Index], once for each type, and [Event.At] leave that out.
//
// An Event, its Values and what they alias are valid until the next event.
package dynamic
