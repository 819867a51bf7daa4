package callstack

import (
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Ends holds the assumed ends of calls that are open at the end of a recording. uftrace keeps the
// last record of each thread, and one record for all perf files together. So a thread whose last
// record is a perf event has the time of the last perf event of any thread. Records that -t, -Z or
// -C leave out count after the end of a call, but not after its begin. This was found by comparing
// 1,144 reports and graphs of cut recordings with uftrace 0.13.
type Ends struct {
	limit    uint64
	queued   bool     // -t: uftrace then keeps a record for every thread
	read     []uint64 // by thread: time of its last record that was played, shown or not
	perf     []bool   // by thread: that record came from a perf file
	left     []bool   // by thread: that record is the end of a call
	leftOut  []uint64 // by thread: time of the last record of its file, if -t, -Z or -C may leave it out
	lastPerf uint64
}

func newEnds(tasks int) *Ends {
	return &Ends{
		read: make([]uint64, tasks), perf: make([]bool, tasks), left: make([]bool, tasks),
		leftOut: make([]uint64, tasks),
	}
}

// WatchEnds makes a player that will be created with the options report its records. The player
// does not look ahead, but ranges count as if it did, as in uftrace report and graph.
func WatchEnds(rec *uftrace.Recording, opts *Options) *Ends {
	e := newEnds(len(rec.Tasks()))
	e.limit, e.queued = opts.Scope.Range.To, opts.Limits.Time > 0
	opts.Hooks.Watch = e.watch
	opts.Hooks.Read = func(task int, recs []record.Record,
		_ []uftrace.Entry) {
		e.leftOut[task] = recs[len(recs)-1].Time
	}
	opts.Steps, opts.Scope.Ahead = Single, opts.Scope.Range != (Range{})
	return e
}

// watch implements Hooks.Watch.
func (e *Ends) watch(task int, recs []record.Record, ents []uftrace.Entry) {
	last := len(recs) - 1
	e.see(task, &recs[last], &ents[last])
}

func (e *Ends) see(task int, r *record.Record, entry *uftrace.Entry) {
	perf := entry.Source == uftrace.Perf
	e.read[task], e.perf[task], e.left[task] = r.Time, perf, entry.Kind == uftrace.Leave
	if perf {
		e.lastPerf = r.Time
	}
}

// Of returns the time at which open calls of a thread end, in ns.
func (e *Ends) Of(task int) uint64 {
	switch {
	case e.limit != 0: // even if it counts from the first record: then it is before every call
		return e.limit
	case e.perf[task] && !e.queued:
		return e.lastPerf
	case e.left[task]:
		return max(e.read[task], e.leftOut[task])
	}
	return e.read[task]
}

// WriteMissed writes uftrace's messages about filters and triggers that match no function.
func WriteMissed(w io.Writer, rec *uftrace.Recording, opts Options) error {
	if !opts.Functions.Patterns() {
		return nil
	}
	p, err := NewSource(rec, opts, nil)
	if err != nil || p.Missed() == "" {
		return err
	}
	_, err = io.WriteString(w, "Usage: failed to set filter or trigger: "+p.Missed()+"\n")
	return err
}
