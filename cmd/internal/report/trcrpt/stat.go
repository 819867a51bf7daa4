package trcrpt

import (
	"context"

	"github.com/tracec/tracec/cmd/internal/report"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// stat counts the events that are chosen: a report that counts in place of printing.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	opts, err := optionsOf(job, o)
	if err != nil {
		return nil, err
	}
	p := newPrinter(opts, job)
	p.tally = &report.Tally{}
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	if err := p.print(ctx); err != nil {
		return nil, err
	}
	s := &report.Stat{File: job.Path, System: "aix", Buffers: []report.StatBuffer{p.tally.Buffer("", p.statNames())}}
	damage := p.inputs[0].rec.DamageStats()
	s.Damage, s.Skipped = damage.Count, damage.Skipped
	return s, p.finish(nil)
}

// note counts an event.
func (p *printer) note(id uint16, r *record.Record, e *aix.Entry) {
	task := int64(report.NoTask)
	if r.Task >= 0 || e.TID > 1<<31 {
		task = int64(e.TID)
	}
	p.tally.Add(uint32(id), int32(p.memory.cpu()), task, r.Time-p.origin)
}

func (p *printer) statNames() report.Names {
	return report.Names{
		Event: func(id uint32) (int64, string) {
			h := p.hook(uint16(id))
			if h.label == "" {
				return int64(id), h.name
			}
			return int64(id), h.name + " " + h.label
		},
		Task: func(int64) string { return "" },
		Time: func(ns uint64) string { return string(appendFixed(nil, int64(ns), 9)) },
	}
}
