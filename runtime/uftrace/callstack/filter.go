package callstack

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// admission is what an Enter changes when it is shown.
type admission struct {
	action *action
	left   int32 // levels that are left below
	in     bool
	off    bool
	asleep bool // nothing was shown before
}

// prepareFilters compiles the options that hide functions.
func (p *Player) prepareFilters() {
	o := &p.opts
	p.actions = compile(p.rec, &o.Functions)
	p.inside = p.actions.all&doFilter != 0 || o.Functions.Only != nil
	p.located = p.actions.all&doLoc != 0
	p.callers = p.actions.all&doCaller != 0
	p.off, p.asleep = o.Functions.Disable, o.Functions.Disable
	for _, t := range p.tasks {
		t.limit = p.depthLimit()
		t.left = t.limit
	}
	p.limited = o.Functions.NoLibcall || !o.Raw && (p.actions.all != 0 || p.inside || o.Limits.Depth > 0 || o.Functions.Disable)
	if o.Raw {
		p.off, p.inside = false, false
	}
}

// depthLimit is the number of levels that -D allows.
func (p *Player) depthLimit() int32 {
	if p.opts.Limits.Depth > 0 && !p.opts.Raw {
		return int32(min(p.opts.Limits.Depth, math.MaxInt32))
	}
	return math.MaxInt32
}

// byPlace reports whether functions are hidden by -D, or at some functions and below them, alone.
func (p *Player) byPlace() bool {
	return p.actions.all&(single|doLoc|doNotLoc) == 0 && !p.opts.Functions.NoLibcall && !p.opts.Functions.Disable && !p.opts.Raw
}

// single are the actions on calls that are hidden for what they are, before the merge.
const single = doTime | doSize | doCaller

// queues reports whether the records of threads go through a queue before they are merged.
func (p *Player) queues() bool {
	return p.opts.Limits.Time > 0 || p.opts.Limits.Size > 0 || p.actions.all&single != 0
}

// Missed is the list of filters and triggers as uftrace prints it when they match no function:
// after "Usage: failed to set filter or trigger: ". It is empty when all is well.
func (p *Player) Missed() string { return p.actions.missed }

// admitEnter decides about a call; see admit.
func (p *Player) admitEnter(t *Task, r *record.Record, e *uftrace.Entry) bool {
	next := &p.next
	*next = admission{left: t.left, off: p.off, asleep: p.asleep}
	var flags frameFlags
	verdict, follows := hidden, false // follows: what is special about a hidden call holds
	libcall := p.libcall(e)
	if (!libcall || p.peeking) && !t.placed && !t.regained && !p.late && !(p.off && t.parent != nil) { // of a range only what is shown begins it
		p.place(t, e)
	}
	if !libcall {
		if t.out == 0 && !p.opts.Raw {
			verdict, flags = p.judge(t, r, e, next)
		}
		if verdict == shown || p.opts.Raw {
			return true
		}
	} else if !p.opts.replays() {
		if t.out == 0 && !p.opts.Raw {
			_, flags = p.judge(t, r, e, next)
			follows = p.opts.Steps == Single
		}
	} else if p.peeking && t.out == 0 && (!p.inside || t.in > 0) {
		next.off = p.switched(e, next.off)
	}
	f := t.push(e.Addr, r.Time, e.Sym)
	f.Hidden, f.depth, f.flags = verdict == hidden, t.left, flags
	p.off, t.left = next.off, next.left
	if flags&frameIn != 0 {
		t.in++
	}
	remember := !p.opts.Raw && (!libcall || p.peeking || follows) && t.out == 0 && verdict != missed
	if flags&frameOut != 0 {
		t.out++
	}
	if e.Source == uftrace.User {
		t.user++
	}
	t.color = ColorNone
	if verdict == missed {
		level := t.Depth
		if t.placed || t.parent == nil { // uftrace counts the levels also while it shows nothing, but those of a child
			t.Depth++
		}
		p.noteMissed(t, p.jumps.of(e.Sym), level)
	}
	if remember {
		special := p.jumps.of(e.Sym)
		p.noteSpecial(t, special, false)
		if follows {
			p.jumps.leaves(t, special)
		}
	}
	return false
}

// switched is what off becomes at a function.
func (p *Player) switched(e *uftrace.Entry, off bool) bool {
	if a := p.actions.of(e.Sym); a != nil {
		off = (off || a.flags&doTraceOff != 0) && a.flags&doTraceOn == 0
	}
	return off
}

// verdict is what becomes of a call.
type verdict uint8

const (
	hidden verdict = iota
	shown
	missed // it is not shown, but its end is, when that is on again
)

// judge applies the filters and triggers at a function.
func (p *Player) judge(t *Task, r *record.Record, e *uftrace.Entry, next *admission) (v verdict, flags frameFlags) {
	a := p.actions.of(e.Sym)
	var do actionFlags
	if a != nil {
		next.action, do = a, a.flags
		if a.cond.arg != 0 && do&(doFilter|doNotrace) != 0 && !a.cond.holds(e.Sym, r, p.rec.Info().BigEndian) {
			do &^= doFilter | doNotrace
		}
	}
	switch {
	case do&doFilter != 0:
		next.in, flags = true, frameIn
		next.left = t.limit
	case do&doNotrace != 0:
		return hidden, frameOut
	case p.inside && t.in == 0:
		return hidden, 0
	}
	if p.elsewhere(do) {
		if p.off {
			t.Depth++ // as of what is missed
			flags |= frameUncounted
		}
		return hidden, flags
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
	if next.off {
		return missed, flags
	}
	p.asleep = false
	if do&doHide != 0 {
		return hidden, flags
	}
	if next.left <= 0 {
		return hidden, flags
	}
	next.left--
	return shown, flags
}

// elsewhere reports whether -L hides a function, for its file. Its calls stay on the stack, as with
// -H.
func (p *Player) elsewhere(do actionFlags) bool {
	return do&doNotLoc != 0 || p.located && do&doLoc == 0
}

// stopsElsewhere reports whether uftrace, looking for the end of a call, stops at a call that -L
// hides. It does where nothing else hides that one, unless files are chosen rather than left out,
// and that outside of what -F shows.
func (p *Player) stopsElsewhere(t *Task, e *uftrace.Entry) bool {
	if p.actions.all&(doLoc|doNotLoc) == 0 || e.Kind != uftrace.Enter || t.out > 0 || t.left <= 0 || p.libcall(e) {
		return false
	}
	var do actionFlags
	if a := p.actions.of(e.Sym); a != nil {
		do = a.flags
	}
	switch {
	case !p.elsewhere(do) || do&(doNotrace|doHide) != 0:
		return false
	case do&(doFilter|doNotLoc) == 0 && t.in == 0:
		return false
	}
	return !p.inside || t.in > 0 || do&doFilter != 0
}

// enterFilters applies to a call that is shown what admitEnter found.
func (p *Player) enterFilters(t *Task, f *Frame, s *Step) {
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

// admitLeave decides about the end of a call; see admit.
func (p *Player) admitLeave(t *Task, r *record.Record, e *uftrace.Entry) bool {
	f := t.first()
	if n := len(t.Stack); n > 0 {
		if f = &t.Stack[n-1]; !f.pushed {
			p.judgeUnseen(t, f, e)
		}
	}
	if !f.Hidden && !p.off && !p.libcall(e) {
		return true
	}
	if p.off && (!f.Hidden || f.flags&frameUncounted != 0) && f.flags&frameIn == 0 && t.Depth > 0 {
		t.Depth--
	}
	p.close(t, r.Time, e)
	return false
}

// judgeUnseen applies to the end of a call whose begin was lost what filters do at its function.
func (p *Player) judgeUnseen(t *Task, f *Frame, e *uftrace.Entry) {
	a := p.actions.of(e.Sym)
	switch {
	case a == nil:
	case a.flags&(doNotrace|doHide) != 0:
		f.Hidden = true
	case a.flags&doFilter != 0 && t.out == 0:
		f.Hidden = false
	}
}

// libcall reports whether a record is of a call into a library, which --no-libcall hides.
func (p *Player) libcall(e *uftrace.Entry) bool {
	return p.opts.Functions.NoLibcall && e.Sym != nil && e.Sym.Type == 'P'
}

// release undoes what the entry of a call did to the filters.
func (p *Player) release(t *Task, f *Frame) {
	if f.flags&frameIn != 0 && t.in > 0 {
		t.in--
	}
	if f.flags&frameOut != 0 && t.out > 0 {
		t.out--
	}
	t.left, f.flags, f.Hidden = f.depth, 0, false
}

// shows reports whether something that is no function is shown at the place where a thread is.
func (p *Player) shows(t *Task) bool {
	return t.out == 0 && (!p.inside || t.in > 0) && !p.off && t.left > 0
}

// Off reports whether tracing is switched off, by Disable or a trigger.
func (p *Player) Off() bool { return p.off }

// showsAnyway is shows for events. The dump family shows them also while tracing is off.
func (p *Player) showsAnyway(t *Task) bool {
	if p.opts.Steps != Single {
		return p.shows(t)
	}
	off := p.off
	p.off = false
	ok := p.shows(t)
	p.off = off
	return ok
}

// stops reports whether uftrace, looking for the end of the call that the step is, stops at a
// record whether it is shown or not: at events that options hide, at every event of a thread's own
// file, and at a record of the same thread that is not deeper than the call.
func (p *Player) stops(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if e.Kind == uftrace.Event {
		if e.Source != uftrace.User && t.user == 0 && !p.opts.Events.Full || e.Source >= uftrace.Perf && p.limited && (!p.shows(t) || p.located && t.in == 0) {
			return false
		}
		if e.Source == uftrace.Perf && p.short.hidden() { // by -t: uftrace does not read it
			return false
		}
		return !p.showsEvent(t, r, e)
	}
	if p.stopsElsewhere(t, e) {
		return true
	}
	s := &p.step
	return p.limited && t == s.Task && e.Kind != uftrace.Lost && s.Entry.Kind == uftrace.Enter &&
		e.Source == s.Entry.Source && e.Depth <= s.Entry.Depth
}
