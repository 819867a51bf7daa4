package callstack

import (
	"io"

	"github.com/tracec/tracec/runtime/uftrace"
)

// prior is the state that the last step has changed.
type prior struct {
	before, last, time uint64
	left               int32
}

// Play continues with the records of another source. Records read ahead are dropped.
func (p *Player) Play(src Source) {
	p.in.source, p.in.end = src, nil
	p.in.recs, p.in.ents, p.in.pos, p.in.task = nil, nil, 0, nil
	p.ahead.known, p.ahead.follows, p.ahead.task = false, false, nil
	p.step.Record, p.step.Entry = nil, nil
	if p.stretch != nil {
		p.past.task, p.past.time, p.window.first = nil, 0, 0
	}
}

// AtEnd reports whether the player has looked beyond the step and found that the records of the
// source have ended. It is then still unknown whether an Enter or a sched-out is open.
func (p *Player) AtEnd() bool { return p.in.end == io.EOF }

// TakeBack undoes the step, an Enter or sched-out AtEnd. Its record must be played again, before
// the records that follow.
func (p *Player) TakeBack() {
	t := p.step.Task
	t.Drop()
	if p.step.Entry.Kind == uftrace.Enter {
		t.Depth--
		t.user--
	}
	t.Before, t.Last, t.left, p.past.time = p.past.undo.before, p.past.undo.last, p.past.undo.left, p.past.undo.time
}

// Stretch returns the stretch followed since the last call. Its contents belong to the caller.
func (p *Player) Stretch() *Stretch {
	first, last := p.window.first, p.past.time
	s := p.stretch.end()
	s.first, s.last = first, last
	return s
}

// Fits reports whether a stretch continues the calls that the player knows, and whether its
// assumptions hold. If not, its records must be played instead.
func (p *Player) Fits(s *Stretch) bool {
	if s.failed || len(s.tasks) > 0 && s.first < p.past.time {
		return false
	}
	for i := range s.tasks {
		x := &s.tasks[i]
		t := p.tasks[x.task]
		if t.lost || t.gap || t.ignored || x.idle && t.user > 0 {
			return false
		}
		if !x.known {
			continue
		}
		if x.later() && !(t.begun && t.placed) {
			return false
		}
		if !t.begun {
			t.begin(x.at, &x.assumption.first)
		}
		if !t.placed {
			p.place(t, &x.assumption.first)
		}
		if !x.fits(t, !p.opts.Events.Full) || t.Depth != x.calls {
			return false
		}
	}
	return true
}

// spend subtracts the open calls from the levels of -D. Calls that have ended in the stretch are
// not below times off the processor either.
func (t *Task) spend(p *stretched) {
	all := t.Stack[:cap(t.Stack)]
	for i := range p.frames {
		if p.frames[i].called() {
			all[i].depth = t.limit - int32(i)
		}
	}
	t.left = t.limit
	for i := range t.Stack {
		if !t.Stack[i].Event {
			t.left--
		}
	}
}

// called reports whether a call began in the stretch in the place of the frame.
func (f *Frame) called() bool { return !f.Assumed() && f.depth == 0 }

// Join continues at the end of a stretch, after the calls of Ended have been ended.
func (p *Player) Join(s *Stretch) {
	s.join(p.tasks)
	if len(s.tasks) == 0 {
		return
	}
	p.any = true
	for i := range s.tasks {
		if p.filter.limited {
			p.tasks[s.tasks[i].task].spend(&s.tasks[i])
		}
	}
	if s.last != 0 {
		p.past.time = s.last
	}
	if p.window.starts(s.first) {
		p.window.first = s.first
	}
}
