package replay

import (
	"cmp"
	"context"
	"errors"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// walk prints lines of --flat of the records that a walker follows: nothing is left out, and a line needs no look at the next record.
type walk struct {
	*printer
	*callstack.Walker
	stop context.CancelFunc
}

// walks reports whether a walker is enough.
func (p *printer) walks() bool {
	return p.opts.Flat && p.opts.Match == nil && callstack.PlainSingle(p.rec, &p.opts.Options)
}

// walk prints the recording.
func (p *printer) walk(ctx context.Context) error {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	p.header()
	err := p.walker.Each(inner, &walk{p, p.walker, stop})
	p.damaged = errors.Join(p.damaged, p.walker.Err())
	return cmp.Or(p.failed, err)
}

// Calls implements callstack.Visitor.
func (w *walk) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) {
	for i := range recs {
		r, e := &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			w.Enter(t, r, e)
			w.flatEnter(t, r, e)
		case uftrace.Leave:
			w.Leave(t, r, e)
			w.flatLeave(t, r, e)
		case uftrace.Lost:
			w.Lose(t)
			w.flatLost(t, e)
		default:
			w.Event(t, r)
			continue
		}
		w.shown = true
		w.write()
	}
}

// Event implements callstack.Visitor.
func (w *walk) Event(t *callstack.Task, r *record.Record) {
	if _, shown := w.Walker.Event(t, r); shown {
		w.shown = true
		w.flatEvent(t, r, callstack.ColorNone)
		w.write()
	}
}

// write writes lines when there are many. Nothing more is read when that fails.
func (w *walk) write() {
	if len(w.buf) < flushAt {
		return
	}
	if w.failed = cmp.Or(w.failed, w.flush()); w.failed != nil {
		w.stop()
	}
}
