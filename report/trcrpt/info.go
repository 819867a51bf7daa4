package trcrpt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// counts holds the counts of a file's events.
type counts struct {
	events, generic, reformed, hooks64 int64
	first, last                        uint64 // ns
}

// info implements tracec info. It reads the whole recording.
func info(ctx context.Context, job *report.Job) (*facts.Info, error) {
	opts, err := newOptions(job)
	if err != nil {
		return nil, err
	}
	p := newPrinter(opts, job)
	defer p.close()
	if err := p.loadTemplates(false); err != nil {
		return nil, err
	}
	if err := p.openAll(ctx); err != nil {
		return nil, err
	}
	rec := p.in.inputs[0].rec
	about := rec.Info()
	f := facts.NewInfo(fmt.Sprintf("%s of AIX", about.Kind), rec)
	p.appendRecording(about)
	w := &infoWalk{p: p, files: make([]counts, len(p.in.sources)), kinds: map[uint16]bool{}, threads: map[uint64]bool{}}
	if err := w.all(ctx); err != nil {
		return nil, err
	}
	for i, s := range p.in.sources {
		p.appendFile(s.walk.File(), w.files[i])
		f.Add(w.files[i].stream(s.walk.File(), !about.HasClock))
	}
	p.out.buf = append(p.out.buf, '\n')
	if about.HasClock { // the first events provide it at the latest
		p.out.buf = fmt.Appendf(p.out.buf, "clock: %d/%d ns a tick, type %d\n", about.Clock.Mul, about.Clock.Div,
			about.Clock.Type)
	} else {
		p.out.buf = append(p.out.buf, "clock: scale not recorded, times are ticks\n"...)
	}
	w.appendOpened()
	f.Text = p.out.buf
	err = p.finish(nil)
	f.Recording = facts.Of(job.Path, "aix", rec)
	return f, err
}

// printInfo prints the facts, also for report --stat.
func printInfo(ctx context.Context, job *report.Job) error {
	f, err := info(ctx, job)
	if f == nil {
		return err
	}
	_, failed := job.Out.Write(f.Text)
	return errors.Join(failed, err)
}

// stream returns the facts about a file.
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

// infoWalk collects facts from all events.
type infoWalk struct {
	p       *printer
	files   []counts // by source
	kinds   map[uint16]bool
	threads map[uint64]bool // only with layouts
}

// maxThreads bounds the threads of a damaged recording.
const maxThreads = 1 << 17

// all reads the files one after the other. If layouts assign threads to events, it reads in the
// order of time.
func (w *infoWalk) all(ctx context.Context) (err error) {
	p := w.p
	if len(p.opts.Layouts) == 0 {
		for i, s := range p.in.sources {
			if err := w.count(ctx, s, &w.files[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return p.each(ctx, func(r *record.Record, e *aix.Entry) {
		w.add(&w.files[r.Stream], r, e)
		if !trcfiles.DescribesSystem(uint16(r.ID), e) && len(w.threads) < maxThreads {
			w.threads[e.TID] = true
		}
	})
}

func (w *infoWalk) add(c *counts, r *record.Record, e *aix.Entry) {
	c.add(r.Time, e)
	w.kinds[uint16(r.ID)] = true
}

// appendOpened appends the contents of the given templates and layouts.
func (w *infoWalk) appendOpened() {
	p := w.p
	if len(p.opts.Templates) > 0 {
		described := 0
		for id := range w.kinds {
			if p.hook(id).Described {
				described++
			}
		}
		p.out.buf = fmt.Appendf(p.out.buf, "hooks: %d kinds, templates describe %d\n", len(w.kinds), described)
	}
	if len(p.opts.Layouts) == 0 {
		return
	}
	in := p.in.inputs[0].ctx
	threads := map[int64]int{} // number of threads by process
	for tid := range w.threads {
		threads[in.PIDOf(tid)]++
	}
	p.out.buf = fmt.Appendf(p.out.buf, "threads: %d, %d of them of unknown processes\n", len(w.threads), threads[-1])
	for _, pid := range slices.Sorted(maps.Keys(threads)) {
		if pid >= 0 {
			p.out.buf = fmt.Appendf(p.out.buf, "  process %d %s, threads: %d\n", pid, in.NameOf(pid), threads[pid])
		}
	}
}

func (p *printer) appendRecording(info *aix.Info) {
	p.out.buf = fmt.Appendf(p.out.buf, "file: %s\nkind: %s of AIX, big-endian\n", info.Name(), info.Kind)
	if n := info.TracedCPUs(); n > 0 {
		p.out.buf = fmt.Appendf(p.out.buf, "processors with a file of their own: %d\n", n)
	}
}

// count counts the events of one file.
func (w *infoWalk) count(ctx context.Context, s *source, c *counts) error {
	for {
		batch, err := s.Next()
		if len(batch.Records) == 0 {
			if err != nil && s.ended(err) {
				return nil
			}
			return err
		}
		for i := range batch.Records {
			w.add(c, &batch.Records[i], &batch.Entries[i])
		}
		if err := ctx.Err(); err != nil {
			return err
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
	p.out.buf = fmt.Appendf(p.out.buf, "\n%s: %s\n", name, f.Kind)
	if l := f.Log; l != nil {
		p.out.buf = fmt.Appendf(p.out.buf, "  trace buffers: %d, current %d, wrapped %d times, mode %#x\n",
			len(l.Buffers), l.Current, l.Wraps, uint32(l.Mode))
	}
	p.out.buf = fmt.Appendf(p.out.buf, "  events: %d, with 64-bit hook words: %d, generic: %d, "+
		"of programs of the other word size: %d\n", c.events, c.hooks64, c.generic, c.reformed)
	if c.events > 0 {
		p.out.buf = append(p.out.buf, "  span: "...)
		p.out.buf = appendFixed(p.out.buf, int64(c.last-c.first), 9)
		p.out.buf = append(p.out.buf, " s\n"...)
	}
}
