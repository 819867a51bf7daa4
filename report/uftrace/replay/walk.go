package replay

import (
	"context"
	"errors"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// walk prints lines of --flat for the records of a walker. It needs no player, since there are no
// filters, and lines do not depend on the next record.
type walk struct {
	*printer
	*callstack.Walker
}

// walks reports whether a walker can be used instead of a player.
func (p *printer) walks() bool {
	return p.opts.Layout.Flat && p.opts.Match == nil && callstack.PlainSingle(p.rec, &p.opts.Play)
}

// walk prints the recording.
func (p *printer) walk(ctx context.Context) error {
	p.header()
	err := p.walker.Each(ctx, walk{p, p.walker})
	p.damaged = errors.Join(p.damaged, p.walker.Err())
	return err
}

// Calls implements callstack.Visitor.
func (w walk) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	for i := range recs {
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			w.Enter(t, r, e)
			w.flatCall(t, r, e)
		case uftrace.Leave:
			w.Leave(t, r, e)
			w.flatCall(t, r, e)
		case uftrace.Lost:
			w.Lose(t)
			w.flatLost(t, e)
		default:
			if err := w.Event(t, r); err != nil {
				return err
			}
			continue
		}
		w.shown = true
	}
	return w.write()
}

// Event implements callstack.Visitor.
func (w walk) Event(t *callstack.Task, r *record.Record) error {
	_, shown := w.Walker.Event(t, r)
	if !shown {
		return nil
	}
	w.shown = true
	w.flatEvent(t, r, callstack.ColorNone)
	return w.write()
}

// write writes the buffered text if it exceeds flushAt.
func (w walk) write() error {
	if len(w.buf) < flushAt {
		return nil
	}
	return w.flush()
}
