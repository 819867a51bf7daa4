package callstack

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Runs plays everything for a caller that needs only the stacks. Most records are passed to calls,
// a run of one thread at a time. It must follow them by [Player.Enter], [Player.Leave] or
// [Player.Descend] until one of these fails, and return how many it followed. All other records
// that are shown are steps. Runs returns the error of ctx; see [Player.Err] for errors of streams.
func (p *Player) Runs(ctx context.Context, calls func(t *Task, recs []record.Record, ents []uftrace.Entry) int, step func(*Step)) error {
	for n := 0; ; n++ {
		if n&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for again := true; again && p.pos < len(p.recs); {
			from := p.pos
			if p.skimming {
				p.skim(p.runTask, false)
			}
			if p.plain() {
				t, recs, ents := p.runTask, p.recs[p.pos:], p.ents[p.pos:]
				if n := calls(t, recs, ents); n > 0 {
					p.followed(t, recs[:n], ents[:n])
				}
			}
			again = p.pos > from
		}
		switch s, err := p.Next(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			p.err = errors.Join(p.err, err)
		default:
			step(s)
		}
	}
}

// plain reports whether the calls that come next in the run are shown by their place.
func (p *Player) plain() bool {
	if !p.quick || !p.apart() || p.first == 0 || p.off || p.pos == len(p.recs) || p.ents[p.pos].Source != uftrace.User {
		return false
	}
	t := p.runTask
	return t.placed && t.begun && !t.lost && !t.gap && !t.ignored && (!p.limited || t.left > 0 && t.out == 0 && (!p.inside || t.in > 0))
}

// followed notes records of the run that its caller has followed.
func (p *Player) followed(t *Task, recs []record.Record, ents []uftrace.Entry) {
	if p.opts.Watch != nil {
		p.opts.Watch(t.Index, recs, ents)
	}
	p.pos += len(recs)
	t.called, t.color = true, ColorNone
	p.passed(t, recs, false)
}

// Enter follows a call of a run that begins. It fails if the call needs a step.
func (p *Player) Enter(t *Task, r *record.Record, e *uftrace.Entry) bool {
	if r.Time < p.first || !t.has() || p.jumps.of(e.Sym) != ordinary {
		return false
	}
	flags, before, left := frameFlags(0), int32(0), t.left
	if p.limited {
		before = left
		if flags, left, _ = p.plainly(t, e.Sym, left); left < 0 {
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

// plainly applies the filters at a function to a call that is shown by its place, with left levels
// left. It returns how many are left below, -1 if they do more than -F does; plain is set if they do
// nothing.
func (p *Player) plainly(t *Task, sym *uftrace.Symbol, left int32) (flags frameFlags, below int32, plain bool) {
	a := p.actions.of(sym)
	switch {
	case a == nil:
		return 0, left - 1, true
	case a.flags == doFilter && a.cond.arg == 0:
		return frameIn, t.limit - 1, false
	}
	return 0, -1, false
}

// leaveFilter undoes what a call with marks did to the filters. It returns false and does nothing if
// they then hide what follows, or if there is more to undo.
func (t *Task) leaveFilter(f *Frame) bool {
	if f.flags != frameIn || t.in < 2 {
		return false
	}
	t.in--
	f.flags = 0
	return true
}

// Leave follows a call of a run that ends, and returns it. It returns nil if the end needs a step.
func (p *Player) Leave(t *Task, r *record.Record) *Frame {
	n := len(t.Stack) - 1
	if n < 0 || t.over > 0 || r.Time < p.first {
		return nil
	}
	f := &t.Stack[n]
	if !f.pushed || f.Event || f.Hidden || f.flags != 0 && !t.leaveFilter(f) {
		return nil
	}
	t.pop(r.Time)
	if p.limited {
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

// Descend follows records of a run through a tree, as [Player.Enter], [Player.Leave],
// [Sums.Ended] and Node.Calls would, and returns how many. See [Walker.Descend].
func (p *Player) Descend(t *Task, at *Place, sums *Sums, recs []record.Record, ents []uftrace.Entry) int {
	return t.descend(p, at, sums, recs, ents)
}
