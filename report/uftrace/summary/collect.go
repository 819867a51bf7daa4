package summary

import (
	"context"

	"github.com/tracec/tracec/internal/fold"
	"github.com/tracec/tracec/report/uftrace/internal/quota"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// collect reads a recording and sums up every call.
func collect(ctx context.Context, rec *uftrace.Recording, opts *Options) (*totals, error) {
	b := newTotals(len(rec.Symbols()), opts.Table.Name)
	ctx, b.quota = quota.New(ctx, rec)
	err := b.collect(ctx, rec, opts)
	return b, b.quota.End(ctx, err)
}

func (b *totals) collect(ctx context.Context, rec *uftrace.Recording, opts *Options) error {
	if opts.processors {
		var err error
		if b.ran, err = readProcessors(rec); err != nil {
			return err
		}
	}
	play := opts.Play
	play.Functions.NoLibcall = false // the option hides lines here, without an effect on stacks
	c := &collector{totals: b, noLibcall: opts.Play.Functions.NoLibcall}
	if !callstack.Plain(rec, &play) {
		return c.play(ctx, rec, play)
	}
	divided, err := c.divide(ctx, rec, opts)
	if !divided {
		c.walker = callstack.NewWalker(rec, &play)
		err = c.walker.Each(ctx, c)
	}
	if err != nil {
		return err
	}
	for _, t := range c.walker.Tasks() {
		c.closeOpen(t, c.walker.End(t))
	}
	return nil
}

// collector sums up calls: of all records, or of the records that pass a player's filters.
type collector struct {
	totals    *totals
	walker    *callstack.Walker // nil if a player is used
	noLibcall bool
	divided   bool   // several goroutines read the threads, one after the other
	latest    uint64 // if divided: the latest time of the thread's records so far
	share     *share // of a worker; otherwise nil
	shares    *fold.Fold[*share]
}

// play sums up the calls that pass the filters.
func (c *collector) play(ctx context.Context, rec *uftrace.Recording, opts callstack.Options) error {
	ends := callstack.WatchEnds(rec, &opts)
	p, err := callstack.New(rec, opts)
	if err != nil {
		return err
	}
	if err := p.Runs(ctx, callstack.Calls{
		Left: func(t *callstack.Task, _ *record.Record, e *uftrace.Entry, f *callstack.Frame) { c.left(t, e, f) },
		Other: func(s *callstack.Step) {
			if s.Entry.Kind == uftrace.Event && s.Record.ID == callstack.SchedIn {
				c.resumed(s.Task, s.Frame)
			}
		},
	}); err != nil {
		return err
	}
	for _, t := range p.Tasks() {
		c.closeOpen(t, ends.Of(t.Index))
	}
	c.totals.off = p.Off()
	return nil
}

// Calls implements callstack.Visitor. A slice that will be read again is still read to its end,
// since the next slice begins there.
func (c *collector) Calls(t *callstack.Task, recs []record.Record, ents []uftrace.Entry) error {
	if c.share.halts(t, c.walker) {
		return nil
	}
	ents = ents[:len(recs)]
	latest := c.latest
	for i := range recs {
		r, e := &recs[i], &ents[i]
		latest = max(latest, r.Time)
		switch e.Kind {
		case uftrace.Enter:
			c.walker.Enter(t, r, e)
		case uftrace.Leave:
			if c.divided {
				c.latest = latest
			}
			c.left(t, e, c.walker.Leave(t, r, e))
		case uftrace.Lost:
			c.walker.Lose(t)
		case uftrace.Event:
			c.event(t, r)
		}
	}
	c.latest = latest
	return nil
}

// Event implements callstack.Visitor.
func (c *collector) Event(t *callstack.Task, r *record.Record) error {
	if !c.share.halts(t, c.walker) {
		c.event(t, r)
	}
	return nil
}

// event adds a time off the processor that ends.
func (c *collector) event(t *callstack.Task, r *record.Record) {
	f, shown := c.walker.Event(t, r)
	switch {
	case f == nil || r.ID != callstack.SchedIn:
	case f.Assumed():
		c.share.ends(ending{event: true, latest: c.latest})
	case shown:
		c.resumed(t, f)
	}
}

// left adds a call that has ended.
func (c *collector) left(t *callstack.Task, e *uftrace.Entry, f *callstack.Frame) {
	if c.divided {
		c.leftIn(t, e, f)
		return
	}
	if c.noLibcall && e.Sym != nil && e.Sym.Type == 'P' {
		return
	}
	row := c.totals.find(e.Sym, e.Addr)
	if e.Sym != nil {
		row.sym, row.size = e.Sym, e.Sym.Size
	}
	c.totals.add(row, t.Index, f.Total, f.Child, f.Start, t.Recursive(f))
}

// resumed adds a time off the processor as a call. Without the sched-out, f is nil or not an event.
func (c *collector) resumed(t *callstack.Task, f *callstack.Frame) {
	if f == nil || !f.Event {
		return
	}
	row := c.totals.findEvent(f.Addr, callstack.ScheduleName(f.Addr))
	if c.share != nil {
		c.share.use(row, f.Addr)
	}
	c.totals.add(row, t.Index, f.Total, f.Child, f.Start, t.Recursive(f))
}

// closeOpen adds the calls that are still open. Like uftrace, it includes hidden ones, and looks up
// their names at the end. The thread may then run another program.
func (c *collector) closeOpen(t *callstack.Task, end uint64) {
	for len(t.Stack) > 0 {
		f := t.Close(end)
		if f == nil {
			continue
		}
		var row *row
		if f.Event {
			row = c.totals.findEvent(f.Addr, callstack.ScheduleName(f.Addr))
		} else {
			var sym *uftrace.Symbol
			if session := t.SessionAt(end); session != nil {
				sym, _ = session.Find(f.Addr, end)
			}
			if row = c.totals.find(sym, f.Addr); sym != nil {
				row.sym, row.size = sym, sym.Size
			}
		}
		c.totals.add(row, t.Index, f.Total, f.Child, f.Start, t.Recursive(f))
	}
}
