package graph

import (
	"context"

	"github.com/tracec/tracec/report/uftrace/stacks"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// play builds the graphs of what the player shows.
func (b *builder) play(ctx context.Context, rec *uftrace.Recording) error {
	opts := b.opts.Play
	ends := stacks.WatchEnds(rec, &opts)
	if opts.NoLibcall {
		opts.Watch = b.watchLibcalls(rec, opts.Watch)
	}
	p, err := callstack.New(rec, opts)
	if err != nil {
		return err
	}
	losses := make(stacks.Losses, len(p.Tasks()))
	err = p.Each(ctx, func(s *callstack.Step) {
		losses.See(s)
		b.step(s)
	})
	if err != nil {
		return err
	}
	for _, t := range p.Tasks() {
		b.closePlayed(t, ends.Of(t.Index))
	}
	return nil
}

// watchLibcalls lets a call to a library begin a thread as any other call does, though --no-libcall hides it.
func (b *builder) watchLibcalls(rec *uftrace.Recording, next func(int, *record.Record, *uftrace.Entry)) func(int, *record.Record, *uftrace.Entry) {
	tasks := rec.Tasks()
	return func(task int, r *record.Record, e *uftrace.Entry) {
		next(task, r, e)
		if e.Kind <= uftrace.Leave && e.Sym != nil && e.Sym.Type == 'P' && !b.walkers[task].begun {
			b.enterTree(task, tasks[task], r.Time, e.Addr, "")
		}
	}
}

// step follows one record.
func (b *builder) step(s *callstack.Step) {
	kind := s.Entry.Kind
	if kind == uftrace.Lost {
		w := &b.walkers[s.Task.Index]
		w.lost = w.lost || len(s.Task.Stack) > 0 && s.Entry.Source == uftrace.User
		return
	}
	if kind == uftrace.Event && !stacks.IsSchedule(s.Record.ID) {
		return
	}
	name := ""
	if kind != uftrace.Event {
		name = b.names.of(s.Entry.Sym, s.Entry.Addr)
	}
	exit := ""
	if kind == uftrace.Leave {
		exit = name
	}
	w := b.enterTree(s.Task.Index, s.Task.Task, s.Record.Time, s.Entry.Addr, exit)
	w.lost = w.lost && kind != uftrace.Leave
	switch {
	case kind == uftrace.Enter && w.lost:
	case kind == uftrace.Enter:
		b.enterPlayed(w, s, call{name, s.Entry.Addr, s.Entry.Sym})
	case kind == uftrace.Leave:
		w.tree.inherited = w.tree.inherited || s.Frame.Addr == 0 && s.Frame.Total > 0
		b.leave(w, name, s.Frame.Total, s.Frame.Child)
	case s.Record.ID == callstack.SchedIn:
		if s.Frame != nil {
			b.leave(w, stacks.ScheduleName(s.Frame.Addr), s.Frame.Total, s.Frame.Child)
		}
	default:
		id := uint64(s.Record.ID)
		b.enterPlayed(w, s, call{name: stacks.ScheduleName(id), addr: id})
	}
}

func (b *builder) enterPlayed(w *walker, s *callstack.Step, c call) {
	if !b.begins(w, c) {
		b.enter(w, c)
		return
	}
	b.addrs, b.syms = b.addrs[:0], b.syms[:0]
	for _, f := range s.Task.Stack[:place(s)] {
		b.addrs, b.syms = append(b.addrs, f.Addr), append(b.syms, f.Sym)
	}
	b.begin(w, c)
}

// place is the number of calls below the one that a step begins. A player that looks ahead may have opened hidden ones
// above it.
func place(s *callstack.Step) int {
	for i := len(s.Task.Stack) - 1; i >= 0; i-- {
		if f := &s.Task.Stack[i]; f.Start == s.Record.Time && f.Addr == s.Entry.Addr {
			return i
		}
	}
	return 0
}

// closePlayed ends the calls that are still open, also those that filters hide: so does uftrace, and a thread of which
// nothing was shown comes to the root by that. Calls without an address do not count, nor do those to libraries with
// --no-libcall.
func (b *builder) closePlayed(t *callstack.Task, end uint64) {
	for i := len(t.Stack) - 1; i >= 0; i-- {
		f := &t.Stack[i]
		if f.Start > end || f.Addr == 0 {
			continue
		}
		f.Total = end - f.Start
		if i > 0 {
			t.Stack[i-1].Child += f.Total
		}
		if b.opts.Play.NoLibcall && f.Sym != nil && f.Sym.Type == 'P' {
			continue
		}
		name := stacks.ScheduleName(f.Addr)
		if !f.Event {
			name = b.names.of(f.Sym, f.Addr)
		}
		w := &b.walkers[t.Index]
		if w.tree == nil {
			b.enterTree(t.Index, t.Task, end, f.Addr, "")
		}
		b.leave(w, name, f.Total, f.Child)
	}
}
