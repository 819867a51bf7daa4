package main

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/lttng"
)

// lttngSystem checks traces of LTTng.
type lttngSystem struct {
	found   *findings
	streams streams
	offsets map[int32]int64 // offset of the last event of each file
}

func (l *lttngSystem) event(ev *tracec.Event) {
	x := ev.Entry.(*lttng.Entry)
	s := l.streams.at(ev.Stream)
	if x.Marker == nil {
		l.found.add("event without a description", "at %d of file %d", x.Offset, ev.Stream)
		return
	}
	if last, ok := l.offsets[ev.Stream]; ok && x.Offset <= last {
		l.found.add("offset goes back", "%d after %d of file %d", x.Offset, last, ev.Stream)
	}
	l.offsets[ev.Stream] = x.Offset
	if ev.Lost != 0 {
		s.lose()
	}
	s.time(l.found, ev.Time, ev.Type.Name)
	if ev.Type.System == "kernel" && ev.Type.Name == "sched_schedule" {
		prev, ok := ev.Field("prev_pid")
		next, known := ev.Field("next_pid")
		if ok && known {
			s.swap(l.found, ev.Time, prev.Int(), next.Int())
		}
	}
}

func (l *lttngSystem) finish() {}
