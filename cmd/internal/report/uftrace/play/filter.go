package play

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// The marks of a frame.
const (
	frameIn  frameFlags = 1 << iota // it was counted in Task.in
	frameOut                        // it was counted in Task.out
)

// admission is what an Enter changes when it is shown.
type admission struct {
	action *action
	left   int32 // levels that are left below
	in     bool
	off    bool
}

// prepareFilters compiles the options that hide functions.
func (p *Player) prepareFilters() {
	o := &p.opts
	p.actions = compile(p.rec, o)
	p.inside = p.actions.all&doFilter != 0
	p.located = p.actions.all&doLoc != 0
	p.callers = p.actions.all&doCaller != 0
	p.off = o.Disable
	left := int32(math.MaxInt32)
	if o.Depth > 0 {
		left = int32(min(o.Depth, math.MaxInt32))
	}
	for _, t := range p.tasks {
		t.left = left
	}
	p.limited = !o.Raw && (p.actions.all != 0 || o.Depth > 0 || o.Disable || o.NoLibcall)
}

// queues says whether the records of threads go through a queue before they are merged.
func (p *Player) queues() bool {
	const single = doTime | doSize | doHide | doCaller | doLoc | doNotLoc
	return p.opts.Time > 0 || p.opts.Size > 0 || p.actions.all&single != 0
}

// Missed are the items of filters and triggers that match no function. They were left out.
func (p *Player) Missed() []string { return p.actions.missed }

// arriveEnter decides about a call; see arrive.
func (p *Player) arriveEnter(t *Task, r *record.Record, e *uftrace.Entry) bool {
	next := &p.next
	*next = admission{left: t.left, off: p.off}
	var flags frameFlags
	show := false
	switch {
	case p.libcall(e):
	case t.out > 0:
	default:
		show, flags = p.judge(t, e, next)
	}
	if show {
		return true
	}
	f := t.push()
	*f = Frame{Addr: e.Addr, Sym: e.Sym, Start: r.Time, Hidden: true, depth: t.left, flags: flags}
	p.off, t.left = next.off, next.left
	if flags&frameIn != 0 {
		t.in++
	}
	if flags&frameOut != 0 {
		t.out++
	}
	if e.Source == uftrace.User {
		t.user++
	}
	t.color = ColorNone
	return false
}

// judge applies the filters and triggers at a function.
func (p *Player) judge(t *Task, e *uftrace.Entry, next *admission) (show bool, flags frameFlags) {
	a := p.actions.of(e.Sym)
	var do actionFlags
	if a != nil {
		next.action, do = a, a.flags
	}
	switch {
	case do&doFilter != 0:
		next.in, flags = true, frameIn
		next.left = int32(math.MaxInt32)
		if p.opts.Depth > 0 {
			next.left = int32(min(p.opts.Depth, math.MaxInt32))
		}
	case do&doNotrace != 0:
		return false, frameOut
	case p.inside && t.in == 0:
		return false, 0
	}
	if do&doDepth != 0 {
		next.left = a.depth
	}
	if do&doTraceOn != 0 {
		next.off = false
	}
	if do&doTraceOff != 0 {
		next.off = true
	}
	if next.off || next.left <= 0 {
		return false, flags
	}
	next.left--
	return true, flags
}

// admit applies to a call that is shown what arriveEnter found.
func (p *Player) admit(t *Task, f *Frame, s *Step) {
	n := &p.next
	f.depth = t.left
	t.left, p.off = n.left, n.off
	if n.in {
		t.in++
		f.flags |= frameIn
	}
	t.color = ColorNone
	if n.action != nil {
		s.Backtrace = n.action.flags&doBacktrace != 0
		t.color = n.action.color
		s.Color = t.color
	}
}

// arriveLeave decides about the end of a call; see arrive.
func (p *Player) arriveLeave(t *Task, r *record.Record, e *uftrace.Entry) bool {
	n := len(t.Stack)
	if (n == 0 || !t.Stack[n-1].Hidden) && !p.off && !p.libcall(e) {
		return true
	}
	p.close(t, r.Time, e)
	return false
}

// libcall says whether a record is of a call into a library, which --no-libcall hides.
func (p *Player) libcall(e *uftrace.Entry) bool {
	return p.opts.NoLibcall && e.Sym != nil && e.Sym.Type == 'P'
}

// release undoes what the entry of a call did to the filters.
func (p *Player) release(t *Task, f *Frame) {
	if f.flags&frameIn != 0 && t.in > 0 {
		t.in--
	}
	if f.flags&frameOut != 0 && t.out > 0 {
		t.out--
	}
	t.left = f.depth
	t.color = ColorNone
}

// shows says whether something that is no function is shown at the place where a thread is.
func (p *Player) shows(t *Task) bool {
	return t.out == 0 && (!p.inside || t.in > 0) && !p.off && t.left > 0
}

// stops says whether uftrace, looking for the end of the call that the step is, stops at a record whether it is shown
// or not: at every event of a thread's own file, and at a record of the same thread that is not deeper than the call.
func (p *Player) stops(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if e.Kind == uftrace.Event {
		return e.Source == uftrace.User && !p.showsEvent(t, r)
	}
	s := &p.step
	return p.limited && t == s.Task && e.Kind != uftrace.Lost && s.Entry.Kind == uftrace.Enter &&
		e.Source == s.Entry.Source && e.Depth <= s.Entry.Depth
}
