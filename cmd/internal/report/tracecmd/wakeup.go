package tracecmd

import (
	"fmt"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// wakeEvent reads the pid that an event wakes or switches to.
type wakeEvent struct {
	pid      *interp.Reader
	switches bool
}

// newWakeEvent returns nil for events that have no part in wakeup latencies.
func newWakeEvent(f *ftrace.Format, ev *ir.Event, t ir.Target) *wakeEvent {
	name, switches := "pid", false
	switch f.System + ":" + f.Name {
	case "sched:sched_wakeup", "sched:sched_wakeup_new":
	case "sched:sched_switch":
		name, switches = "next_pid", true
	default:
		return nil
	}
	if ev == nil {
		return nil
	}
	for _, fd := range ev.Fields {
		if fd.Name == name && fd.Kind == ir.Int {
			return &wakeEvent{interp.NewReader(fd, t), switches}
		}
	}
	return nil
}

// latencySum collects the times from the first wakeup of a task to its switch: -w.
type latencySum struct {
	woken      map[int32]uint64 // by pid: time of the wakeup
	count, sum uint64
	max, min   uint64
	maxAt      uint64
	minAt      uint64
}

// maxWoken bounds the tasks that wait at the same time.
const maxWoken = 1 << 16

// append takes account of a wakeup, or appends the latency of a switch.
func (l *latencySum) append(dst []byte, w *wakeEvent, r *record.Record) []byte {
	pid := int32(w.pid.Uint(r.Data))
	if !w.switches {
		if _, waits := l.woken[pid]; !waits && len(l.woken) < maxWoken {
			if l.woken == nil {
				l.woken = map[int32]uint64{}
			}
			l.woken[pid] = r.Time
		}
		return dst
	}
	since, ok := l.woken[pid]
	if !ok {
		return dst
	}
	delete(l.woken, pid)
	d := r.Time - since
	if l.count == 0 || d > l.max {
		l.max, l.maxAt = d, r.Time
	}
	if l.count == 0 || d < l.min {
		l.min, l.minAt = d, r.Time
	}
	l.count++
	l.sum += d
	dst = append(dst, " Latency: "...)
	return append(appendMicros(dst, d), " usecs"...)
}

// appendMicros appends microseconds with three digits behind the point.
func appendMicros(dst []byte, ns uint64) []byte {
	return fmt.Appendf(dst, "%d.%03d", ns/1000, ns%1000)
}

// summary is printed behind the last line.
func (l *latencySum) summary(dst []byte) []byte {
	if l.count == 0 {
		return dst
	}
	dst = append(dst, "\nAverage wakeup latency: "...)
	dst = append(appendMicros(dst, l.sum/l.count), " usecs"...)
	for _, x := range []struct {
		name  string
		d, at uint64
	}{{"Maximum", l.max, l.maxAt}, {"Minimum", l.min, l.minAt}} {
		dst = fmt.Appendf(dst, "\n%s Latency: ", x.name)
		dst = append(appendMicros(dst, x.d), " usecs at timestamp: "...)
		dst = fmt.Appendf(dst, "%d.%06d", x.at/1e9, x.at%1e9/1000)
	}
	return append(dst, "\n\n"...)
}
