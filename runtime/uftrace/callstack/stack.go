package callstack

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// maxFrames bounds the open calls of a thread: a damaged file may hold millions of entries without an exit. The
// recorder stops at a depth of 1023 (uftrace.md 1.6).
const maxFrames = 1 << 16

// maxShown bounds Step.Depth: without it the indentation of a damaged file would grow with every entry that has no exit,
// and the text with the square of their number. uftrace drops calls above 1024.
const maxShown = 1024

type frameFlags uint8

// taskState is what the player alone needs to know of a thread.
type taskState struct {
	begun    bool // a record of its own was seen
	placed   bool // Depth is known
	called   bool // the begin or end of a call was shown
	regained bool // it was lost before
	returned bool // an exit was read; for -r
	ignored  bool // --tid is of others
	lost     bool // records are missing before the next one
	gap      bool // those of the kernel are
	over     int  // open calls above maxFrames
	user     int  // open calls that are user functions
	forked   int  // level of the calls below its last fork; 0: none
	parent   *Task

	limit   int32 // of the depth filter
	in, out int   // open calls with doFilter, with doNotrace
	left    int32 // levels that the depth filter allows below
	color   Color // of the last call
}

// jumpSlot is where setjmp was called. There is one for all threads, as in uftrace (uftrace.md 2.3).
type jumpSlot struct {
	frames, user, depth int
}

// push opens a call. The frame holds what the last call at its place left.
func (t *Task) push() *Frame {
	n := len(t.Stack)
	if n < cap(t.Stack) {
		t.Stack = t.Stack[:n+1]
		return &t.Stack[n]
	}
	if n >= maxFrames {
		t.over++
		return &t.Stack[n-1]
	}
	t.grow(n + 1)
	t.Stack = t.Stack[:n+1]
	return &t.Stack[n]
}

// grow makes room for n open calls.
func (t *Task) grow(n int) {
	open := len(t.Stack)
	frames := make([]Frame, max(n, 2*cap(t.Stack), 16))
	for i := copy(frames, t.Stack[:cap(t.Stack)]); i < len(frames); i++ {
		frames[i].depth = t.limit
	}
	t.Stack = frames[:open]
}

// first is the frame that the outermost call has or had.
func (t *Task) first() *Frame {
	if cap(t.Stack) == 0 {
		t.grow(1)
	}
	return &t.Stack[:1][0]
}

// off opens the time off the processor.
func (t *Task) off(id uint32, now uint64, mute bool) *Frame {
	f := t.push()
	flags := f.flags &^ frameMute
	if mute {
		flags |= frameMute
	}
	*f = Frame{Addr: uint64(id), Start: now, Total: now, Event: true, depth: f.depth, flags: flags}
	return f
}

// pop closes the innermost call at a time and accounts for it. Without an open call it is the frame that the first one
// had, as that is: uftrace prints what it finds there.
func (t *Task) pop(now uint64) *Frame {
	n := len(t.Stack)
	if n == 0 {
		return t.first()
	}
	f := &t.Stack[n-1]
	if t.over > 0 {
		t.over--
		return f
	}
	t.Stack = t.Stack[:n-1]
	f.Total = now - f.Start
	if f.flags&frameUnseen != 0 {
		f.Total, f.flags = 0, f.flags&^frameUnseen
	}
	if n > 1 {
		t.Stack[n-2].Child += f.Total
	}
	return f
}

// resize sets the number of open calls, when it is known from elsewhere. Calls that come up are what was there before.
func (t *Task) resize(n int) {
	if n > cap(t.Stack) {
		t.grow(n)
	}
	t.Stack = t.Stack[:n]
}

// begin prepares a thread whose first record this is: calls that were open before it start now.
func (t *Task) begin(r *record.Record, e *uftrace.Entry) {
	t.begun = true
	n := int(e.Depth)
	if e.Kind == uftrace.Leave {
		n++
	}
	if e.Kind > uftrace.Leave { // then uftrace takes the thread to begin outside of all functions
		return
	}
	t.resize(n)
	for i := range t.Stack {
		t.Stack[i] = Frame{Start: r.Time, Total: r.Time, depth: t.left}
	}
}

// place finds the level of the first call that is shown: that of the fork in the parent, else 0, whatever the record says
// (tried on 0.13: recordings that begin late, by --disable). Behind a loss, and in a range of times, the record tells it.
func (p *Player) place(t *Task, e *uftrace.Entry) {
	t.placed, t.Depth = true, 0
	if t.regained || p.ranged {
		t.Depth = int(e.Depth)
		if e.Kind == uftrace.Leave {
			t.Depth++
		}
	}
	if t.parent != nil {
		t.Depth = t.parent.forked
	}
}

// regain finds the place in the calls again, after records that were lost. The depth of the next record says which calls are still
// open: what filters did at the others ends, and what began unseen takes its levels of -D.
func (p *Player) regain(t *Task, e *uftrace.Entry) {
	t.lost, t.placed, t.regained = false, false, true
	n := int(e.Depth)
	if e.Kind == uftrace.Leave {
		n++
	}
	had := len(t.Stack)
	for i := had - 1; i >= n && p.limited; i-- {
		p.release(t, &t.Stack[i])
	}
	t.resize(n)
	for i := had; i < n; i++ {
		f := &t.Stack[i]
		f.flags, f.Event, f.depth, f.Hidden = frameUnseen, false, t.left, p.limited && !p.shows(t)
		if t.left > 0 && t.left != math.MaxInt32 {
			t.left--
		}
	}
	t.user, t.over = n, 0
}

func (t *Task) applyLost(s *Step) {
	if s.Entry.Source == uftrace.User {
		t.lost = true
	} else { // a gap in the kernel's records changes no stack, but hidden calls count in the indentation from then on
		t.gap = true
	}
	s.Depth = t.Depth + 1
}

// applyEnter opens a call that is shown.
func (p *Player) applyEnter(s *Step) {
	t, r, e := s.Task, s.Record, s.Entry
	t.called = true
	if !t.placed {
		p.place(t, e)
	}
	f := t.push()
	p.leaf = len(t.Stack) - 1
	*f = Frame{Addr: e.Addr, Sym: e.Sym, Start: r.Time, Total: r.Time}
	s.Frame, s.Depth = f, t.Depth
	if p.limited {
		p.admit(t, f, s)
	}
	t.Depth++
	if e.Source == uftrace.User {
		t.user++
	}
	p.strays = false
	if e.Sym != nil && !p.opts.Raw {
		if special := p.special(e.Sym); special != ordinary {
			p.noteSpecial(t, special, true)
			p.stray(t, special)
			p.strays = special == execs || special == jumps
		}
	}
}

// applyLeave closes a call that is shown.
func (p *Player) applyLeave(s *Step) {
	t, e := s.Task, s.Entry
	t.called = true
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
	if p.limited {
		p.release(t, f)
	}
	return f
}
