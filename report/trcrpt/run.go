package trcrpt

import (
	"context"
	"fmt"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix/facts"
)

// Run prints a report. The error is report.ErrDamaged if data or templates were unusable and
// everything else was printed, a *report.UsageError, or an error about a file.
func Run(ctx context.Context, o *Options, job *report.Job) error {
	if err := o.check(); err != nil {
		return err
	}
	p := newPrinter(o, job)
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return err
	}
	err := p.print(ctx)
	if err == nil {
		err = p.end()
	}
	if err == nil {
		p.noteNothing(ctx)
		p.noteUnknown()
	}
	return p.finish(err)
}

// finish reports faults. err is the error that ended the work, or nil.
func (p *printer) finish(err error) error {
	p.tellDamage()
	p.tellShort()
	if n := p.facts.Forgotten(); n > 0 {
		p.damage(fmt.Errorf("%d timers without an end were forgotten: more than %d ran at a time", n,
			facts.MaxTimers))
	}
	if p.outcome.noCPU > 0 {
		p.job.Warn(fmt.Errorf("%s: --cpu leaves out %d events: the recording does not have their processor", p.job.Path,
			p.outcome.noCPU))
	}
	if err == nil && p.faults.damaged {
		err = report.ErrDamaged
	}
	return err
}

func (p *printer) prepare(ctx context.Context) (err error) {
	if p.choice, err = newChoice(p.opts); err != nil {
		return err
	}
	if p.opts.NameList != "" {
		names, err := readSymbols(p.opts.NameList)
		if err != nil {
			return err
		}
		p.facts.Names = names
	}
	if err := p.loadTemplates(p.opts.fields || p.opts.common != nil && len(p.opts.common.Filters) > 0); err != nil {
		return err
	}
	if err := p.openAll(ctx); err != nil {
		return err
	}
	return p.choose()
}

// end prints the text after the last event.
func (p *printer) end() error {
	switch {
	case p.opts.Raw:
	case p.opts.Histogram:
		p.histogram()
	default:
		p.page.begin(p) // a report without events also has its heading
	}
	return p.flush()
}

// histogram prints the number of events of each hook, by id.
func (p *printer) histogram() {
	if !p.opts.NoHeading {
		p.out.buf = append(p.out.buf, "ID         COUNT LABEL\n\n"...)
	}
	for _, h := range p.templates.hooks {
		if h != nil && h.count > 0 {
			p.out.buf = fmt.Appendf(p.out.buf, "%-4s%12d", h.name, h.count)
			if h.label != "" {
				p.out.buf = append(append(p.out.buf, ' '), h.label...)
			}
			p.out.buf = append(trim(p.out.buf, 0), '\n')
		}
	}
}
