package callstack

import (
	"github.com/tracec/tracec/runtime/uftrace"
)

// skims reports whether the options allow Player.skim to skip calls.
func (p *Player) skims() bool {
	o := &p.opts
	return p.filter.limited && !p.window.on && !o.Raw && !o.Functions.NoLibcall && !o.Kernel.Only
}

// hides reports whether filters hide every new call of a thread, except a call with its own action,
// outside of calls with doNotrace.
func (f *filters) hides(t *Task) bool { return f.inside && t.in == 0 || t.left <= 0 }

// onlyNotrace reports whether a function is hidden with the calls below it, for any arguments.
func (c *action) onlyNotrace() bool { return c.flags == doNotrace && c.cond.arg == 0 }

// skimsAt reports whether the player may skip calls of a thread at its present place.
func (p *Player) skimsAt(t *Task) bool {
	if p.window.first == 0 || p.filter.off || t == nil || !t.placed || !t.begun || t.lost || t.gap || t.ignored ||
		t.over > 0 {
		return false
	}
	return t.out > 0 || p.filter.actions.all&doNotrace != 0 || p.filter.hides(t)
}

// shallow returns the depth up to which records stop a look ahead of the step, as in stops, or -1
// if none do.
func (p *Player) shallow(t *Task) int {
	if s := &p.step; t == s.Task && s.Entry.Kind == uftrace.Enter && s.Entry.Source == uftrace.User {
		return int(s.Entry.Depth)
	}
	return -1
}

// skim skips the calls of the run that filters hide by their place. With -D, or at functions of -N,
// these are most calls. It has the same effect as advance. It stops before the first record that
// needs more checks.
func (p *Player) skim(t *Task, peek bool) {
	if !p.skimsAt(t) {
		return
	}
	first, shallow := p.window.first, -1
	if peek {
		shallow = p.shallow(t)
	}
	hides, acts, left := p.filter.hides(t), p.filter.actions.all != 0, t.left
	recs := p.in.recs[p.in.pos:]
	ents := p.in.ents[p.in.pos:][:len(recs)]
	stack, n := t.Stack[:cap(t.Stack)], len(t.Stack)
	i, before := 0, n // calls from before on are hidden
	// Calls below a call that -F hides may be shown. Recursive reads Frame.below for them.
	outside := p.filter.inside && t.in == 0
	for ; i < len(recs); i++ {
		r, e := &recs[i], &ents[i]
		if e.Source != uftrace.User || r.Time < first || int(e.Depth) <= shallow || e.Kind > uftrace.Leave {
			break
		}
		if e.Kind == uftrace.Enter {
			if n == len(stack) || p.jumps.of(e.Sym) != ordinary {
				break
			}
			flags := frameFlags(0)
			if acts && t.out == 0 {
				var ok bool
				if flags, ok = p.filter.skipped(t, e.Sym, hides); !ok {
					break
				}
			}
			f := &stack[n]
			f.open(e.Addr, r.Time, e.Sym)
			switch {
			case !outside:
				f.below = anyBelow
			case n > 0:
				f.under(&stack[n-1])
			}
			f.Hidden, f.depth, f.flags = true, left, flags
			t.leaf, t.color = n, ColorNone
			n++
			t.user++
			continue
		}
		if n <= before {
			if n == 0 || !stack[n-1].hiddenAt(left) {
				break
			}
			before = n - 1
		}
		n--
		t.endHidden(stack, n, r.Time)
	}
	if i > 0 {
		t.Stack = stack[:n]
		p.passed(t, i, peek)
	}
}

// skipped reports whether a call is hidden only by its place or by -N, and returns its marks. If
// hides is set, the place hides every new call without an action.
func (f *filters) skipped(t *Task, sym *uftrace.Symbol, hides bool) (frameFlags, bool) {
	switch a := f.actions.of(sym); {
	case a == nil:
		return 0, hides
	case a.onlyNotrace():
		t.out++
		return frameOut, true
	}
	return 0, false
}

// endHidden ends the hidden call at a place of the stack.
func (t *Task) endHidden(stack []Frame, place int, now uint64) {
	f := &stack[place]
	f.Total = now - f.Start
	if f.flags&frameOut != 0 {
		t.out--
	}
	f.Hidden, f.pushed, f.flags = false, false, 0
	if place > 0 {
		stack[place-1].Child += f.Total
	}
	if t.user > 0 {
		t.user--
	}
}

// passed notes that the next n records of the run were followed or skipped.
func (p *Player) passed(t *Task, n int, peek bool) {
	recs := p.in.recs[p.in.pos : p.in.pos+n]
	if p.opts.Hooks.Watch != nil {
		p.opts.Hooks.Watch(t.Index, recs, p.in.ents[p.in.pos:p.in.pos+n])
	}
	p.in.pos += n
	p.any, p.past.task = true, t
	if !peek {
		p.past.countRun(t, recs)
	}
}

// hiddenAt reports whether a call is hidden only by its place, or by -N, and whether the hiding
// ends with it. left is the number of remaining levels.
func (f *Frame) hiddenAt(left int32) bool {
	return f.Hidden && f.pushed && f.depth == left && f.flags&^frameOut == 0
}
