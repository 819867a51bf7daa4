package callstack

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// queues reports whether the records of threads pass through a queue before they are merged.
func (p *Player) queues() bool {
	return p.opts.Limits.Time > 0 || p.opts.Limits.Size > 0 || p.filter.actions.all&single != 0
}

// Missed returns the list of filters and triggers as uftrace prints it when they match no function:
// after "Usage: failed to set filter or trigger: ". It is empty if they match.
func (p *Player) Missed() string { return p.filter.actions.missed }

// admitEnter decides about a call; see admit.
func (p *Player) admitEnter(t *Task, r *record.Record, e *uftrace.Entry) bool {
	next := &p.filter.next
	*next = admission{left: t.left, off: p.filter.off, asleep: p.filter.asleep}
	libcall := p.filter.libcall(e)
	// only shown calls begin a range
	if (!libcall || p.ahead.peeking) && !t.placed && !t.regained && !p.window.late() &&
		!p.filter.off && !p.placesLate(t) {
		p.place(t, e)
	}
	verdict, flags, follows := p.judgeEnter(t, r, e, libcall)
	if verdict == shown {
		return true
	}
	f := t.push(e.Addr, r.Time, e.Sym)
	f.Hidden, f.depth, f.flags = verdict == hidden, t.left, flags
	p.filter.off, t.left = next.off, next.left
	if flags&frameIn != 0 {
		t.in++
	}
	special := p.jumps.of(e.Sym)
	remember := !p.opts.Raw && (!libcall || p.ahead.peeking || follows) && t.out == 0
	if flags&frameOut != 0 {
		t.out++
	}
	if e.Source == uftrace.User {
		t.user++
	}
	t.color = ColorNone
	switch {
	case verdict == missed:
		level := t.Depth
		if t.placed || t.parent == nil { // uftrace counts hidden levels, but not those of a child
			t.Depth++
			t.dark++
		}
		p.noteMissed(t, special, level)
	case remember:
		if p.noteHidden(t, special); follows {
			p.jumps.leaves(t, special)
		}
	}
	return false
}

// judgeEnter applies the filters to a call. follows is set if the special behavior of a hidden call
// applies.
func (p *Player) judgeEnter(
	t *Task, r *record.Record, e *uftrace.Entry, libcall bool,
) (v verdict, flags frameFlags, follows bool) {
	switch {
	case p.opts.Raw && !libcall:
		return shown, 0, false
	case p.opts.Raw || t.out > 0:
		return hidden, 0, false
	case !libcall:
		v, flags = p.filter.judge(t, r, e)
		return v, flags, false
	case !p.opts.replays():
		_, flags = p.filter.judge(t, r, e)
		return hidden, flags, p.opts.Steps == Single
	case p.ahead.peeking && (!p.filter.inside || t.in > 0):
		p.filter.next.off = p.filter.switched(e, p.filter.next.off)
	}
	return hidden, 0, false
}

// admitLeave decides about the end of a call; see admit.
func (p *Player) admitLeave(t *Task, r *record.Record, e *uftrace.Entry) bool {
	f := t.first()
	if n := len(t.Stack); n > 0 {
		if f = &t.Stack[n-1]; !f.pushed {
			p.filter.judgeUnseen(t, f, e)
		}
	}
	if !f.Hidden && !p.filter.off && !p.filter.libcall(e) {
		return true
	}
	if p.filter.off && !f.Hidden && t.Depth > 0 {
		t.Depth--
		t.dark--
	}
	p.close(t, r.Time, e)
	return false
}

// stops reports whether uftrace stops at a record while it looks for the end of the step's call,
// even if the record is not shown. It stops at events that options hide, and at every event of a
// thread's own file. It also stops at a record of the same thread that is not deeper than the call.
func (p *Player) stops(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if e.Kind == uftrace.Event {
		if e.Source != uftrace.User && t.user == 0 && !p.opts.Events.Full ||
			e.Source >= uftrace.Perf && p.filter.limited && (!p.filter.within(t) || p.filter.located && t.in == 0) {
			return false
		}
		if e.Source == uftrace.Perf && p.short.hidden() { // hidden by -t: uftrace does not read it
			return false
		}
		return !p.showsEvent(t, r, e)
	}
	if p.filter.stopsElsewhere(t, e) || p.filter.stopsAtTrigger(t, e) {
		return true
	}
	s := &p.step
	return p.filter.limited && t == s.Task && e.Kind != uftrace.Lost && s.Entry.Kind == uftrace.Enter &&
		e.Source == s.Entry.Source && e.Depth <= s.Entry.Depth
}

// Off reports whether tracing is switched off, by Disable or a trigger.
func (p *Player) Off() bool { return p.filter.off }

// showsAnyway is shows for events. The dump family also shows them while tracing is off.
func (p *Player) showsAnyway(t *Task) bool {
	return p.filter.within(t) && (!p.filter.off || p.opts.Steps == Single)
}
