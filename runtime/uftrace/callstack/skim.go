package callstack

import (
	"github.com/tracec/tracec/runtime/record"
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

// onlyNotrace reports whether a function is hidden with the calls below it, whatever its arguments
// are.
func (c *action) onlyNotrace() bool { return c.flags == doNotrace && c.cond.arg == 0 }

// skim skips the calls of the run that filters hide by their place. With -D, or at functions of -N,
// these are most calls. It does the same as advance. It stops before the first record that needs
// more checks.
func (p *Player) skim(t *Task, peek bool) {
	if p.window.first == 0 || p.filter.off || t == nil || !t.placed || !t.begun || t.lost || t.gap || t.ignored || t.over > 0 {
		return
	}
	hides, notrace := p.filter.hides(t), p.filter.actions.all&doNotrace != 0
	if !hides && t.out == 0 && !notrace {
		return
	}
	stack, n := t.Stack[:cap(t.Stack)], len(t.Stack)
	shallow := -1
	if s := &p.step; peek && t == s.Task && s.Entry.Kind == uftrace.Enter && s.Entry.Source == uftrace.User {
		shallow = int(s.Entry.Depth) // see stops
	}
	recs, first, left, acts := p.in.recs[p.in.pos:], p.window.first, t.left, p.filter.actions.all != 0
	ents, before := p.in.ents[p.in.pos:][:len(recs)], n // calls from there on are hidden
	i := 0
records:
	for ; i < len(recs); i++ {
		r, e := &recs[i], &ents[i]
		if e.Source != uftrace.User || r.Time < first || int(e.Depth) <= shallow {
			break
		}
		switch e.Kind {
		case uftrace.Enter:
			if n == len(stack) || p.jumps.of(e.Sym) != ordinary {
				break records
			}
			var flags frameFlags
			if t.out == 0 {
				var a *action
				if acts {
					a = p.filter.actions.of(e.Sym)
				}
				if a == nil && !hides || a != nil && !a.onlyNotrace() {
					break records
				}
				if a != nil {
					flags = frameOut
					t.out++
				}
			}
			f := &stack[n]
			f.open(e.Addr, r.Time, e.Sym)
			f.below, f.Hidden, f.depth, f.flags = anyBelow, true, left, flags
			t.leaf, t.color = n, ColorNone
			n++
			t.user++
		case uftrace.Leave:
			if n <= before {
				if n == 0 || !stack[n-1].hiddenAt(left) {
					break records
				}
				before = n - 1
			}
			n--
			f := &stack[n]
			f.Total = r.Time - f.Start
			if f.flags&frameOut != 0 {
				t.out--
			}
			f.Hidden, f.pushed, f.flags = false, false, 0
			if n > 0 {
				stack[n-1].Child += f.Total
			}
			if t.user > 0 {
				t.user--
			}
		default:
			break records
		}
	}
	if i == 0 {
		return
	}
	t.Stack = stack[:n]
	p.in.pos += i
	if p.opts.Hooks.Watch != nil {
		p.opts.Hooks.Watch(t.Index, recs[:i], ents[:i])
	}
	p.passed(t, recs[:i], peek)
}

// hiddenAt reports whether a call is hidden only by its place, or by -N, with left levels left, and
// the hiding ends with it.
func (f *Frame) hiddenAt(left int32) bool {
	return f.Hidden && f.pushed && f.depth == left && f.flags&^frameOut == 0
}

// passed notes records that were skipped.
func (p *Player) passed(t *Task, recs []record.Record, peek bool) {
	p.any, p.past.task = true, t
	if peek {
		return
	}
	last := recs[len(recs)-1].Time
	if t.Before = t.Last; len(recs) > 1 {
		t.Before = recs[len(recs)-2].Time
	}
	t.Last, p.past.time = last, last
}
