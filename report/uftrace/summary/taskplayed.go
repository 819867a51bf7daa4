package summary

import (
	"context"
	"slices"
	"strings"

	"github.com/tracec/tracec/report/uftrace/stacks"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// looksAhead says whether the options leave records out before filters see them, which --task heeds too.
func looksAhead(o *callstack.Options) bool {
	ahead := func(trigger string) bool {
		return strings.Contains(trigger, "time=") || strings.Contains(trigger, "size=") || strings.Contains(trigger, "caller")
	}
	return o.Time > 0 || o.Size > 0 || len(o.Callers)+len(o.TIDs) > 0 || o.Range != (callstack.Range{}) ||
		slices.ContainsFunc(o.Triggers, ahead)
}

// selects says whether there is a filter for functions, not only against some. uftrace report --task then leaves all
// events out.
func selects(o *callstack.Options) bool {
	for _, list := range o.Filters {
		for _, item := range strings.Split(list, ";") {
			if !strings.HasPrefix(item, "!") {
				return true
			}
		}
	}
	return slices.ContainsFunc(o.Triggers, func(t string) bool { return strings.Contains(t, "filter") })
}

// tallyPlayed adds up what is left of the records, without looking at other filters.
func tallyPlayed(ctx context.Context, rec *uftrace.Recording, opts *callstack.Options, rows []taskRow) error {
	raw := *opts
	raw.Raw, raw.NoLibcall = true, false
	raw.NoEvent = raw.NoEvent || selects(opts)
	ends := stacks.WatchEnds(rec, &raw)
	p, err := callstack.New(rec, raw)
	if err != nil {
		return err
	}
	if err := p.Each(ctx, func(s *callstack.Step) { rows[s.Task.Index].see(s) }); err != nil {
		return err
	}
	for i, t := range p.Tasks() {
		rows[i].comm = t.Comm
		if opts.Range.To != 0 {
			rows[i].end = ends.Of(i)
		}
		rows[i].closeStack(t.Stack)
	}
	return nil
}

// see adds a record that is shown.
func (y *tally) see(s *callstack.Step) {
	now := s.Record.Time
	switch s.Entry.Kind {
	case uftrace.Enter, uftrace.Lost:
		return
	case uftrace.Leave:
		y.add(s.Frame.Total, s.Frame.Child)
	default:
		switch s.Record.ID {
		case callstack.SchedOut:
			y.out = now
		case callstack.SchedIn:
			if s.Frame != nil {
				y.add(s.Frame.Total, s.Frame.Child)
			}
			if y.out != 0 {
				y.off += now - y.out
				y.out = 0
			}
		}
	}
	y.end = now
}

// closeStack adds the calls that are still open.
func (y *tally) closeStack(stack []callstack.Frame) {
	for i := len(stack) - 1; i >= 0; i-- {
		f := &stack[i]
		if f.Start > y.end || f.Addr == 0 {
			continue
		}
		total := y.end - f.Start
		if i > 0 {
			stack[i-1].Child += total
		}
		y.add(total, f.Child)
	}
}
