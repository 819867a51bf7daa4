package graph

import (
	"context"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// follower builds the graphs of all records.
type follower struct {
	*builder
	walker *callstack.Walker
}

func (b *builder) follow(ctx context.Context, rec *uftrace.Recording) error {
	f := &follower{b, callstack.NewWalker(rec, &b.opts.Play)}
	if err := f.walker.Each(ctx, f); err != nil {
		return err
	}
	for _, t := range f.walker.Tasks() {
		b.closeOpen(t, f.walker.End(t))
	}
	return nil
}

// Calls implements callstack.Visitor.
func (f *follower) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	w, whole := &f.walkers[t.Index], f.opts.Func == ""
	for i := 0; i < len(recs); i++ {
		if whole && !w.lost {
			if i += f.walker.Descend(t, &w.Place, &f.sums, recs[i:], ents[i:]); i == len(recs) {
				return nil
			}
		}
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			f.walker.Enter(t, r, e)
			f.called(t, r, e)
		case uftrace.Leave:
			f.returned(t, r, e, f.walker.Leave(t, r, e))
		case uftrace.Lost:
			f.lose(t)
			f.walker.Lose(t)
		case uftrace.Event:
			f.Event(t, r)
		}
	}
	return nil
}

// Event implements callstack.Visitor.
func (f *follower) Event(t *callstack.Task, r *record.Record) error {
	if g, shown := f.walker.Event(t, r); shown {
		f.event(t, r, g)
	}
	return nil
}

// lose notes that records of a thread's own file are lost.
func (b *builder) lose(t *callstack.Task) {
	w := &b.walkers[t.Index]
	w.lost = w.lost || len(t.Stack) > 0
}

// called handles the begin of a call.
func (b *builder) called(t *callstack.Task, r *record.Record, e *uftrace.Entry) {
	if !b.walkers[t.Index].lost {
		b.entered(t, r, call{b.name(e.Sym, e.Addr), e.Addr, e.Sym})
	}
}

// returned handles the end of a call.
func (b *builder) returned(t *callstack.Task, r *record.Record, e *uftrace.Entry, g *callstack.Frame) {
	name := b.name(e.Sym, e.Addr)
	w := b.enterTree(t.Index, t.Task, r.Time, e.Addr, name)
	w.lost = false
	if !b.hides(e.Sym) {
		// the call began before the range
		cut := g.Addr == 0 && len(t.Stack) > 0 && b.opts.Play.Scope.Range != (callstack.Range{})
		w.tree.returned = w.tree.returned || w.Node != nil && (g.Total > 0 || cut)
		b.leave(w, name, g.Total, g.Child)
	}
}

// hides reports whether --no-libcall hides the calls of a function.
func (b *builder) hides(sym *uftrace.Symbol) bool {
	return b.opts.Play.Functions.NoLibcall && sym != nil && sym.Type == 'P'
}

// event handles a selected event: time off the processor is a call.
func (b *builder) event(t *callstack.Task, r *record.Record, g *callstack.Frame) {
	// --event-full also selects events before the program.
	if w := &b.walkers[t.Index]; !w.begun && t.Task.SessionAt(r.Time) == nil {
		return
	}
	switch r.ID {
	case callstack.SchedOut, callstack.SchedOutPreempt:
		b.entered(t, r, call{name: callstack.ScheduleName(uint64(r.ID)), addr: uint64(r.ID)})
	case callstack.SchedIn:
		if g != nil {
			w := b.enterTree(t.Index, t.Task, r.Time, g.Addr, "")
			b.leave(w, callstack.ScheduleName(g.Addr), g.Total, g.Child)
		}
	}
}

// entered moves down to a call.
func (b *builder) entered(t *callstack.Task, r *record.Record, c call) {
	first := !b.walkers[t.Index].begun
	w := b.enterTree(t.Index, t.Task, r.Time, c.addr, "")
	switch {
	case b.hides(c.sym):
		w.tree.returned = w.tree.returned || first // as in uftrace, for the heading
		return
	case !b.begins(w, c):
		b.enter(w, c)
		return
	}
	b.addrs, b.syms = b.addrs[:0], b.syms[:0]
	for _, f := range t.Callers() {
		b.addrs, b.syms = append(b.addrs, f.Addr), append(b.syms, f.Sym)
	}
	b.begin(w, c)
}

// closeOpen ends the calls that are still open, including calls that filters hide. As in uftrace, a
// thread with no shown calls thus reaches the root. Calls without an address do not count, and with
// --no-libcall calls to libraries do not count either.
//
// The heading of a program is shown in two cases. A call without an address shows it if the thread
// began with the end of a call. Any other call shows it if it took time or has callers.
func (b *builder) closeOpen(t *callstack.Task, end uint64) {
	w := &b.walkers[t.Index]
	above := w.tree != nil && w.Node == nil // outside of the graph: the thread came back to the root and went on
	for n := len(t.Stack); n > 0; n-- {
		if f := &t.Stack[n-1]; f.Addr == 0 {
			t.Drop()
			if w.tree == nil {
				if t.Task.SessionAt(end) == nil { // the end is a bound in elapsed time
					continue
				}
				b.enterTree(t.Index, t.Task, end, 0, "")
			}
			w.tree.returned = w.tree.returned || t.EndFirst()
			continue
		}
		g := t.Close(end)
		if g == nil {
			continue
		}
		if w.tree == nil {
			b.enterTree(t.Index, t.Task, end, g.Addr, "")
		}
		w.tree.returned = w.tree.returned || !above && (g.Total > 0 || len(t.Stack) > 0)
		if b.hides(g.Sym) {
			continue
		}
		name := callstack.ScheduleName(g.Addr)
		if !g.Event {
			name = b.name(g.Sym, g.Addr)
		}
		b.leave(w, name, g.Total, g.Child)
	}
}
