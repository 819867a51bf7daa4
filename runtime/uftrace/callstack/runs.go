package callstack

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Calls are the functions that [Player.Runs] calls for shown records, in order. The calls are on
// the stack of the thread, or have just been.
type Calls struct {
	Entered func(*Task, *record.Record, *uftrace.Entry) // a call has begun; nil if not needed
	Left    func(*Task, *record.Record, *uftrace.Entry, *Frame)
	Other   func(*Step) // an event or a loss
	// Descend follows calls itself, by [Player.Descend], and returns their number: Entered and Left
	// are not called for these. It may be nil.
	Descend func(*Task, []record.Record, []uftrace.Entry) int
	// Err is called from time to time. An error that it returns ends the walk. It may be nil.
	Err func() error
}

// Runs is [Player.All] for a caller that needs only the stacks. With [Single] steps it follows most
// records a run at a time, without a step for each. It returns the error of ctx or of c.Err; see
// [Player.Err] for errors of streams.
func (p *Player) Runs(ctx context.Context, c Calls) error {
	for n := 0; ; n++ {
		if n&63 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		p.run(&c)
		if c.Err != nil {
			if err := c.Err(); err != nil {
				return err
			}
		}
		s, err := p.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			p.err = errors.Join(p.err, err)
		case s.Entry.Kind == uftrace.Leave:
			c.Left(s.Task, s.Record, s.Entry, s.Frame)
		case s.Entry.Kind != uftrace.Enter:
			c.Other(s)
		case c.Entered != nil:
			c.Entered(s.Task, s.Record, s.Entry)
		}
	}
}

// run follows the run up to a record that needs a step.
func (p *Player) run(c *Calls) {
	for from := -1; from < p.in.pos && p.in.pos < len(p.in.recs); {
		from = p.in.pos
		if p.skimming {
			p.skim(p.in.task, false)
		}
		if p.plain() {
			t, recs, ents := p.in.task, p.in.recs[p.in.pos:], p.in.ents[p.in.pos:]
			if n := p.follow(c, t, recs, ents); n > 0 {
				t.called, t.dark, t.color = true, 0, ColorNone
				p.passed(t, n, false)
			}
		}
	}
}

// follow follows records of the run that are shown, and returns their number.
func (p *Player) follow(c *Calls, t *Task, recs []record.Record, ents []uftrace.Entry) int {
	ents = ents[:len(recs)]
	for i := 0; i < len(recs); i++ {
		if c.Descend != nil {
			if i += c.Descend(t, recs[i:], ents[i:]); i == len(recs) {
				break
			}
		}
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			if !p.enter(t, r, e) {
				return i
			}
			if c.Entered != nil {
				c.Entered(t, r, e)
			}
		case uftrace.Leave:
			f := p.leave(t, r)
			if f == nil {
				return i
			}
			c.Left(t, r, e, f)
		default:
			return i
		}
	}
	return len(recs)
}

// plain reports whether the next calls in the run are shown by their place.
func (p *Player) plain() bool {
	if !p.quick || !p.opts.apart() || p.window.first == 0 || p.in.pos == len(p.in.recs) ||
		p.in.ents[p.in.pos].Source != uftrace.User {
		return false
	}
	t := p.in.task
	return t.placed && t.begun && !t.lost && !t.gap && !t.ignored && (!p.filter.limited || p.filter.shows(t))
}

// enter follows a call of a run that begins. It does nothing and returns false if the call needs a
// step.
func (p *Player) enter(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if r.Time < p.window.first || !t.has() || p.jumps.of(e.Sym) != ordinary {
		return false
	}
	flags, before, left := frameFlags(0), int32(0), t.left
	if p.filter.limited {
		before = left
		if flags, left, _ = p.filter.plainly(t, e.Sym, left); left < 0 {
			return false
		}
	}
	n := len(t.Stack)
	t.Stack, t.leaf = t.Stack[:n+1], n // as in Walker.Enter
	f := &t.Stack[n]
	f.open(e.Addr, r.Time, e.Sym)
	if n > 0 {
		f.under(&t.Stack[n-1])
	}
	f.flags, f.depth = flags, before
	t.left = left
	if flags != 0 {
		t.in++
	}
	t.Depth++
	t.user++
	return true
}

// plainly applies the filters at a function to a call that is shown by its place. left is the
// number of remaining levels. plainly returns the number that remains below, or less than 0 if the
// call needs a step. plain is set if the filters have no action.
func (f *filters) plainly(t *Task, sym *uftrace.Symbol, left int32) (flags frameFlags, below int32, plain bool) {
	a := f.actions.of(sym)
	switch {
	case a == nil:
		return 0, left - 1, true
	case a.flags == doFilter && a.cond.arg == 0:
		return frameIn, t.limit - 1, false
	}
	return 0, -1, false
}

// leaveFilter undoes the effect of a call on the filters. It does nothing and returns false if they
// hide the call, if they then hide later records, or if there is more to undo.
func (t *Task) leaveFilter(f *Frame) bool {
	switch {
	case f.Hidden:
		return false
	case f.flags == 0:
		return true
	case f.flags != frameIn || t.in < 2:
		return false
	}
	t.in--
	f.flags = 0
	return true
}

// leave follows a call of a run that ends, and returns it. It does nothing and returns nil if the
// end needs a step.
func (p *Player) leave(t *Task, r *record.Record) *Frame {
	n := len(t.Stack) - 1
	if n < 0 || t.over > 0 || r.Time < p.window.first {
		return nil
	}
	f := &t.Stack[n]
	if !f.pushed || f.Event || !t.leaveFilter(f) {
		return nil
	}
	t.pop(r.Time)
	if p.filter.limited {
		t.left = f.depth
	}
	if t.Depth > 0 {
		t.Depth--
	}
	if t.user > 0 {
		t.user--
	}
	return f
}

// Descend is [Walker.Descend] for Calls.Descend.
func (p *Player) Descend(t *Task, at *Place, sums *Sums, recs []record.Record, ents []uftrace.Entry) int {
	return t.descend(p, at, sums, recs, ents)
}
