package graph

import (
	"context"

	"github.com/tracec/tracec/report/uftrace/stacks"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// follower builds the graphs of everything that was recorded.
type follower struct {
	*builder
	specials *stacks.Specials
}

func (b *builder) follow(ctx context.Context, rec *uftrace.Recording) error {
	f := &follower{b, stacks.NewSpecials(rec.Symbols())}
	ts := stacks.New(rec)
	if err := ts.Each(ctx, rec, f); err != nil {
		return err
	}
	for i := range ts.List {
		f.closeOpen(&ts.List[i], ts.Last(&ts.List[i]))
	}
	return nil
}

// Calls implements stacks.Visitor.
func (f *follower) Calls(t *stacks.Thread, recs []record.Record, ents []uftrace.Entry) {
	for i := range recs {
		r, e := &recs[i], &ents[i]
		w := &f.walkers[t.Index]
		if t.Unsettled {
			t.Settle(r, e)
		}
		switch e.Kind {
		case uftrace.Enter:
			t.Push(e.Addr, r.Time, e.Sym)
			if !w.lost {
				f.entered(t, r, call{f.names.of(e.Sym, e.Addr), e.Addr, e.Sym})
			}
			f.specials.Entered(t, e.Sym)
		case uftrace.Leave:
			name := f.names.of(e.Sym, e.Addr)
			f.enterTree(t.Index, t.Task, r.Time, e.Addr, name)
			w.lost = false
			g := t.Pop(r.Time)
			w.tree.inherited = w.tree.inherited || g.Addr == 0 && g.Total > 0
			f.leave(w, name, g.Total, g.Child)
			f.specials.Left(t, e.Sym)
		case uftrace.Lost:
			w.lost = w.lost || len(t.Frames) > 0
			t.Lose()
		case uftrace.Event:
			f.Event(t, r)
		}
	}
}

// entered follows a call that was pushed.
func (f *follower) entered(t *stacks.Thread, r *record.Record, c call) {
	w := f.enterTree(t.Index, t.Task, r.Time, c.addr, "")
	if !f.begins(w, c) {
		f.enter(w, c)
		return
	}
	f.addrs, f.syms = f.addrs[:0], f.syms[:0]
	for i := range len(t.Frames) - 1 {
		f.addrs, f.syms = append(f.addrs, t.Frames[i].Addr), append(f.syms, t.Frames[i].Sym)
	}
	f.begin(w, c)
}

// Event implements stacks.Visitor: the time off the processor is a call.
func (f *follower) Event(t *stacks.Thread, r *record.Record) {
	switch r.ID {
	case callstack.SchedOut, callstack.SchedOutPreempt:
		shown := t.ShowsEvent(&f.opts.Play, r.ID)
		t.Off(r, shown)
		if shown {
			f.entered(t, r, call{name: stacks.ScheduleName(uint64(r.ID)), addr: uint64(r.ID)})
		}
	case callstack.SchedIn:
		if g := t.On(r); g != nil && t.ShowsOn(&f.opts.Play, g) {
			w := f.enterTree(t.Index, t.Task, r.Time, g.Addr, "")
			f.leave(w, stacks.ScheduleName(g.Addr), g.Total, g.Child)
		}
	}
}

// closeOpen ends the calls that are still open. Those without an address do not count.
func (f *follower) closeOpen(t *stacks.Thread, end uint64) {
	w := &f.walkers[t.Index]
	for n := len(t.Frames); n > 0; n-- {
		if t.Frames[n-1].Addr == 0 {
			t.Drop()
			continue
		}
		g := t.Close(end)
		if g == nil || w.tree == nil {
			continue
		}
		name := stacks.ScheduleName(g.Addr)
		if !g.Event {
			name = f.names.of(g.Sym, g.Addr)
		}
		f.leave(w, name, g.Total, g.Child)
	}
}
