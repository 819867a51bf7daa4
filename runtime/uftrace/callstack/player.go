package callstack

import (
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Player plays one recording, once. It looks one shown record ahead, so that an Enter knows whether
// its exit follows. It is not safe for several goroutines.
type Player struct {
	threads
	rec    *uftrace.Recording
	opts   Options
	source Source
	// recs[pos:] and ents[pos:] are the rest of the run; runTask is the thread of a run of User
	// records.
	recs    []record.Record
	ents    []uftrace.Entry
	pos     int
	runTask *Task

	byTID tidTable
	first uint64 // time that elapsed times count from

	// ahead is set if recs[pos] is known to be shown: it belongs to aheadTask, and was not applied
	// yet.
	ahead     bool
	peeking   bool // reading ahead, only for Step.Open
	aheadTask *Task
	follows   bool      // it ends the call that the step begins
	leaf      int       // place of the step's call in the stack of its thread
	next      admission // of that record, when it is an Enter and there are filters

	quick    bool // stepQuickly may be called
	skimming bool // skim may be
	limited  bool // there are filters
	actions  actions
	inside   bool // functions outside of functions with doFilter are hidden
	off      bool // trace_off
	asleep   bool // and it was never on
	located  bool // functions without doLoc are hidden
	callers  bool // only functions that lead to one with doCaller are shown
	short    shortSchedules
	any      bool
	ranged   bool // only records in the span are played
	late     bool // and the range does not begin with the recording
	span     span

	step Step
	// kept* hold the record of the step while the next run is read.
	keptRec  record.Record
	keptEnt  uftrace.Entry
	keptData []byte

	symbols  int // of the recording, when the symbol tables below were made
	jumps    jumpTable
	strays   bool   // the step is an Enter of exec or longjmp
	lastTask *Task  // of the record before
	lastTime uint64 // of the record before, without records read ahead
	prior    prior
	end      error
	err      error // of All
}

// Any reports whether a record was played, shown or not.
func (p *Player) Any() bool { return p.any }

// First is the time that elapsed times count from: 0 before the first record.
func (p *Player) First() uint64 { return p.first }

// Next returns the next step, io.EOF after the last. Any other error comes from a stream. That
// stream is left out from then on; the next call continues with the others.
func (p *Player) Next() (*Step, error) {
	if p.quick && p.stepQuickly() {
		return &p.step, nil
	}
	follows := p.follows
	p.follows = false
	if !p.ahead {
		if err := p.advance(false); err != nil {
			return nil, err
		}
	}
	p.ahead = false
	s := &p.step
	r, e, t := &p.recs[p.pos], &p.ents[p.pos], p.aheadTask
	p.pos++
	p.lastTask = t
	*s = Step{Record: r, Entry: e, Task: t}
	p.prior = prior{t.Before, t.Last, p.lastTime, t.left}
	if !follows && e.Kind != uftrace.Lost {
		t.Before, t.Last = t.Last, r.Time
		s.Inverted = r.Time < p.lastTime
		p.lastTime = r.Time
	}
	switch e.Kind {
	case uftrace.Enter:
		p.applyEnter(s)
		s.Open = p.strays || !p.endsNext(t, uftrace.Leave)
		t.leaf = p.leaf // hidden calls may have been read
	case uftrace.Leave:
		p.applyLeave(s)
		if n := p.leaf; follows && n < len(t.Stack) {
			s.Total = t.Stack[n].Total
		}
	case uftrace.Lost:
		t.applyLost(s)
	default:
		p.applyEvent(s)
	}
	s.Depth = min(s.Depth, maxShown)
	return s, nil
}

// endsNext reports whether the next record to show ends the call that the step began.
func (p *Player) endsNext(t *Task, kind uftrace.Kind) bool {
	if p.opts.apart() {
		return false
	}
	if err := p.advance(true); err != nil {
		p.end = err // for the next call
		return false
	}
	if !p.ahead { // advance stopped
		e := &p.ents[p.pos]
		p.follows = kind == uftrace.Leave && e.Kind == kind && !p.off && e.Source == p.step.Entry.Source && e.Depth == p.step.Entry.Depth
		p.ahead, p.aheadTask = p.follows, t
		return p.follows
	}
	if p.aheadTask != t {
		return false
	}
	switch e := &p.ents[p.pos]; {
	case e.Kind != kind:
	case kind == uftrace.Event:
		p.follows = p.recs[p.pos].ID == SchedIn
	default:
		p.follows = e.Depth == p.step.Entry.Depth
	}
	return p.follows
}

// advance finds the next record that is shown and leaves it at p.pos. Hidden records are applied on
// the way. When it looks ahead of a step, it also stops, without a result, where uftrace stops.
func (p *Player) advance(peek bool) error {
	p.peeking = peek
	if err := p.end; err != nil {
		if !errors.Is(err, io.EOF) {
			p.end = nil
		}
		return err
	}
	for {
		if p.pos == len(p.recs) {
			if err := p.nextRun(); err != nil {
				return err
			}
		}
		if p.skimming {
			if p.skim(p.runTask, peek); p.pos == len(p.recs) {
				continue
			}
		}
		r, e := &p.recs[p.pos], &p.ents[p.pos]
		t := p.runTask
		if e.Source != uftrace.User {
			t = p.foreignTask(r, e)
		}
		if p.leavesOut(t, r, e) {
			p.short.pass(e)
			p.pos++
			continue
		}
		if p.opts.Hooks.Watch != nil {
			p.opts.Hooks.Watch(t.Index, p.recs[p.pos:p.pos+1], p.ents[p.pos:p.pos+1])
		}
		p.any = true
		if t.stretch != nil && e.Source == uftrace.Perf && !t.begun {
			if p.first == 0 || p.first > r.Time { // elapsed times may begin here
				t.doubt()
			}
			t.foresee(p.source, &p.opts, r)
		}
		if peek && p.stops(t, r, e) {
			return nil
		}
		counts := !peek && p.counts(t, r, e)
		if p.admit(t, r, e) {
			p.ahead, p.aheadTask = true, t
			return nil
		}
		if counts {
			t.Before, t.Last = t.Last, r.Time
			p.lastTime = r.Time
		}
		p.lastTask = t
		p.pos++
	}
}

// leavesOut reports whether a record is of another thread, or outside of the range.
func (p *Player) leavesOut(t *Task, r *record.Record, e *uftrace.Entry) bool {
	switch {
	case t == nil:
		return true
	case t.ignored:
		if e.Source == uftrace.User && (p.first == 0 || p.first > r.Time) {
			p.first = r.Time // elapsed times count from the first record also where --tid is of another thread
		}
		return true
	case p.opts.Kernel.Only && e.Source == uftrace.User:
		t.userAt(e)
		return true
	case !p.ranged || !p.outside(t, r, e):
		return false
	}
	if p.opts.Hooks.Before != nil {
		p.opts.Hooks.Before(t.Index, r, e)
	}
	return true
}

// userAt counts the open user functions with KernelOnly, which leaves them out. Kernel records
// outside of them are not shown.
func (t *Task) userAt(e *uftrace.Entry) {
	switch e.Kind {
	case uftrace.Enter:
		t.user = int(e.Depth) + 1
	case uftrace.Leave:
		t.user = int(e.Depth)
	}
}

// counts reports whether a record that is not shown counts for the column of differences.
func (p *Player) counts(t *Task, r *record.Record, e *uftrace.Entry) bool {
	switch e.Kind {
	case uftrace.Lost:
		return false
	case uftrace.Event:
		return p.wantsEvent(t, r)
	}
	return !p.libcall(e)
}
