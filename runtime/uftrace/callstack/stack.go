package callstack

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// maxShown limits Step.Depth. Without it, the indentation of a damaged file would grow with every
// entry that has no exit, and the text with the square of their number. uftrace drops calls above
// 1024.
const maxShown = 1024

// taskState is the state of a thread that only a player or walker needs.
type taskState struct {
	progress
	levels
	ignored bool // --tid leaves the thread out
	leaf    int  // place in Stack of the call that was pushed last
	user    int  // open calls that are user functions
	dark    int  // levels of Depth that were counted while tracing was off
	forked  int  // level of the calls below its last fork, or 0
	parent  *Task

	assumption
	overflow
}

// unseen is the state of a thread before its first record.
func unseen() taskState { return taskState{progress: progress{unsynced: true}} }

// progress is the part of a thread that has been seen. It includes whether its place in the calls
// is known.
type progress struct {
	unsynced bool // for a Walker: not begun, or lost
	begun    bool // a record of its own file has been seen
	placed   bool // Depth is known
	called   bool // the begin or end of a call has been shown
	returned bool // an exit has been read; for -r
	endFirst bool // its first record is the end of a call
	lost     bool // records are missing before the next one
	gap      bool // records of the kernel are missing before the next one
	regained bool // its records were lost before
}

// levels are the effects of filters at the open calls of a thread.
type levels struct {
	limit   int32 // of the depth filter
	left    int32 // levels that the depth filter allows below
	in, out int   // open calls with doFilter, with doNotrace
	color   Color // of the last call
}

// overflow are the calls of a thread above maxFrames.
type overflow struct {
	over  int // number of open ones
	spare Frame
}

// Inside reports whether a function of the program is open.
func (t *Task) Inside() bool { return t.user > 0 }

// place finds the level of the first call that is shown. It is the level of the fork in the parent,
// or else 0, for any recorded depth (tested with 0.13: recordings that begin late, by --disable).
// After a loss the depth of the record is used. If a time range begins late, the number of
// enclosing calls is used.
func (p *Player) place(t *Task, e *uftrace.Entry) {
	t.placed, t.Depth, t.dark = true, 0, 0
	switch {
	case p.opts.Kernel.Only && (t.regained || p.window.late()):
		t.Depth = depthBefore(e)
		if e.Source == uftrace.Kernel {
			t.Depth += t.user
		}
	case t.regained:
		t.Depth = depthBefore(e)
	case p.placesLate(t):
		t.Depth = len(t.Stack)
	case p.window.late():
		t.Depth = len(t.Stack) // not the recorded depth if an event in the range precedes the first call
	}
	if t.parent != nil && (!p.window.late() || t.parent.forked > 0) { // the fork may be before the range
		t.Depth = t.parent.forked
	}
}

// placesLate reports whether the first call that is shown has the level of the enclosing calls,
// including hidden ones, as in uftrace with --disable.
func (p *Player) placesLate(t *Task) bool { return p.filter.disabled && t.parent == nil }

// regain finds the place of a thread again, after lost records. The depth of the next record
// determines which calls are still open. The effects of filters at the other calls end. Calls that
// began unseen take their levels of -D.
func (p *Player) regain(t *Task, r *record.Record, e *uftrace.Entry) {
	t.placed, t.regained = false, true
	had, begun := len(t.Stack), t.begun
	for i := had - 1; i >= depthBefore(e) && p.filter.limited; i-- {
		t.release(&t.Stack[i])
	}
	t.regain(r.Time, e)
	for i := had; i < len(t.Stack); i++ {
		f := &t.Stack[i]
		// a thread that begins with a loss is shown
		f.depth, f.Hidden = t.left, begun && p.filter.limited && !p.filter.shows(t)
		if t.left > 0 && t.left != math.MaxInt32 {
			t.left--
		}
	}
}

func (t *Task) applyLost(s *Step) {
	t.doubt()
	if s.Entry.Source == uftrace.User {
		t.lost = true
	} else { // a loss of kernel records does not change the stack, but afterwards hidden calls count in the indentation
		t.gap = true
	}
	s.Depth = t.Depth - t.dark + 1
}

// applyEnter opens a call that is shown.
func (p *Player) applyEnter(s *Step) {
	t, r, e := s.Task, s.Record, s.Entry
	t.called, t.dark = true, 0
	placed := t.placed
	if !placed {
		p.place(t, e)
	}
	f := t.push(e.Addr, r.Time, e.Sym)
	f.flags, f.depth = 0, 0
	p.ahead.leaf = t.leaf
	s.Frame, s.Depth = f, t.Depth
	if p.filter.limited {
		p.filter.enter(t, f, s)
	}
	t.Depth++
	if e.Source == uftrace.User {
		t.user++
	}
	p.ahead.strays = false
	if special := p.jumps.of(e.Sym); special != ordinary {
		t.doubt()
		depth := t.Depth
		if !placed && p.window.late() && !t.regained { // as in uftrace, which finds the level afterwards
			depth = 1
		}
		p.noteSpecial(t, special, depth)
		if p.ahead.strays = special == execs || special == jumps; p.ahead.strays {
			s.left = t.Callers() // the memory is valid until the next call
		}
		p.jumps.leaves(t, special)
	}
}

// applyLeave closes a call that is shown.
func (p *Player) applyLeave(s *Step) {
	t, e := s.Task, s.Entry
	t.called, t.dark = true, 0
	if !t.placed {
		p.place(t, e)
	}
	s.Frame = p.close(t, s.Record.Time, e)
	s.Total = s.Frame.Total
	if t.Depth > 0 {
		t.Depth--
	}
	s.Depth = t.Depth
}

// close ends the innermost call, shown or not.
func (p *Player) close(t *Task, now uint64, e *uftrace.Entry) *Frame {
	f := t.pop(now)
	if e.Source == uftrace.User && t.user > 0 {
		t.user--
	}
	if f.Event { // the thread did not come back
		t.doubt()
	}
	if p.filter.limited {
		t.release(f)
	}
	return f
}
