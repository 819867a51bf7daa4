package graph

import (
	"context"

	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// play builds the graphs of what the player shows.
func (b *builder) play(ctx context.Context, rec *uftrace.Recording) error {
	opts := b.opts.Play
	ends := callstack.WatchEnds(rec, &opts)
	opts.NoLibcall = false // the builder leaves them out: as in uftrace, filters are followed before
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
