package callstack

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// assumption is the assumed state of a thread at the start of a stretch.
type assumption struct {
	stretch *Stretch      // nil if the state before is known
	touched bool          // it is in stretch.touched
	renamed bool          // an event names the thread
	idle    bool          // some events count only within functions, and no function is assumed to be open
	known   bool          // the fields below are set
	at      uint64        // time of the first record, apart from those events
	first   uftrace.Entry // only the fields that Task.begin depends on, and the id of an event
	calls   int           // open calls that began before
	away    bool          // the thread was also off the processor
	assumed int           // number of these calls that are open now
	// If asked is not 0, results depended on whether Task.user is 0. It is the smallest Task.user
	// for which they did while no open call had begun in the stretch, or never. The stretch fits
	// only if fewer calls began unseen.
	asked int
}

// never is a value of assumption.asked.
const never = math.MaxInt

// CanStretch reports whether stretches of a recording can be followed. They cannot while it grows.
// They also cannot if it matters by which event a thread left its processor, because that event may
// have been before a stretch.
func CanStretch(rec *uftrace.Recording, o *Options) bool {
	return !rec.Follows() && (!o.Events.NoSchedPreempt || rec.OnlyThreads())
}

// ask notes that results depend on whether Task.user is 0.
func (t *Task) ask() {
	if t.asked == 0 {
		t.asked = never
	}
	if t.user > 0 && t.user <= t.assumed {
		t.asked = min(t.asked, t.user)
	}
}

// assume prepares a thread for its first call in a stretch.
func (t *Task) assume(time uint64, e *uftrace.Entry) {
	t.touch()
	t.known, t.at, t.assumption.first = true, time, uftrace.Entry{Kind: e.Kind, Depth: e.Depth, Source: e.Source}
	n := depthBefore(e)
	t.putAssumed(n)
	t.placed, t.Depth, t.user, t.calls = true, n, n, n
}

// assumeAt is assume if an event of perf comes before the next call or end of a call.
func (t *Task) assumeAt(r *record.Record, next *uftrace.Entry) {
	t.assume(r.Time, next)
	t.begun, t.assumption.first = true, uftrace.Entry{Kind: uftrace.Event, Addr: uint64(r.ID), Source: uftrace.Perf}
	if t.away = r.ID == SchedIn; t.away {
		t.putAssumed(t.calls + 1)
		f := &t.Stack[t.calls]
		f.Event, f.Addr = true, SchedOut
	}
}

// foresees is a Source that knows the next entries in the file of a thread.
type foresees interface {
	Ahead(thread int) []uftrace.Entry
}

// foresee finds the number of open calls of a thread from the next record in its own file. The
// thread's first record in the stretch is an event of perf.
func (t *Task) foresee(src Source, opts *Options, r *record.Record) {
	var next *uftrace.Entry
	if src, ok := src.(foresees); ok {
		next = uftrace.NextCall(src.Ahead(t.Index))
	}
	switch {
	case next == nil:
		t.doubt()
	case depthBefore(next) == 0 && !IsSchedule(r.ID) && !opts.Events.Full:
		t.touch()
		t.idle = true
	default:
		t.assumeAt(r, next)
		if t.away && !opts.wants(t, SchedOut) {
			t.Stack[t.calls].flags |= frameMute
		}
	}
}

// putAssumed opens calls that began before the stretch.
func (t *Task) putAssumed(n int) {
	if n > cap(t.Stack) {
		t.grow(n)
	}
	t.Stack, t.assumed = t.Stack[:n], n
	for i := range t.Stack {
		t.Stack[i] = Frame{flags: frameAssumed, pushed: true}
	}
}

// popAssumed closes a call that began before the stretch.
func (t *Task) popAssumed(n int, now uint64) *Frame {
	f := &t.Stack[n]
	t.Stack, t.assumed = t.Stack[:n], n
	t.stretch.Ended = append(t.stretch.Ended, Ended{t.Index, now, false, f.Event, f.Child})
	f.pushed = false
	return f
}

// hid notes that no step shows the end of a call.
func (t *Task) hid(f *Frame) {
	if f != nil && f.Assumed() {
		t.stretch.Ended[len(t.stretch.Ended)-1].Hidden = true
	}
}
