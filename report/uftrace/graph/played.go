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
	opts.NoLibcall = false // the builder leaves them out: as in uftrace, filters are followed before
	p, err := callstack.New(rec, opts)
	if err != nil {
		return err
	}
	if err := p.Runs(ctx, func(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) int {
		return b.shown(p, t, recs, ents)
	}, b.step); err != nil {
		return err
	}
	for _, t := range p.Tasks() {
		b.closeOpen(t, ends.Of(t.Index))
	}
	return nil
}

// shown follows a run of shown calls, and returns how many records it has followed.
func (b *builder) shown(p *callstack.Player, t *callstack.Task, recs []record.Record, ents []uftrace.Entry) int {
	w, whole := &b.walkers[t.Index], b.opts.Func == "" && !b.opts.Play.NoLibcall
	for i := 0; i < len(recs); i++ {
		if whole && !w.lost {
			if i += p.Descend(t, &w.Place, &b.sums, recs[i:], ents[i:]); i == len(recs) {
				return i
			}
		}
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			if !p.Enter(t, r, e) {
				return i
			}
			b.called(t, r, e)
		case uftrace.Leave:
			f := p.Leave(t, r)
			if f == nil {
				return i
			}
			b.returned(t, r, e, f)
		default:
			return i
		}
	}
	return len(recs)
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
