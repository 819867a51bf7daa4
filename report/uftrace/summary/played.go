package summary

import (
	"context"

	"github.com/tracec/tracec/report/uftrace/stacks"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// collectPlayed accounts for what the player shows.
func collectPlayed(ctx context.Context, rec *uftrace.Recording, opts *Options, b *book) error {
	played := opts.Play
	played.NoLibcall = false // it hides lines here and changes no stack
	ends := stacks.WatchEnds(rec, &played)
	p, err := callstack.New(rec, played)
	if err != nil {
		return err
	}
	losses := make(stacks.Losses, len(p.Tasks()))
	err = p.Each(ctx, func(s *callstack.Step) {
		losses.See(s)
		if s.Frame == nil {
			return
		}
		switch {
		case s.Entry.Kind == uftrace.Leave && opts.Play.NoLibcall && s.Entry.Sym != nil && s.Entry.Sym.Type == 'P':
		case s.Entry.Kind == uftrace.Leave:
			row := b.find(s.Entry.Sym, s.Entry.Addr)
			if s.Entry.Sym != nil {
				row.sym, row.size = s.Entry.Sym, s.Entry.Sym.Size
			}
			b.add(row, s.Task.Index, s.Frame.Total, s.Frame.Child, s.Frame.Start, recursive(s.Task.Stack, s.Frame.Addr))
		case s.Entry.Kind == uftrace.Event && s.Record.ID == callstack.SchedIn:
			row := b.findEvent(s.Frame.Addr, stacks.ScheduleName(s.Frame.Addr))
			b.add(row, s.Task.Index, s.Frame.Total, s.Frame.Child, s.Frame.Start, false)
		}
	})
	if err != nil {
		return err
	}
	for _, t := range p.Tasks() {
		closePlayed(t, b, ends.Of(t.Index))
	}
	return nil
}

// closePlayed accounts for the calls that are still open, also for those that filters hide: so does uftrace. It looks up
// their names at the time of the end, when the thread may run another program.
func closePlayed(t *callstack.Task, b *book, last uint64) {
	for i := len(t.Stack) - 1; i >= 0; i-- {
		f := &t.Stack[i]
		if f.Start > last {
			continue
		}
		total := last - f.Start
		if i > 0 {
			t.Stack[i-1].Child += total
		}
		var row *row
		if f.Event {
			row = b.findEvent(f.Addr, stacks.ScheduleName(f.Addr))
		} else {
			var sym *uftrace.Symbol
			if session := t.SessionAt(last); session != nil {
				sym, _ = session.Find(f.Addr, last)
			}
			if row = b.find(sym, f.Addr); sym != nil {
				row.sym, row.size = sym, sym.Size
			}
		}
		b.add(row, t.Index, total, f.Child, f.Start, recursive(t.Stack[:i], f.Addr))
	}
}

func recursive(stack []callstack.Frame, addr uint64) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].Addr == addr {
			return true
		}
	}
	return false
}
