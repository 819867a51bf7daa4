package export

import (
	"context"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// viewer gets what is played by a player, or else runs of records that it follows by a walker.
type viewer interface {
	// watch gets the last of the records that a player reads at once.
	watch(task int, r *record.Record, e *uftrace.Entry)
	// calls are what a player calls.
	calls(p *callstack.Player) callstack.Calls
	callstack.Visitor
}

// played is a recording that is played as the tool does here: one record after the other, without
// the looks ahead of replay.
type played struct {
	opts   *Options
	player *callstack.Player // nil: nothing is left out, and a walker is enough
	walker *callstack.Walker
}

// open prepares to play a recording for v.
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

// tasks are the threads.
func (p *played) tasks() []*callstack.Task {
	if p.walker != nil {
		return p.walker.Tasks()
	}
	return p.player.Tasks()
}

// unfinished are the threads whose calls that are open at the end are closed there: none when
// tracing is off.
func (p *played) unfinished() []*callstack.Task {
	if p.player != nil && p.player.Off() {
		return nil
	}
	return p.tasks()
}

// play plays the recording. The error is of v, or names all files that could not be read to their
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

// show notes that there is something to write.
func (o *Options) show() {
	if o.Shown != nil {
		*o.Shown = true
	}
}
