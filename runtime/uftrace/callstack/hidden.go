package callstack

import (
	"github.com/tracec/tracec/runtime/uftrace"
)

// harmless are the actions that do not hide or show anything below a call of -N.
const harmless = doFilter | doNotrace | doHide | doBacktrace | doColor

// newHidden returns the calls that filters hide together with all calls below them, only by the
// depth or the function of the call. It returns nil if there are none, or if a record of a hidden
// call may matter to records of other threads or files.
func (p *Player) newHidden() *uftrace.Hidden {
	o, f := &p.opts, &p.filter
	if !p.skimming || o.Functions.Disable || o.Deltas || f.located || p.queues() || p.rec.Follows() ||
		!p.rec.OnlyThreads() || p.rec.Info().Features&uftrace.FeatEstimateReturn != 0 {
		return nil
	}
	h := &uftrace.Hidden{Ends: make([]bool, len(p.jumps.bySymbol)), Functions: make([]bool, len(f.actions.bySymbol))}
	allowed, some := harmless, false
	if o.Limits.Depth > 0 && !f.inside {
		h.Depth, allowed, some = o.Limits.Depth, doNotrace, true
	}
	for i, n := range f.actions.bySymbol {
		a := &f.actions.list[n]
		h.Functions[i] = a.onlyNotrace()
		h.Ends[i] = p.jumps.bySymbol[i] != ordinary || a.flags&^allowed != 0
		some = some || h.Functions[i]
	}
	if !some {
		return nil
	}
	return h
}

// hide makes the stream of a thread skip calls below hidden calls.
func (p *Player) hide(t *Task, s *uftrace.Stream) {
	if p.skipped == nil {
		p.skipped = make([]*uftrace.Skipped, len(p.tasks))
	}
	p.skipped[t.Index] = s.Hide(p.hidden)
}

// unskip puts the skipped calls of a thread into their former frames, after the skipping has ended.
func (p *Player) unskip(t *Task) {
	if p.skipped == nil || t == nil {
		return
	}
	s := p.skipped[t.Index]
	if s == nil || !s.Over {
		return
	}
	p.skipped[t.Index] = nil
	if s.Last == nil {
		return
	}
	for i := len(t.Stack); i < len(s.Last); i++ {
		c := &s.Last[i]
		if c.Time == 0 {
			continue
		}
		if i >= cap(t.Stack) {
			t.grow(i + 1)
		}
		if f := &t.Stack[:i+1][i]; c.Time > f.Start {
			*f = Frame{Addr: c.Addr, Start: c.Time, Total: c.Time, depth: f.depth}
		}
	}
}
