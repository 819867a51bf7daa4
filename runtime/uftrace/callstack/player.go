package callstack

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Player plays one recording, once. It reads ahead to the next shown record, so that an Enter knows
// whether its exit follows. It is not safe for several goroutines.
type Player struct {
	threads
	rec   *uftrace.Recording
	opts  Options
	byTID tidTable

	in     input
	ahead  lookahead
	past   past
	filter filters
	window window
	short  shortSchedules
	jumps  jumpTable
	kernel map[int32][]minimum // by thread: see kernelLimits

	hidden  *uftrace.Hidden    // if nil, no calls are skipped
	skipped []*uftrace.Skipped // by Task.Index

	quick    bool // stepQuickly may be called
	skimming bool // skim may be called
	any      bool
	symbols  int // number of symbols of the recording when jumps and filter were made
	step     Step
	err      error // of All
}

// lookahead is the player's knowledge of the record after the step.
type lookahead struct {
	known   bool // it is shown, belongs to task, and has not been applied yet
	peeking bool // it is read only for Step.Open
	task    *Task
	follows bool // it ends the call that the step begins
	leaf    int  // place of the step's call in the stack of its thread
	strays  bool // the step is an Enter of exec or longjmp
}

// past is the player's memory of the previous record.
type past struct {
	task *Task
	time uint64 // without records read ahead
	undo prior
}

// count notes the time of a record for the column of differences.
func (p *past) count(t *Task, time uint64) {
	t.Before, t.Last = t.Last, time
	p.time = time
}

// countRun is count for all of some records.
func (p *past) countRun(t *Task, recs []record.Record) {
	last := recs[len(recs)-1].Time
	if t.Before = t.Last; len(recs) > 1 {
		t.Before = recs[len(recs)-2].Time
	}
	t.Last, p.time = last, last
}

// Any reports whether a record was played, shown or not.
func (p *Player) Any() bool { return p.any }

// First returns the time from which elapsed times count, or 0 before the first record.
func (p *Player) First() uint64 { return p.window.first }

// Next returns the next step, or io.EOF after the last one. Any other error comes from a stream,
// which is skipped from then on. The next call continues with the other streams.
func (p *Player) Next() (*Step, error) {
	if p.quick && p.stepQuickly() {
		return &p.step, nil
	}
	follows := p.ahead.follows
	p.ahead.follows = false
	if !p.ahead.known {
		if err := p.advance(false); err != nil {
			return nil, err
		}
	}
	p.ahead.known = false
	s := &p.step
	r, e := p.in.record()
	t := p.ahead.task
	p.in.pos++
	p.past.task = t
	*s = Step{Record: r, Entry: e, Task: t}
	p.past.undo = prior{t.Before, t.Last, p.past.time, t.left}
	if !follows && e.Kind != uftrace.Lost {
		s.Inverted = r.Time < p.past.time
		p.past.count(t, r.Time)
	}
	switch e.Kind {
	case uftrace.Enter:
		p.applyEnter(s)
		if t.leaf, s.Open = p.ahead.leaf, true; !p.ahead.strays {
			p.lookAhead(s, p.ahead.leaf, uftrace.Leave)
		}
	case uftrace.Leave:
		p.applyLeave(s)
		if n := p.ahead.leaf; follows && n < len(t.Stack) {
			s.Total = t.Stack[n].Total
		}
	case uftrace.Lost:
		p.start(t, r, e)
		t.applyLost(s)
	default:
		p.applyEvent(s)
	}
	s.Depth = min(s.Depth, maxShown)
	return s, nil
}

// lookAhead finds out whether the call that the step began stays open. leaf is its place in the
// stack.
func (p *Player) lookAhead(s *Step, leaf int, end uftrace.Kind) {
	t := s.Task
	s.Open = !p.endsNext(t, end)
	t.leaf = leaf // hidden calls may have been read
	if stack := t.Stack[:cap(t.Stack)]; s.Frame != &t.spare && leaf < len(stack) {
		s.Frame = &stack[leaf] // hidden calls may have moved the stack
	}
}

// endsNext reports whether the next record to show ends the call that the step began.
func (p *Player) endsNext(t *Task, kind uftrace.Kind) bool {
	if p.opts.apart() {
		return false
	}
	if err := p.advance(true); err != nil {
		p.in.end = err // for the next call
		return false
	}
	if !p.ahead.known { // advance stopped
		e := &p.in.ents[p.in.pos]
		p.ahead.follows = kind == uftrace.Leave && e.Kind == kind && !p.filter.off && e.Source == p.step.Entry.Source &&
			e.Depth == p.step.Entry.Depth
		p.ahead.known, p.ahead.task = p.ahead.follows, t
		return p.ahead.follows
	}
	if p.ahead.task != t {
		return false
	}
	switch e := &p.in.ents[p.in.pos]; {
	case e.Kind != kind:
	case kind == uftrace.Event:
		p.ahead.follows = p.in.recs[p.in.pos].ID == SchedIn
	default:
		p.ahead.follows = e.Depth == p.step.Entry.Depth
	}
	return p.ahead.follows
}

// advance finds the next record that is shown and leaves it in p.in. Hidden records are applied on
// the way. When it looks ahead of a step, it also stops, without a result, where uftrace stops.
func (p *Player) advance(peek bool) error {
	p.ahead.peeking = peek
	if err := p.in.ended(); err != nil {
		return err
	}
	for {
		if p.in.pos == len(p.in.recs) {
			if err := p.nextRun(); err != nil {
				return err
			}
		}
		if p.skimming {
			if p.skim(p.in.task, peek); p.in.pos == len(p.in.recs) {
				continue
			}
		}
		r, e := p.in.record()
		t := p.in.task
		if e.Source != uftrace.User {
			t = p.foreignTask(r, e)
		}
		if p.leavesOut(t, r, e) {
			p.short.pass(e)
			p.in.pos++
			continue
		}
		p.meet(t, r, e)
		if peek && p.stops(t, r, e) {
			return nil
		}
		counts := !peek && p.counts(t, r, e)
		if p.admit(t, r, e) {
			p.ahead.known, p.ahead.task = true, t
			return nil
		}
		if counts {
			p.past.count(t, r.Time)
		}
		p.past.task = t
		p.in.pos++
	}
}

// meet notes that a record is played, shown or not.
func (p *Player) meet(t *Task, r *record.Record, e *uftrace.Entry) {
	if p.opts.Hooks.Watch != nil {
		p.opts.Hooks.Watch(t.Index, p.in.recs[p.in.pos:p.in.pos+1], p.in.ents[p.in.pos:p.in.pos+1])
	}
	p.any = true
	if t.stretch != nil && e.Source == uftrace.Perf && !t.begun {
		if p.window.starts(r.Time) {
			t.doubt()
		}
		t.foresee(p.in.source, &p.opts, r)
	}
}

// leavesOut reports whether a record is of another thread, or outside of the range.
func (p *Player) leavesOut(t *Task, r *record.Record, e *uftrace.Entry) bool {
	switch {
	case t == nil:
		return true
	case t.ignored:
		if e.Source == uftrace.User && p.window.starts(r.Time) {
			p.window.first = r.Time // elapsed times count from the first record even if --tid leaves out its thread
		}
		return true
	case p.opts.Kernel.Only && e.Source == uftrace.User:
		t.userAt(e)
		if !p.window.on || !p.window.outside(t, r, e) {
			p.any = true
		}
		return true
	case !p.window.on || !p.window.outside(t, r, e):
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
		return p.wantsEvent(t, r) && !(e.Source == uftrace.Perf && p.short.hidden())
	}
	return !p.filter.libcall(e)
}
