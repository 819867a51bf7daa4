package summary

import (
	"context"

	"github.com/tracec/tracec/report/uftrace/quota"
	"github.com/tracec/tracec/report/uftrace/stacks"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// collect reads a recording and accounts for every call.
func collect(ctx context.Context, rec *uftrace.Recording, opts *Options) (*book, error) {
	b := newBook(len(rec.Symbols()), opts.Name)
	ctx, b.quota = quota.New(ctx, rec)
	err := b.collect(ctx, rec, opts)
	return b, b.quota.End(ctx, err)
}

func (b *book) collect(ctx context.Context, rec *uftrace.Recording, opts *Options) error {
	if opts.processors {
		var err error
		if b.ran, err = readProcessors(rec); err != nil {
			return err
		}
	}
	plain := opts.Play
	plain.NoLibcall = false // it hides lines here and changes no stack
	if !stacks.Plain(rec, &plain) {
		return collectPlayed(ctx, rec, opts, b)
	}
	ts := stacks.New(rec)
	c := &collector{book: b, opts: &opts.Play, specials: stacks.NewSpecials(rec.Symbols())}
	if err := ts.Each(ctx, rec, c); err != nil {
		return err
	}
	for i := range ts.List {
		c.closeOpen(&ts.List[i], ts.Last(&ts.List[i]))
	}
	return nil
}

// collector accounts for calls.
type collector struct {
	book     *book
	opts     *callstack.Options
	specials *stacks.Specials
}

// Calls implements stacks.Visitor.
func (c *collector) Calls(t *stacks.Thread, recs []record.Record, ents []uftrace.Entry) {
	ents = ents[:len(recs)]
	for i := range recs {
		r, e := &recs[i], &ents[i]
		if t.Unsettled {
			t.Settle(r, e)
		}
		switch e.Kind {
		case uftrace.Enter:
			t.Push(e.Addr, r.Time, e.Sym)
			c.specials.Entered(t, e.Sym)
		case uftrace.Leave:
			f := t.Pop(r.Time)
			if c.opts.NoLibcall && e.Sym != nil && e.Sym.Type == 'P' {
				c.specials.Left(t, e.Sym)
				continue
			}
			row := c.book.find(e.Sym, e.Addr)
			if e.Sym != nil {
				row.sym, row.size = e.Sym, e.Sym.Size
			}
			c.book.add(row, t.Index, f.Total, f.Child, f.Start, t.Recursive(f))
			c.specials.Left(t, e.Sym)
		case uftrace.Lost:
			t.Lose()
		case uftrace.Event:
			c.Event(t, r)
		}
	}
}

// Event implements stacks.Visitor: the time off the processor counts as a call.
func (c *collector) Event(t *stacks.Thread, r *record.Record) {
	switch r.ID {
	case callstack.SchedOut, callstack.SchedOutPreempt:
		t.Off(r, t.ShowsEvent(c.opts, r.ID))
	case callstack.SchedIn:
		if f := t.On(r); f != nil && f.Event && !f.Hidden {
			row := c.book.findEvent(f.Addr, stacks.ScheduleName(f.Addr))
			c.book.add(row, t.Index, f.Total, f.Child, f.Start, false)
		}
	}
}

// closeOpen accounts for the calls that are still open, also for hidden events.
func (c *collector) closeOpen(t *stacks.Thread, end uint64) {
	for len(t.Frames) > 0 {
		f := t.Close(end)
		if f == nil {
			continue
		}
		var row *row
		if f.Event {
			row = c.book.findEvent(f.Addr, stacks.ScheduleName(f.Addr))
		} else if row = c.book.find(f.Sym, f.Addr); f.Sym != nil {
			row.sym, row.size = f.Sym, f.Sym.Size
		}
		c.book.add(row, t.Index, f.Total, f.Child, f.Start, t.Recursive(f))
	}
}
