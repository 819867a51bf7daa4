package tracecmd

import (
	"context"
	"errors"
	"io"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/record"
)

// stat counts the selected events.
func stat(ctx context.Context, job *report.Job, o *report.Options) (*report.Stat, error) {
	opts, err := optionsOf(job, o)
	if err != nil {
		return nil, err
	}
	p := &printer{settings: settings{opts: opts, job: job}}
	defer p.close()
	if err := p.open(ctx); err != nil {
		return nil, err
	}
	if err := p.choose(); err != nil {
		return nil, err
	}
	in := p.inputs[0]
	s := &report.Stat{}
	// All streams are opened before reading, since the progress is the progress of all.
	streams := make([][]record.Stream[record.None], len(in.buffers))
	for i, b := range in.buffers {
		var err error
		if streams[i], err = p.bufferStreams(ctx, b, true); err != nil {
			return nil, err
		}
	}
	for i, b := range in.buffers {
		t, err := p.tally(ctx, b, streams[i])
		if err != nil {
			return nil, err
		}
		if len(in.buffers) == 1 || t.All().N > 0 || b.buf.Name == "" {
			s.Add(t.Buffer(oneLine(b.buf.Name), p.statNames(b)))
		}
	}
	p.reportDamage()
	s.Recording = facts.Of(job.Path, "ftrace", in.rec)
	if err := p.refused(); err != nil {
		return nil, err
	}
	if p.damaged {
		return s, report.ErrDamaged
	}
	return s, nil
}

// tally counts the records of a buffer.
func (p *printer) tally(ctx context.Context, b *buffer, streams []record.Stream[record.None]) (*report.Tally, error) {
	t := &report.Tally{Memory: p.job.Memory / int64(len(p.inputs[0].buffers))}
	for _, s := range streams {
		if err := p.count(t, &source{buffer: b}, record.Waiting(s)); err != nil {
			return nil, err
		}
	}
	return t, ctx.Err()
}

// count counts the records of a stream. Losses before records that filters skip count before the
// next selected record.
func (p *printer) count(t *report.Tally, of *source, s record.Stream[record.None]) error {
	lost := int64(0)
	for {
		batch, err := s.Next()
		for i := range batch.Records {
			r := &batch.Records[i]
			lost = record.AddLost(lost, r.Lost)
			if len(p.opts.Filters) > 0 && !p.counts(of, r) {
				continue
			}
			if lost != 0 {
				t.Miss(lost)
				lost = 0
			}
			t.Add(min(r.ID, maxEventID+1), r.CPU, int64(r.Task), r.Time)
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			p.damage(err)
			return nil
		}
	}
}

// counts reports whether an event passes the filters.
func (p *printer) counts(of *source, r *record.Record) bool {
	ev := p.event(of.buffer.in, r.ID)
	return !ev.hidden && !ev.stack && (ev.only == nil || p.pass(of, ev, r))
}

func (p *printer) statNames(b *buffer) report.Names {
	return report.Names{
		Event: func(id uint32) report.EventName {
			if f := b.in.formats.byID[id]; f != nil {
				return report.EventName{System: f.System, Name: f.Name, ID: facts.Number(id),
					Text: f.System + ":" + f.Name}
			}
			return report.EventName{ID: facts.Number(id), Text: "(not described)"}
		},
		Task: func(id int64) string { return oneLine(b.in.comm(int32(id))) },
		Process: func(task int64) (int64, bool) {
			pid, ok := b.in.rec.TGID(int32(task))
			return int64(pid), ok
		},
		Time:  func(t uint64) string { return string(p.seconds.appendTime(nil, t, b.time)) },
		Ticks: b.time == ticks,
	}
}
