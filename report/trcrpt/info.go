package trcrpt

import (
	"context"
	"errors"
	"fmt"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/aix"
)

// counts are what info shows of a file's events.
type counts struct {
	events, generic, reformed, hooks64 int64
	first, last                        uint64 // ns
}

// info returns what a recording says about itself. All of it is read for that.
func info(ctx context.Context, job *report.Job) (*facts.Info, error) {
	opts, err := newOptions(job)
	if err != nil {
		return nil, err
	}
	p := newPrinter(opts, job)
	defer p.close()
	if err := p.openAll(ctx); err != nil {
		return nil, err
	}
	rec := p.inputs[0].rec
	about := rec.Info()
	f := facts.NewInfo(fmt.Sprintf("%s of AIX", about.Kind), rec)
	p.appendRecording(about)
	for _, s := range p.sources {
		c, err := p.count(ctx, s)
		if err != nil {
			return nil, err
		}
		p.appendFile(s.walk.File(), c)
		f.Add(c.stream(s.walk.File(), !about.HasClock))
	}
	p.buf = append(p.buf, '\n')
	if about.HasClock { // it is found among the first events at the latest
		p.buf = fmt.Appendf(p.buf, "clock: %d/%d ns a tick, type %d\n", about.Clock.Mul, about.Clock.Div, about.Clock.Type)
	} else {
		p.buf = append(p.buf, "clock: scale not recorded, times are ticks\n"...)
	}
	f.Text = p.buf
	err = p.finish(nil)
	f.Recording = facts.Of(job.Path, "aix", rec)
	return f, err
}

// printInfo prints it, which is also report --stat.
func printInfo(ctx context.Context, job *report.Job) error {
	f, err := info(ctx, job)
	if f == nil {
		return err
	}
	_, failed := job.Out.Write(f.Text)
	return errors.Join(failed, err)
}

// stream returns what is said of a file.
func (c *counts) stream(f *aix.File, ticks bool) facts.Stream {
	s := facts.Stream{File: f.Name, Events: c.events}
	if f.CPU >= 0 {
		s.CPU = facts.Number(f.CPU)
	}
	if c.events > 0 {
		s.Span = facts.SpanOf(c.first, c.last, ticks)
	}
	return s
}

func (p *printer) appendRecording(info *aix.Info) {
	p.buf = fmt.Appendf(p.buf, "file: %s\nkind: %s of AIX, big-endian\n", info.Name(), info.Kind)
	if n := info.TracedCPUs(); n > 0 {
		p.buf = fmt.Appendf(p.buf, "processors with a file of their own: %d\n", n)
	}
}

// count walks one file.
func (p *printer) count(ctx context.Context, s *source) (c counts, err error) {
	for {
		batch, err := s.Next()
		if len(batch.Records) == 0 {
			if err != nil && s.ended(err) {
				return c, nil
			}
			return c, err
		}
		for i := range batch.Records {
			c.add(batch.Records[i].Time, &batch.Entries[i])
		}
		if err := ctx.Err(); err != nil {
			return c, err
		}
	}
}

func (c *counts) add(time uint64, e *aix.Entry) {
	if c.events == 0 {
		c.first = time
	}
	c.last = max(c.last, time)
	c.events++
	if e.Has(aix.Generic) {
		c.generic++
	}
	if e.Has(aix.Reformed) {
		c.reformed++
	}
	if e.Has(aix.Hook64) {
		c.hooks64++
	}
}

func (p *printer) appendFile(f *aix.File, c counts) {
	name := f.Name
	if f.CPU >= 0 {
		name = fmt.Sprintf("%s (processor %d)", name, f.CPU)
	}
	p.buf = fmt.Appendf(p.buf, "\n%s: %s\n", name, f.Kind)
	if l := f.Log; l != nil {
		p.buf = fmt.Appendf(p.buf, "  trace buffers: %d, current %d, wrapped %d times, mode %#x\n",
			len(l.Buffers), l.Current, l.Wraps, uint32(l.Mode))
	}
	p.buf = fmt.Appendf(p.buf, "  events: %d, with 64-bit hook words: %d, generic: %d, "+
		"of programs of the other word size: %d\n", c.events, c.hooks64, c.generic, c.reformed)
	if c.events > 0 {
		p.buf = append(p.buf, "  span: "...)
		p.buf = appendFixed(p.buf, int64(c.last-c.first), 9)
		p.buf = append(p.buf, " s\n"...)
	}
}
