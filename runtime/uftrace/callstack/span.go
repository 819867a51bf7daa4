package callstack

import (
	"errors"
	"io"
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// span is the range of -r while it is played. Elapsed bounds move with the start of elapsed times.
// A perf event that is earlier than all calls moves it back; lost records restart it.
type span struct {
	Range
	from, to uint64 // before the first record is played
	frozen   bool   // see freeze
}

// resolve prepares a range. Elapsed time counts at first from the earliest record of a thread.
// resolve returns that time if it needs it.
func (r Range) resolve(rec *uftrace.Recording) (span, uint64, error) {
	s := span{Range: r}
	if r.To == 0 {
		s.To, s.ToElapsed = math.MaxUint64, false
	}
	s.from, s.to = s.From, s.To
	if !s.FromElapsed && !s.ToElapsed {
		return s, 0, nil
	}
	first, err := firstTime(rec)
	s.from, s.to = s.bounds(first)
	return s, first, err
}

// bounds returns the bounds that hold if elapsed time counts from first.
func (s *span) bounds(first uint64) (from, to uint64) {
	from, to = s.From, s.To
	if s.FromElapsed {
		from += first
	}
	if s.ToElapsed {
		to += first
	}
	return from, to
}

// outside reports whether a record is not played. uftrace reads each thread up to its first exit
// before it plays anything.
func (p *Player) outside(t *Task, r *record.Record, e *uftrace.Entry) bool {
	s := &p.span
	if p.opts.Steps == Single {
		return p.outsideSingle(t, r, e)
	}
	if e.Source == uftrace.Kernel && (s.frozen || e.Kind == uftrace.Lost) {
		s.freeze(p.first)
		return e.Kind != uftrace.Lost && (r.Time < s.from || r.Time > s.to)
	}
	if e.Source == uftrace.User && !t.returned {
		t.returned = e.Kind == uftrace.Leave
		return r.Time < s.from || r.Time > s.to
	}
	if p.first == 0 {
		p.first = r.Time
	}
	from, to := s.bounds(p.first)
	return r.Time < from || r.Time > to
}

// freeze keeps the bounds for the kernel's records after a gap in them: elapsed time restarts
// there, but uftrace has read ahead.
func (s *span) freeze(first uint64) {
	if !s.frozen {
		s.frozen = true
		s.from, s.to = s.bounds(first)
	}
}

// outsideSingle is outside without lookahead. Elapsed times count from the first record that is
// read, except for events outside of functions, and restart at each earlier one.
func (p *Player) outsideSingle(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if p.opts.Scope.PerfZero {
		return p.outsideEarly(t, r, e)
	}
	first := p.first
	if (first == 0 || first > r.Time) && (e.Source == uftrace.User || len(t.Stack) > 0) {
		first = r.Time
	}
	if first == 0 {
		return false
	}
	from, to := p.span.bounds(first)
	out := r.Time < from || r.Time > to
	if !out || e.Source == uftrace.User {
		p.first = first
	}
	return out
}

// outsideEarly is outsideSingle with elapsed times that count from the first event of the first
// perf file. Only records in the range from there move it back.
func (p *Player) outsideEarly(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if p.first == 0 {
		p.first = r.Time
	}
	from, to := p.span.bounds(p.first)
	if r.Time < from || r.Time > to {
		return true
	}
	if p.first > r.Time && (e.Source == uftrace.User || len(t.Stack) > 0) {
		p.first = r.Time
	}
	return false
}

// firstTime is the time of the earliest record of a thread, 0 without records.
func firstTime(rec *uftrace.Recording) (uint64, error) {
	m := rec.Merge(uftrace.MergeOptions{NoKernel: true, NoPerf: true, NoExtern: true})
	for {
		records, entries, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		for i := range entries {
			if entries[i].Kind != uftrace.Lost {
				return records[i].Time, nil
			}
		}
	}
}
