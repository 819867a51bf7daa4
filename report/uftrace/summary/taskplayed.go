package summary

import (
	"context"
	"slices"
	"strings"

	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// looksAhead reports whether the options skip records before filters. These options also apply to
// --task.
func (o *Options) looksAhead() bool {
	ahead := func(trigger string) bool {
		return strings.Contains(trigger, "time=") || strings.Contains(trigger, "size=") ||
			strings.Contains(trigger, "caller")
	}
	p := &o.Play
	return o.KernelSkipOut || p.Kernel != (callstack.Kernel{}) || p.Limits.Time > 0 || p.Limits.Size > 0 ||
		len(p.Scope.TIDs) > 0 || p.Scope.Range != (callstack.Range{}) ||
		len(p.Functions.Callers) > 0 || slices.ContainsFunc(p.Functions.Triggers, ahead)
}

// tallyPlayed sums up the remaining records, without other filters.
func tallyPlayed(ctx context.Context, rec *uftrace.Recording, opts *callstack.Options, rows []taskRow) error {
	raw := rawOptions(rec, opts)
	ends := callstack.WatchEnds(rec, &raw)
	p, err := callstack.New(rec, raw)
	if err != nil {
		return err
	}
	for s := range p.All(ctx) {
		switch row := &rows[s.Task.Index]; s.Entry.Kind {
		case uftrace.Leave:
			if !opts.Functions.Disable {
				row.add(s.Frame.Total, s.Frame.Child)
				row.end = s.Record.Time
			}
		case uftrace.Event:
			row.event(s.Record, s.Frame)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for i, t := range p.Tasks() {
		if opts.Scope.Range.To != 0 {
			rows[i].end = ends.Of(i)
		}
		rows[i].close(t)
	}
	return nil
}
