package graph

import (
	"context"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// play builds the graphs of what the player shows.
func (b *builder) play(ctx context.Context, rec *uftrace.Recording) error {
	opts := b.opts.Play
	ends := callstack.WatchEnds(rec, &opts)
	if opts.NoLibcall {
		opts.Watch = b.watchLibcalls(rec, opts.Watch)
	}
	p, err := callstack.New(rec, opts)
	if err != nil {
		return err
	}
	for s := range p.All(ctx) {
		b.step(s)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, t := range p.Tasks() {
		b.closeOpen(t, ends.Of(t.Index))
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
	switch s.Entry.Kind {
	case uftrace.Enter:
		b.called(s.Task, s.Record, s.Entry)
	case uftrace.Leave:
		b.returned(s.Task, s.Record, s.Entry, s.Frame)
	case uftrace.Lost:
		if s.Entry.Source == uftrace.User {
			b.lose(s.Task)
		}
	case uftrace.Event:
		b.event(s.Task, s.Record, s.Frame)
	}
}
