package textdump

import (
	"context"
	"io"

	"github.com/tracec/tracec/cmd/internal/report"
)

// stat counts the events that are chosen: a dump that counts in place of printing.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	opts := Options{Plain: true, Name: job.Path, Filter: Filter{Choice: *o}, tally: &report.Tally{}, tasks: map[int32]string{}}
	if err := opts.Filter.check(); err != nil {
		return nil, err
	}
	t, err := Open(ctx, job)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	if err := Run(ctx, t.Recording, opts, io.Discard); err != nil {
		return nil, t.Tell(job, err)
	}
	for _, f := range t.Files() {
		if f.EventsLost > 0 && o.CPUs.Has(f.CPU) {
			opts.tally.Miss(int64(f.EventsLost))
		}
	}
	markers := t.Markers()
	damage := t.DamageStats()
	s := &report.Stat{File: job.Path, System: "lttng", Damage: damage.Count, Skipped: damage.Skipped}
	s.Buffers = append(s.Buffers, opts.tally.Buffer("", report.Names{
		Event: func(n uint32) (int64, string) {
			if int(n) == len(markers) {
				return -1, "(not described)"
			}
			return int64(markers[n].ID), title(markers[n])
		},
		Task: func(id int64) string { return opts.tasks[int32(id)] },
		Time: func(ns uint64) string { return string(appendTime(nil, ns)) },
	}))
	return s, t.Tell(job, nil)
}
