package callstack

import (
	"cmp"
	"errors"
	"io"
	"math"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// window is the range of -r while it is played, and the time from which elapsed times count.
// Elapsed bounds move with that time. A perf event that is earlier than all calls moves it back.
// Lost records restart it.
type window struct {
	Range
	on       bool   // there is a range: only records in it are played
	single   bool   // the range is applied without looking ahead
	early    bool   // elapsed times count from what uftrace has read by then; see readFirst
	full     bool   // events outside of functions are shown
	first    uint64 // the time from which elapsed times count; 0 if unknown
	from, to uint64 // the bounds before the first record is played
	frozen   bool   // see freeze
}

// newWindow prepares the range of options. At first, elapsed times count from the earliest record
// of a thread, if they are needed.
func newWindow(rec *uftrace.Recording, o *Options) (w window, err error) {
	w = window{Range: o.Scope.Range, on: o.Scope.Range != (Range{}), full: o.Events.Full}
	w.single = o.Steps == Single && !o.Scope.Ahead
	if w.To == 0 {
		w.To, w.ToElapsed = math.MaxUint64, false
	}
	w.from, w.to = w.From, w.To
	if w.FromElapsed || w.ToElapsed {
		w.first, err = firstTime(rec, nil)
		w.from, w.to = w.bounds(w.first)
	}
	switch {
	case w.single && w.on:
		err = errors.Join(err, w.readFirst(rec, &o.Scope))
	case w.single: // the first record that is read sets it
		w.first = 0
	case o.Limits.Time > 0:
		if first := firstPerf(rec); first > 0 { // calls that -t hides do not move it back
			w.early, w.first = true, 0
			if len(o.Scope.TIDs) > 0 {
				w.first, err = firstTime(rec, o.Scope.TIDs)
			}
			w.first = cmp.Or(w.first, first)
		}
	}
	return w, err
}

// readFirst finds the time from which elapsed times count at first without looking ahead. This is
// the first record of the threads that --tid leaves out. If there is none, it is the first event of
// the first perf file if PerfZero is set, or else the first record of a thread if events outside of
// functions are shown. Otherwise the first record that is read sets it. (All tested with 0.13.)
func (w *window) readFirst(rec *uftrace.Recording, s *Scope) (err error) {
	first := w.first
	if w.first = 0; len(s.TIDs) > 0 {
		w.first, err = firstTime(rec, s.TIDs)
	}
	w.early = s.PerfZero || w.full || w.first > 0
	switch {
	case w.first > 0:
	case s.PerfZero:
		w.first = firstPerf(rec)
	case w.full:
		w.first = first
	}
	w.from, w.to = w.bounds(cmp.Or(w.first, first)) // for queues, which read before the player
	return err
}

// late reports whether the range may begin later than the recording.
func (w *window) late() bool { return w.From != 0 }

// starts reports whether a record of this time would restart elapsed times: it is the first one, or
// earlier than the time from which they count.
func (w *window) starts(time uint64) bool { return w.first == 0 || w.first > time }

// reads makes elapsed times count from the first record of a thread, even if it is left out.
func (w *window) reads(time uint64) {
	if w.starts(time) && (!w.early || w.first == 0) {
		w.first = time
	}
}

// bounds returns the bounds if elapsed time counts from first.
func (w *window) bounds(first uint64) (from, to uint64) {
	from, to = w.From, w.To
	if w.FromElapsed {
		from += first
	}
	if w.ToElapsed {
		to += first
	}
	return from, to
}

// outside reports whether a record is not played. uftrace reads each thread up to its first exit or
// loss before it plays anything.
func (w *window) outside(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if w.single {
		return w.outsideSingle(t, r, e)
	}
	if e.Source == uftrace.Kernel && (w.frozen || e.Kind == uftrace.Lost) {
		w.freeze()
		return e.Kind != uftrace.Lost && (r.Time < w.from || r.Time > w.to)
	}
	if e.Source == uftrace.User && !t.returned {
		t.returned = e.Kind == uftrace.Leave || e.Kind == uftrace.Lost && !w.late()
		return r.Time < w.from || r.Time > w.to
	}
	if w.first == 0 {
		w.first = r.Time
	}
	from, to := w.bounds(w.first)
	return r.Time < from || r.Time > to
}

// freeze keeps the bounds for the kernel's records after a loss in them. Elapsed time restarts
// there, but uftrace has already read ahead.
func (w *window) freeze() {
	if !w.frozen {
		w.frozen = true
		w.from, w.to = w.bounds(w.first)
	}
}

// outsideSingle is outside without lookahead. Elapsed times count from the first record that is
// read, except for events outside of functions, and restart at each earlier one. Lost records have
// the time 0, which is before every range that begins late. Such a range does not see them.
func (w *window) outsideSingle(t *Task, r *record.Record, e *uftrace.Entry) bool {
	switch {
	case e.Kind == uftrace.Lost && w.late():
		return true
	case w.early:
		return w.outsideEarly(t, r, e)
	}
	first := w.first
	if w.starts(r.Time) && (e.Source == uftrace.User || len(t.Stack) > 0) {
		first = r.Time
	}
	if first == 0 {
		return false
	}
	from, to := w.bounds(first)
	out := r.Time < from || r.Time > to
	if !out || e.Source == uftrace.User {
		w.first = first
	}
	return out
}

// outsideEarly is outsideSingle with elapsed times that count from the result of readFirst. Only
// records in the range from there move it back.
func (w *window) outsideEarly(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if w.first == 0 {
		w.first = r.Time
	}
	from, to := w.bounds(w.first)
	if r.Time < from || r.Time > to {
		return true
	}
	if w.first > r.Time && (e.Source == uftrace.User || len(t.Stack) > 0 || w.full) {
		w.first = r.Time
	}
	return false
}

// firstTime returns the time of the earliest record of all threads except some, or 0 if there are
// no records.
func firstTime(rec *uftrace.Recording, without []int32) (uint64, error) {
	m := rec.Merge(uftrace.MergeOptions{NoKernel: true, NoPerf: true, NoExtern: true})
	defer m.Close()
	for {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		for i := range entries {
			if entries[i].Kind != uftrace.Lost && !slices.Contains(without, records[i].Task) {
				return records[i].Time, nil
			}
		}
	}
}
