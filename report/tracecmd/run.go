package tracecmd

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/plugin"
)

// Run prints a report. The error is report.ErrDamaged if some data was unreadable and everything
// else was printed, a *report.UsageError, or an error about a file.
func Run(ctx context.Context, opts *Options, job *report.Job) error {
	p := &printer{settings: settings{opts: opts, job: job}, buf: make([]byte, 0, bufferSize)}
	p.columns.latency = opts.Latency
	defer p.close()
	if err := p.setPluginOptions(); err != nil {
		return err
	}
	if err := p.open(ctx); err != nil {
		return err
	}
	if err := p.choose(); err != nil {
		return err
	}
	err := p.run(ctx)
	p.reportDamage()
	if err == nil {
		err = p.refused()
	}
	if err == nil && p.damaged {
		err = report.ErrDamaged
	}
	return err
}

// refused returns the error of a filter that exceeds the available memory.
func (p *printer) refused() error {
	for _, in := range p.inputs {
		if err := in.formats.compiled.refused; err != nil {
			return &report.UsageError{Err: err}
		}
	}
	return nil
}

func (p *printer) run(ctx context.Context) error {
	switch {
	case p.opts.TestFilters && len(p.opts.Filters) > 0:
		return p.testFilters()
	case p.opts.Lists.any():
		return p.lists()
	}
	p.header()
	if done, err := p.latencyTexts(); done || err != nil {
		p.noteTexts()
		return err
	}
	if p.opts.Profile != nil {
		return p.profiles(ctx)
	}
	if err := p.events(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	p.buf = p.latency.summary(p.buf)
	err := p.flush()
	if p.refused() == nil {
		p.noteNothing(ctx)
	}
	return err
}

// events prints all events.
func (p *printer) events(ctx context.Context) error {
	pages := !p.live && p.job.Parallel() > 1 && p.divisible()
	if pages {
		list, err := p.slices(ctx)
		if err != nil {
			return err
		}
		if list != nil {
			return p.printSlices(ctx, list)
		}
	}
	streams, err := p.streams(ctx, pages)
	switch {
	case err != nil:
		return err
	case pages:
		return p.printPages(ctx, streams)
	}
	return p.print(streams)
}

func (p *printer) setPluginOptions() error {
	p.plugins = &plugin.Options{}
	for _, o := range p.opts.Plugins {
		// trace-cmd does not report unknown options of plugins.
		if err := p.plugins.Set(o); err != nil && !p.opts.Quiet {
			p.job.Warn(err)
		}
	}
	return nil
}

// open opens all inputs and determines the columns.
func (p *printer) open(ctx context.Context) error {
	for _, i := range p.opts.Inputs {
		in, err := openInput(ctx, p.job, i, p.job.Memory/int64(len(p.opts.Inputs)), p.opts.Latency)
		if err != nil {
			return err
		}
		p.add(in)
		p.live = p.live || in.rec.Live() != nil
	}
	p.settleStyle()
	for _, in := range p.inputs {
		if len(p.inputs) > 1 {
			p.width = max(p.width, len(in.name))
		}
		for _, b := range in.buffers {
			p.width = max(p.width, len(b.buf.Name))
		}
	}
	for _, in := range p.inputs {
		for _, b := range in.buffers {
			p.settle(in, b, p.width)
		}
	}
	return nil
}

// add adds an input. As in trace-cmd, addresses are printed without their modules, and filters do
// not compare words.
func (p *printer) add(in *input) {
	if in.values.words = p.opts.Reference; in.values.words {
		in.values.env.Modules = nil
	}
	p.inputs = append(p.inputs, in)
}

// settle sets prefix and time format of a buffer.
func (p *printer) settle(in *input, b *buffer, width int) {
	name := b.buf.Name
	if name == "" && len(p.inputs) > 1 {
		name = in.name
	}
	b.setPrefix(name, width)
	inTicks := b.buf.Ticks()
	if p.opts.Reference {
		inTicks = !countsTime(cmp.Or(b.buf.Clock, in.info.TraceClock)) && in.info.TSC == nil
	}
	switch {
	case p.opts.RawTime, inTicks:
		b.time = ticks
	case p.opts.FullTime:
		b.time = nanos
	}
}

// frequency returns the rate in Hz that the user gave for an input's clock, or 0.
func (p *printer) frequency(in *input) uint64 {
	if in.opts.TS2Secs != 0 {
		return in.opts.TS2Secs
	}
	return p.opts.TS2Secs
}

// header prints the number of processors of every input.
func (p *printer) header() {
	for _, in := range p.inputs {
		if len(p.inputs) > 1 {
			p.buf = fmt.Appendf(p.buf, "%*s: ", p.width, in.name)
		}
		p.buf = fmt.Appendf(p.buf, "cpus=%d\n", in.info.CPUs)
	}
}

// latencyTexts copies the text of recordings of latency tracers, which have no records.
func (p *printer) latencyTexts() (done bool, err error) {
	for _, in := range p.inputs {
		for _, b := range in.buffers {
			text := b.buf.Text()
			if text == nil {
				continue
			}
			done = true
			if err := p.flush(); err != nil {
				return true, err
			}
			if _, err := io.Copy(p.job.Out, text); err != nil {
				return true, err
			}
			if p.opts.Reference {
				p.buf = append(p.buf, '\n') // trace-cmd ends the text with an empty line
			}
		}
	}
	return done, p.flush()
}

// reportDamage reports the damage of all recordings.
func (p *printer) reportDamage() {
	for _, in := range p.inputs {
		p.job.EachDamage(in.rec, p.damage)
	}
}

func (p *printer) close() {
	for _, in := range p.inputs {
		in.rec.Close()
	}
}
