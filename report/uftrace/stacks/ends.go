package stacks

import (
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Ends knows when the calls that a player leaves open are taken to end.
type Ends struct {
	limit    uint64
	queued   bool     // -t: uftrace then keeps a record for every thread
	read     []uint64 // by thread: time of its last record, shown or not
	perf     []bool   // by thread: that record came from a perf file
	lastPerf uint64
}

// WatchEnds makes a player that will be made with the options tell of its records. It need not look ahead, but with
// --time-range: without looking ahead the player counts elapsed times as uftrace dump does.
func WatchEnds(rec *uftrace.Recording, opts *callstack.Options) *Ends {
	n := len(rec.Tasks())
	e := &Ends{limit: opts.Range.To, queued: opts.Time > 0, read: make([]uint64, n), perf: make([]bool, n)}
	opts.Watch = e.see
	opts.Single = opts.Range == (callstack.Range{})
	return e
}

func (e *Ends) see(task int, r *record.Record, entry *uftrace.Entry) {
	perf := entry.Source == uftrace.Perf
	e.read[task], e.perf[task] = r.Time, perf
	if perf {
		e.lastPerf = r.Time
	}
}

// Of is the time at which calls of a thread end: that of its last record as of Threads.Last, or the end of --time-range.
func (e *Ends) Of(task int) uint64 {
	switch {
	case e.limit != 0: // also when it counts from the first record: then it is before every call
		return e.limit
	case e.perf[task] && !e.queued:
		return e.lastPerf
	}
	return e.read[task]
}

// Losses counts the 1 ns that uftrace counts for a loss below the innermost call of a thread (see Thread.regain). It has
// a place for every thread, which says whether its last step was a loss.
type Losses []bool

// See must get every step of a player.
func (l Losses) See(s *callstack.Step) {
	at := &l[s.Task.Index]
	if s.Entry.Kind != uftrace.Lost {
		*at = false
		return
	}
	if n := len(s.Task.Stack); n > 0 && !*at {
		s.Task.Stack[n-1].Child++
	}
	*at = true
}

// Missed writes what uftrace says of filters and triggers that match no function.
func Missed(rec *uftrace.Recording, opts callstack.Options, w io.Writer) error {
	if len(opts.Filters)+len(opts.NoTrace)+len(opts.Callers)+len(opts.Hide)+len(opts.Locs)+len(opts.Triggers) == 0 {
		return nil
	}
	p, err := callstack.New(rec, opts)
	if err != nil || p.Missed() == "" {
		return err
	}
	_, err = io.WriteString(w, "Usage: failed to set filter or trigger: "+p.Missed()+"\n")
	return err
}
