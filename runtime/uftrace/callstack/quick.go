package callstack

import "github.com/tracec/tracec/runtime/uftrace"

// stepQuickly makes the step of a call whose beginning or end depends only on the stack of its
// thread and the next record of the run. If more must be examined, it returns false and has changed
// nothing. The step is the step of Next.
func (p *Player) stepQuickly() bool {
	n, t := p.pos, p.runTask
	if n+1 >= len(p.recs) {
		return false
	}
	r, e, next := &p.recs[n], &p.ents[n], &p.ents[n+1]
	switch {
	case e.Kind > uftrace.Leave || next.Kind > uftrace.Leave || e.Source != uftrace.User:
		return false
	case p.first == 0 || p.first > min(r.Time, p.recs[n+1].Time): // elapsed times restart
		return false
	case !t.placed || !t.begun || t.lost || t.gap || t.ignored:
		return false
	case e.Kind == uftrace.Enter && (p.limited && !p.plainlyShown(t, e) || p.jumps.of(e.Sym) != ordinary):
		return false
	case e.Kind == uftrace.Leave && p.limited && (p.off || !t.innermostShown()):
		return false
	}
	if p.opts.Hooks.Watch != nil {
		p.opts.Hooks.Watch(t.Index, p.recs[n:n+1], p.ents[n:n+1])
	}
	follows := p.follows
	p.pos, p.lastTask, p.any = n+1, t, true
	p.follows, p.ahead = false, false
	t.called = true
	s := &p.step
	*s = Step{Record: r, Entry: e, Task: t}
	if !follows {
		t.Before, t.Last = t.Last, r.Time
		s.Inverted = r.Time < p.lastTime
		p.lastTime = r.Time
	}
	switch {
	case e.Kind == uftrace.Leave:
		p.leaveQuickly(s, r.Time, follows)
	case p.opts.Steps == Whole && next.Kind == uftrace.Leave && next.Depth == e.Depth && t.has() && !p.opts.apart():
		p.leafQuickly(s)
	default:
		p.enterQuickly(s, next)
	}
	return true
}

// leafQuickly is enterQuickly and endQuickly where the end is the next record.
func (p *Player) leafQuickly(s *Step) {
	t := s.Task
	s.End, s.EndEntry = &p.recs[p.pos], &p.ents[p.pos]
	p.pos++
	f := t.call(s.Entry.Addr, s.Record.Time, s.End.Time, s.Entry.Sym)
	f.flags, f.depth = 0, 0
	if p.limited {
		f.depth = t.left
		t.color = ColorNone
	}
	p.leaf, p.strays, p.peeking = t.leaf, false, true
	s.Frame, s.Total, s.Depth = f, f.Total, min(t.Depth, maxShown)
}

// enterQuickly is applyEnter and endsNext.
func (p *Player) enterQuickly(s *Step, next *uftrace.Entry) {
	t := s.Task
	f := t.push(s.Entry.Addr, s.Record.Time, s.Entry.Sym)
	f.flags, f.depth = 0, 0
	if p.limited {
		f.depth = t.left
		t.left--
		t.color = ColorNone
	}
	p.leaf, p.strays = t.leaf, false
	s.Frame, s.Depth = f, min(t.Depth, maxShown)
	t.Depth++
	t.user++
	switch {
	case p.opts.apart():
		s.Open = true
		return
	case p.limited:
		s.Open = !p.endsHere(s) && !p.endsNext(t, uftrace.Leave)
		t.leaf = p.leaf
	default:
		p.ahead, p.aheadTask, p.peeking = true, t, true
		p.follows = next.Kind == uftrace.Leave && next.Depth == s.Entry.Depth
		s.Open = !p.follows
	}
	if p.follows && p.opts.Steps == Whole && s.Record != &p.keptRec && t.isInnermost(s) {
		p.endQuickly(s)
	}
}

// isInnermost reports whether the call of a step is the one that ends next. Where hidden calls do
// not nest it is another.
func (t *Task) isInnermost(s *Step) bool {
	n := len(t.Stack) - 1
	return n >= 0 && t.Stack[n].Addr == s.Entry.Addr && t.Stack[n].Start == s.Record.Time
}

// endsHere is endsNext where all that is hidden before the end, and the end itself, are in the run.
func (p *Player) endsHere(s *Step) bool {
	p.peeking = true
	if p.skimming {
		p.skim(s.Task, true)
	}
	if p.pos == len(p.recs) {
		return false
	}
	if e := &p.ents[p.pos]; e.Kind != uftrace.Leave || e.Source != uftrace.User || e.Depth != s.Entry.Depth {
		return false
	}
	p.follows, p.ahead, p.aheadTask = true, true, s.Task
	return true
}

// endQuickly adds the end of a call to its step. The end is the next record.
func (p *Player) endQuickly(s *Step) {
	s.End, s.EndEntry = &p.recs[p.pos], &p.ents[p.pos]
	p.pos++
	p.follows, p.ahead = false, false
	depth := s.Depth
	p.leaveQuickly(s, s.End.Time, true)
	s.Depth = depth
}

// leaveQuickly is applyLeave.
func (p *Player) leaveQuickly(s *Step, now uint64, follows bool) {
	t := s.Task
	f := t.pop(now)
	if t.user > 0 {
		t.user--
	}
	if f.Event { // it did not come back
		t.doubt()
	}
	if p.limited {
		p.release(t, f)
	}
	s.Frame, s.Total = f, f.Total
	if follows && p.leaf < len(t.Stack) {
		s.Total = t.Stack[p.leaf].Total
	}
	if t.Depth > 0 {
		t.Depth--
	}
	s.Depth = min(t.Depth, maxShown)
}

// plainlyShown reports whether a call is shown by its place, and filters do nothing at its
// function.
func (p *Player) plainlyShown(t *Task, e *uftrace.Entry) bool {
	return p.shows(t) && (p.actions.all == 0 || p.actions.of(e.Sym) == nil)
}

// innermostShown reports whether the innermost call is shown, and was seen to begin.
func (t *Task) innermostShown() bool {
	n := len(t.Stack) - 1
	return n >= 0 && t.Stack[n].pushed && !t.Stack[n].Hidden
}
