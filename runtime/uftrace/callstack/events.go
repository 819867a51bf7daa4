package callstack

import (
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// The event ids that are known to the player or to code that shows events (uftrace.md 1.6).
const (
	firstBuiltin    = 100000 // below: tracepoints of the kernel
	SchedIn         = uftrace.EventSchedIn
	SchedOut        = uftrace.EventSchedOut
	Sched           = uftrace.EventSched // out and in, merged
	TaskNew         = uftrace.EventTaskNew
	TaskExit        = uftrace.EventTaskExit
	TaskName        = uftrace.EventTaskName
	SchedOutPreempt = uftrace.EventSchedOutPre
	SchedPreempt    = uftrace.EventSchedPre
	Callsite        = uftrace.EventCallsite
	UserEvents      = uftrace.EventUser // the first id of events.txt
	External        = uftrace.EventExtern
)

// admit decides whether a record is shown. If it is not, admit applies it at once. If it is,
// nothing changes yet.
func (p *Player) admit(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if e.Kind != uftrace.Lost { // lost records restart elapsed times when they are shown, not when they are read ahead
		p.start(t, r, e)
	}
	switch e.Kind {
	case uftrace.Event:
		if t.ask(); !t.begun && !t.idle {
			t.doubt()
		}
		if r.ID == SchedIn || r.ID == SchedOut || r.ID == SchedOutPreempt {
			t.begun = true
			if !t.placed && !p.filter.off && !p.window.late() && !p.placesLate(t) {
				p.place(t, e)
			}
		}
		return p.admitEvent(t, r, e)
	case uftrace.Lost:
		return true
	}
	if e.Source == uftrace.Kernel && t.user == 0 && !p.opts.Kernel.Full {
		return false
	}
	if t.lost {
		p.regain(t, r, e)
	} else if !t.begun {
		t.begin(r.Time, e)
	} else if t.gap {
		t.gap, t.Depth = false, len(t.Stack)
	}
	if !p.filter.limited {
		return true
	}
	if e.Kind == uftrace.Enter {
		return p.admitEnter(t, r, e)
	}
	return p.admitLeave(t, r, e)
}

// start makes elapsed times count from a record if it is the first one, or earlier than the first
// one. As in uftrace they restart at lost records, which have no time.
func (p *Player) start(t *Task, r *record.Record, e *uftrace.Entry) {
	if p.window.starts(r.Time) && (e.Source == uftrace.User || len(t.Stack) > 0 || p.opts.Events.Full &&
		!p.window.single) {
		if p.window.first = r.Time; p.window.first == 0 {
			t.doubt()
		}
	}
}

// admitEvent decides the same about an event.
func (p *Player) admitEvent(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if p.short.bits != nil && e.Source == uftrace.Perf && p.short.next() {
		return false
	}
	// as in uftrace while it looks for the end of a call: -L hides events of other files
	passed := p.ahead.peeking && e.Source >= uftrace.Perf && p.filter.located && t.in == 0
	if !passed && p.showsEvent(t, r, e) {
		return true
	}
	if p.opts.Hooks.Dark != nil && !p.ahead.peeking && p.darkens(t, r) {
		p.opts.Hooks.Dark(t)
	}
	switch r.ID {
	case TaskName:
		t.rename(r)
	case SchedOut, SchedOutPreempt:
		t.off(r, !p.filter.off)
	case SchedIn:
		t.hid(t.on(r))
	}
	return false
}

// showsEvent reports whether an event is shown. The event has not been applied yet.
func (p *Player) showsEvent(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if !p.wantsEvent(t, r) || p.filter.limited && !p.showsAnyway(t) {
		return false
	}
	return r.ID != SchedIn || !t.muted()
}

// darkens reports whether an event is not shown only because tracing is off.
func (p *Player) darkens(t *Task, r *record.Record) bool {
	return p.filter.off && p.filter.within(t) && p.wantsEvent(t, r) && !(r.ID == SchedIn && t.muted())
}

// wantsEvent reports whether the options allow an event to be shown at all.
func (p *Player) wantsEvent(t *Task, r *record.Record) bool {
	return p.opts.wants(t, r.ID)
}

// wants reports whether the options allow an event to be shown at all. Without --event-full, this
// is only so within functions.
func (o *Options) wants(t *Task, id uint32) bool {
	outside := t.user == 0
	if o.Kernel.Only {
		outside = id >= firstBuiltin
	}
	if o.Events.None || outside && !o.Events.Full {
		return false
	}
	if anySchedule(id) && o.HidesSchedules() {
		return false
	}
	switch id {
	case SchedOutPreempt, SchedPreempt:
		return !o.Events.NoSchedPreempt
	case SchedIn:
		n := len(t.Stack)
		return !o.Events.NoSchedPreempt || n == 0 || t.Stack[n-1].Addr != SchedOutPreempt
	}
	return true
}

// rename handles an event that names the thread.
func (t *Task) rename(r *record.Record) {
	if t.stretch != nil {
		t.touch()
		t.renamed = true
	}
	t.Comm = string(r.Data)
}

// IsSchedule reports whether an event takes the thread off its processor or back.
func IsSchedule(id uint32) bool { return id == SchedIn || id == SchedOut || id == SchedOutPreempt }

func anySchedule(id uint32) bool { return IsSchedule(id) || id == Sched || id == SchedPreempt }

// ScheduleName returns the name for the time off the processor, by the id of the event that began
// it.
func ScheduleName(id uint64) string {
	if id == SchedOutPreempt {
		return "linux:schedule (pre-empted)"
	}
	return "linux:schedule"
}

// applyEvent follows an event that is shown.
func (p *Player) applyEvent(s *Step) {
	t, r := s.Task, s.Record
	s.Depth, s.Color = t.Depth, t.color
	// as in uftrace: the levels that were counted before apply from the first call on
	if p.opts.Functions.Disable && !t.called && t.parent == nil {
		s.Depth = 0
	}
	switch r.ID {
	case SchedOut, SchedOutPreempt:
		s.Frame = t.off(r, false)
		p.lookAhead(s, t.leaf, uftrace.Event)
	case SchedIn:
		if s.Frame = t.on(r); s.Frame != nil {
			s.Total = s.Frame.Total
		}
	case TaskName:
		t.rename(r)
	case External:
		s.Depth = 0
	}
}
