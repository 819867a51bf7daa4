package summary

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/uftrace"
)

// collectPlayed accounts for what the player shows.
func collectPlayed(ctx context.Context, rec *uftrace.Recording, opts *Options, b *book) error {
	p, err := play.New(rec, opts.Play)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		if n&4095 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s, err := p.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || s.Frame == nil {
			continue
		}
		switch {
		case s.Entry.Kind == uftrace.Leave:
			row := b.find(s.Entry.Sym, s.Entry.Addr)
			row.add(s.Frame.Total, s.Frame.Child, s.Record.Time, recursive(s.Task.Stack, s.Frame.Addr))
		case s.Entry.Kind == uftrace.Event && s.Record.ID == play.SchedIn:
			b.findEvent(s.Frame.Addr, scheduleName(s.Frame.Addr)).add(s.Frame.Total, s.Frame.Child, s.Record.Time, false)
		}
	}
	for _, t := range p.Tasks() {
		closePlayed(t, b)
	}
	return nil
}

// closePlayed accounts for the calls that are still open, also for those that filters hide: so does uftrace. It looks up
// their names at the time of the end, when the thread may run another program.
func closePlayed(t *play.Task, b *book) {
	last := t.Last
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
			row = b.findEvent(f.Addr, scheduleName(f.Addr))
		} else {
			var sym *uftrace.Symbol
			if session := t.SessionAt(last); session != nil {
				sym, _ = session.Find(f.Addr, last)
			}
			row = b.find(sym, f.Addr)
		}
		row.add(total, f.Child, last, recursive(t.Stack[:i], f.Addr))
	}
}

func recursive(stack []play.Frame, addr uint64) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i].Addr == addr {
			return true
		}
	}
	return false
}
