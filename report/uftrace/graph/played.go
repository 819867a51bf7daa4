package graph

import (
	"context"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// play builds the graphs of the records that pass the filters.
func (b *builder) play(ctx context.Context, rec *uftrace.Recording) error {
	opts := b.opts.Play
	ends := callstack.WatchEnds(rec, &opts)
	opts.Functions.NoLibcall = false // the builder hides them: as in uftrace, they count for filters
	p, err := callstack.New(rec, opts)
	if err != nil {
		return err
	}
	calls := callstack.Calls{Entered: b.called, Left: b.returned, Other: b.other}
	if b.opts.Func == "" && !b.opts.Play.Functions.NoLibcall {
		calls.Descend = func(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) int {
			w := &b.walkers[t.Index]
			if w.lost {
				return 0
			}
			return p.Descend(t, &w.Place, &b.sums, recs, ents)
		}
	}
	if err := p.Runs(ctx, calls); err != nil {
		return err
	}
	for _, t := range p.Tasks() {
		b.closeOpen(t, ends.Of(t.Index))
	}
	return nil
}

// other handles a loss or an event.
func (b *builder) other(s *callstack.Step) {
	if s.Entry.Kind == uftrace.Event {
		b.event(s.Task, s.Record, s.Frame)
	} else if s.Entry.Source == uftrace.User {
		b.lose(s.Task)
	}
}
