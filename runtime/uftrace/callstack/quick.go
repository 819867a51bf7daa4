package callstack

import "github.com/tracec/tracec/runtime/uftrace"

// stepQuickly makes the step of a call whose beginning or end depends only on the stack of its
// thread and the next record of the run. If more must be examined, it returns false and changes
// nothing. The step equals the step of Next.
func (p *Player) stepQuickly() bool {
	n, t := p.in.pos, p.in.task
	if n+1 >= len(p.in.recs) {
		return false
	}
	r, e, next := &p.in.recs[n], &p.in.ents[n], &p.in.ents[n+1]
	switch {
	case e.Kind > uftrace.Leave || next.Kind > uftrace.Leave || e.Source != uftrace.User:
		return false
	case p.window.starts(min(r.Time, p.in.recs[n+1].Time)):
		return false
	case !t.placed || !t.begun || t.lost || t.gap || t.ignored:
		return false
	case e.Kind == uftrace.Enter && (p.filter.limited && !p.filter.plainlyShown(t, e) || p.jumps.of(e.Sym) != ordinary):
		return false
	case e.Kind == uftrace.Leave && p.filter.limited && (p.filter.off || !t.innermostShown()):
		return false
	}
	if p.opts.Hooks.Watch != nil {
		p.opts.Hooks.Watch(t.Index, p.in.recs[n:n+1], p.in.ents[n:n+1])
	}
	follows := p.ahead.follows
	p.in.pos, p.past.task, p.any = n+1, t, true
	p.ahead.follows, p.ahead.known = false, false
	t.called, t.dark = true, 0
	s := &p.step
	*s = Step{Record: r, Entry: e, Task: t}
	if !follows {
		s.Inverted = r.Time < p.past.time
		p.past.count(t, r.Time)
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

// leafQuickly is enterQuickly and endQuickly for a call whose end is the next record.
func (p *Player) leafQuickly(s *Step) {
	t := s.Task
	s.End, s.EndEntry = &p.in.recs[p.in.pos], &p.in.ents[p.in.pos]
	p.in.pos++
	f := t.call(s.Entry.Addr, s.Record.Time, s.End.Time, s.Entry.Sym)
	f.flags, f.depth = 0, 0
	if p.filter.limited {
		f.depth = t.left
		t.color = ColorNone
	}
	p.ahead.leaf, p.ahead.strays, p.ahead.peeking = t.leaf, false, true
	s.Frame, s.Total, s.Depth = f, f.Total, min(t.Depth, maxShown)
}

// enterQuickly is applyEnter and endsNext.
func (p *Player) enterQuickly(s *Step, next *uftrace.Entry) {
	t := s.Task
	f := t.push(s.Entry.Addr, s.Record.Time, s.Entry.Sym)
	f.flags, f.depth = 0, 0
	if p.filter.limited {
		f.depth = t.left
		t.left--
		t.color = ColorNone
	}
	p.ahead.leaf, p.ahead.strays = t.leaf, false
	s.Frame, s.Depth = f, min(t.Depth, maxShown)
	t.Depth++
	t.user++
	switch {
	case p.opts.apart():
		s.Open = true
		return
	case p.filter.limited:
		if leaf := t.leaf; p.endsHere(s) {
			t.leaf = leaf
		} else {
			p.lookAhead(s, leaf, uftrace.Leave)
		}
	default:
		p.ahead.known, p.ahead.task, p.ahead.peeking = true, t, true
		p.ahead.follows = next.Kind == uftrace.Leave && next.Depth == s.Entry.Depth
		s.Open = !p.ahead.follows
	}
	if p.ahead.follows && p.opts.Steps == Whole && s.Record != &p.in.kept.rec && t.isInnermost(s) {
		p.endQuickly(s)
	}
}

// isInnermost reports whether the call of a step is the one that ends next. If hidden calls do not
// nest, it may be another one.
func (t *Task) isInnermost(s *Step) bool {
	n := len(t.Stack) - 1
	return n >= 0 && t.Stack[n].Addr == s.Entry.Addr && t.Stack[n].Start == s.Record.Time
}

// endsHere is endsNext if the end, and all hidden records before it, are in the run.
func (p *Player) endsHere(s *Step) bool {
	p.ahead.peeking = true
	if p.skimming {
		p.skim(s.Task, true)
	}
	if p.in.pos == len(p.in.recs) {
		return false
	}
	if e := &p.in.ents[p.in.pos]; e.Kind != uftrace.Leave || e.Source != uftrace.User || e.Depth != s.Entry.Depth {
		return false
	}
	p.ahead.follows, p.ahead.known, p.ahead.task = true, true, s.Task
	return true
}

// endQuickly adds the end of a call to its step. The end is the next record.
func (p *Player) endQuickly(s *Step) {
	s.End, s.EndEntry = &p.in.recs[p.in.pos], &p.in.ents[p.in.pos]
	p.in.pos++
	p.ahead.follows, p.ahead.known = false, false
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
	if f.Event { // the thread did not come back
		t.doubt()
	}
	if p.filter.limited {
		t.release(f)
	}
	s.Frame, s.Total = f, f.Total
	if follows && p.ahead.leaf < len(t.Stack) {
		s.Total = t.Stack[p.ahead.leaf].Total
	}
	if t.Depth > 0 {
		t.Depth--
	}
	s.Depth = min(t.Depth, maxShown)
}

// plainlyShown reports whether a call is shown by its place, and filters have no action at its
// function.
func (f *filters) plainlyShown(t *Task, e *uftrace.Entry) bool {
	return f.shows(t) && (f.actions.all == 0 || f.actions.of(e.Sym) == nil)
}

// innermostShown reports whether the innermost call is shown, and was seen to begin.
func (t *Task) innermostShown() bool {
	n := len(t.Stack) - 1
	return n >= 0 && t.Stack[n].pushed && !t.Stack[n].Hidden
}
