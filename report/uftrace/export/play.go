package export

import (
	"context"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// viewer receives calls and events from a player, or runs of records from a walker.
type viewer interface {
	// watch receives the last record of each run that a player reads.
	watch(task int, r *record.Record, e *uftrace.Entry)
	// calls returns the functions for a player to call.
	calls(p *callstack.Player) callstack.Calls
	callstack.Visitor
}

// played reads a recording in the way of uftrace dump: one record after the other, without replay's
// look at the next record.
type played struct {
	opts   *Options
	player *callstack.Player // nil if there are no filters: a walker is enough
	walker *callstack.Walker
}

// open prepares to read a recording for v.
func (o *Options) open(rec *uftrace.Recording, v viewer) (p played, err error) {
	p.opts = o
	f := o.Play
	f.Steps, f.Scope.PerfZero = callstack.Single, o.Format == Chrome
	if callstack.PlainSingle(rec, &f) {
		p.walker = callstack.NewSingleWalker(rec, &f)
		return p, nil
	}
	f.Hooks.Watch = func(task int, recs []record.Record, ents []uftrace.Entry) {
		last := len(recs) - 1
		v.watch(task, &recs[last], &ents[last])
	}
	p.player, err = callstack.New(rec, f)
	return p, err
}

// tasks returns the threads.
func (p *played) tasks() []*callstack.Task {
	if p.walker != nil {
		return p.walker.Tasks()
	}
	return p.player.Tasks()
}

// unfinished returns the threads whose open calls are closed at the end. If tracing is off, it
// returns nil.
func (p *played) unfinished() []*callstack.Task {
	if p.player != nil && p.player.Off() {
		return nil
	}
	return p.tasks()
}

// play reads the recording. The error is from v, or names all files that could not be read to their
// end.
func (p *played) play(ctx context.Context, v viewer) error {
	if p.walker != nil {
		if err := p.walker.Each(ctx, v); err != nil {
			return err
		}
		return p.walker.Err()
	}
	if err := p.player.Runs(ctx, v.calls(p.player)); err != nil {
		return err
	}
	return p.player.Err()
}

// show sets Options.Shown.
func (o *Options) show() {
	if o.Shown != nil {
		*o.Shown = true
	}
}
