package trcrpt

import (
	"context"
	"math"
	"strings"

	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// stat counts the selected events.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	opts, err := optionsOf(job, o)
	if err != nil {
		return nil, err
	}
	p := newPrinter(opts, job)
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	t := &tally{p: p}
	t.Memory = job.Memory
	if len(opts.Layouts) > 0 {
		err = t.inOrder(ctx)
	} else {
		err = t.all(ctx)
	}
	if err != nil {
		return nil, err
	}
	s := &report.Stat{Recording: facts.Of(job.Path, "aix", p.in.inputs[0].rec)}
	s.Add(t.Buffer("", p.statNames()))
	return s, p.finish(nil)
}

// tally counts events.
type tally struct {
	report.Tally
	p *printer
}

// part is a file, read up to its first event that does not describe the system.
type part struct {
	source *source
	batch  record.Batch[aix.Entry]
	time   uint64 // time for printing the event: the latest time so far
}

// inOrder counts events in the order of time. Layouts assign threads to them.
func (t *tally) inOrder(ctx context.Context) error {
	p := t.p
	return p.each(ctx, func(r *record.Record, e *aix.Entry) {
		if trcfiles.DescribesSystem(uint16(r.ID), e) {
			return
		}
		if !p.clock.began {
			p.clock.began, p.clock.origin = true, r.Time
			p.limit()
		}
		t.add(r, e)
	})
}

// all counts the events of all files, one after the other. Without layouts, counts do not depend on
// the order of events. Times count from the first event in a report, so all files are begun before
// one is counted.
func (t *tally) all(ctx context.Context) error {
	var parts []*part
	begin := uint64(math.MaxUint64)
	for _, s := range t.p.in.sources {
		f, ok := t.begin(s)
		if !ok {
			continue
		}
		if parts = append(parts, f); f.time < begin {
			begin, t.p.clock.origin = f.time, f.batch.Records[0].Time
		}
	}
	t.p.limit()
	for _, f := range parts {
		if err := t.file(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// begin reads a file up to its first event that does not describe the system.
func (t *tally) begin(s *source) (*part, bool) {
	f := &part{source: s}
	for t.next(f) {
		records, entries := f.batch.Records, f.batch.Entries
		for i := range records {
			r := &records[i]
			f.time = max(f.time, r.Time)
			if !trcfiles.DescribesSystem(uint16(r.ID), &entries[i]) {
				f.batch = record.Batch[aix.Entry]{Records: records[i:], Entries: entries[i:]}
				return f, true
			}
		}
	}
	return f, false
}

// next reads the next batch. An error of a file ends the reading of that file only.
func (t *tally) next(f *part) bool {
	batch, err := f.source.Next()
	f.batch = batch
	if len(batch.Records) == 0 && !f.source.ended(err) {
		t.p.damage(err)
	}
	return len(batch.Records) > 0
}

// file counts the events of a file.
func (t *tally) file(ctx context.Context, f *part) error {
	p := t.p
	p.enter(f.source)
	for {
		records, entries := f.batch.Records, f.batch.Entries
		for i := range records {
			r, e := &records[i], &entries[i]
			if trcfiles.DescribesSystem(uint16(r.ID), e) {
				continue
			}
			p.facts.At(r, e)
			t.add(r, e)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if !t.next(f) {
			return nil
		}
	}
}

// add counts an event that passes.
func (t *tally) add(r *record.Record, e *aix.Entry) {
	id := uint16(r.ID)
	if !t.p.pass(t.p.hook(id), r, e) {
		return
	}
	task := int64(report.NoTask)
	if r.Task >= 0 || e.TID > 1<<31 {
		task = int64(e.TID)
	}
	t.Add(uint32(id), r.CPU, task, r.Time)
}

func (p *printer) statNames() report.Names {
	return report.Names{
		Event: func(id uint32) report.EventName {
			h := p.hook(uint16(id))
			return report.EventName{System: "aix", Name: h.name, Label: h.label, ID: facts.Number(id),
				Text: strings.TrimSpace(h.name + " " + h.label)}
		},
		Task:  func(id int64) string { return p.threadName(uint64(id)) },
		Time:  func(ns uint64) string { return string(appendFixed(nil, int64(ns-p.clock.origin), 9)) },
		Ticks: !p.in.inputs[0].rec.Info().HasClock,
	}
}
