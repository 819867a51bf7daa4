package tracecmd

import (
	"fmt"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/pair"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// wakeEvent reads the pid of the task that an event wakes or switches to.
type wakeEvent struct {
	pid  *interp.Reader
	prio *interp.Reader // priority of the task; nil for wakeups and if the event has no such field
	to   bool           // the event is a switch
}

// newWakeEvent returns nil for events other than wakeups and switches.
func newWakeEvent(f *ftrace.Format, ev *ir.Event, t ir.Target) *wakeEvent {
	w := &wakeEvent{}
	name := "pid"
	switch f.System + ":" + f.Name {
	case "sched:sched_wakeup", "sched:sched_wakeup_new":
	case "sched:sched_switch":
		name, w.to = "next_pid", true
	default:
		return nil
	}
	if ev == nil {
		return nil
	}
	for _, fd := range ev.Fields {
		switch {
		case fd.Kind != ir.Int:
		case fd.Name == name:
			w.pid = interp.NewReader(fd, t)
		case fd.Name == "next_prio" && w.to:
			w.prio = interp.NewReader(fd, t)
		}
	}
	if w.pid == nil {
		return nil
	}
	return w
}

// latencies measures the times from the last wakeup of a task to the switch to it: -w. (The manual
// mentions the first wakeup, but trace-cmd uses the last.)
type latencies struct {
	woken   pair.Table[int32, struct{}] // by pid
	all, rt durations
}

// rtPrio bounds the priorities of realtime tasks, which are lower (include/linux/sched/prio.h:
// MAX_RT_PRIO).
const rtPrio = 100

// append notes a wakeup, or appends the latency of a switch.
func (l *latencies) append(dst []byte, w *wakeEvent, r *record.Record) []byte {
	pid := int32(w.pid.Uint(r.Data))
	if !w.to {
		l.woken.AcrossLost = true // trace-cmd ignores losses
		l.woken.Begin(pid, r, struct{}{})
		return dst
	}
	woken, waits := l.woken.End(pid, r)
	if !waits {
		return dst
	}
	d := r.Time - woken.Time
	l.all.add(d, r.Time)
	if w.prio != nil && int32(w.prio.Uint(r.Data)) < rtPrio {
		l.rt.add(d, r.Time)
	}
	dst = append(dst, " Latency: "...)
	return append(appendMicros(dst, d), " usecs"...)
}

// appendMicros appends microseconds with three digits after the point.
func appendMicros(dst []byte, ns uint64) []byte {
	dst = append(render.Udec(dst, ns/1000), '.', byte('0'+ns/100%10))
	return append(dst, pairs[2*(ns%100)], pairs[2*(ns%100)+1])
}

// summary appends the lines after the last event.
func (l *latencies) summary(dst []byte) []byte {
	if l.all.count == 0 {
		return dst
	}
	dst = appendLatency(dst, &l.all)
	if l.rt.count > 0 {
		dst = appendLatency(append(dst, "\nRT task timings:\n"...), &l.rt)
	}
	return append(dst, '\n')
}

func appendLatency(dst []byte, s *durations) []byte {
	dst = append(dst, "\nAverage wakeup latency: "...)
	dst = append(appendMicros(dst, s.sum/s.count), " usecs"...)
	for _, x := range []struct {
		name  string
		d, at uint64
	}{{"Maximum", s.max, s.maxAt}, {"Minimum", s.min, s.minAt}} {
		dst = fmt.Appendf(dst, "\n%s Latency: ", x.name)
		dst = append(append(appendMicros(dst, x.d), " usecs at timestamp: "...), seconds(x.at)...)
	}
	return append(dst, '\n')
}
