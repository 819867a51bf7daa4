package trcrpt

import (
	"context"
	"math"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/trcfiles"
	"github.com/tracec/tracec/report"
)

// System prints recordings of AIX.
func System() report.System {
	return report.System{
		Source: sources.AIX(), Report: run, List: list, Info: info, Stat: stat,
		Catalog: found, ForList: found,
	}
}

// run implements tracec report with the options that all systems share. Events are selected by hook
// id or by the label of the template, as in "1B1", "F5*" or "aix:TRACE*".
func run(ctx context.Context, job *report.Job, o *report.Options) error {
	if o.Stat {
		return printInfo(ctx, job)
	}
	opts, err := optionsOf(job, o)
	if err != nil {
		return err
	}
	o.InTurn(job)
	return Run(ctx, opts, job)
}

// optionsOf converts the options that all systems share to native options.
func optionsOf(job *report.Job, o *report.Options) (opts *Options, err error) {
	if opts, err = newOptions(job); err != nil {
		return nil, err
	}
	opts.common, opts.CPUs, opts.Words = o, o.CPUs, o.Raw
	if opts.match, err = trcfiles.Matcher(o.Events); err != nil {
		return nil, err
	}
	since, until, err := o.Window(selection.Nanoseconds)
	if err != nil {
		return nil, err
	}
	if o.Since != "" {
		ns := int64(min(since, math.MaxInt64))
		opts.Since = &ns
	}
	if o.Until != "" {
		ns := int64(min(until, math.MaxInt64)) - 1 // the end is inclusive in trcrpt
		opts.Until = &ns
	}
	return opts, nil
}

// list prints the hooks that occur in a recording, since a recording does not describe its hooks.
// trcrpt -j lists the hooks of a template file in the same way.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	match, err := trcfiles.Matcher(o.Events)
	if err != nil {
		return err
	}
	opts, err := newOptions(job)
	if err != nil {
		return err
	}
	opts.common, opts.match, opts.Histogram, opts.fields = &report.Options{Options: selection.Options{Events: o.Events}}, match, true, o.Fields
	p := newPrinter(opts, job)
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return err
	}
	if err := p.print(ctx); err != nil {
		return err
	}
	err = nil
	for id, h := range p.templates.hooks {
		if h != nil && h.count > 0 {
			p.outcome.shown = true
			e := listed(uint16(id), h.label)
			if o.Fields && h.Described {
				addFields(e, h.Template)
			}
			if err = o.Each(e); err != nil {
				break
			}
		}
	}
	p.noteNothing(ctx)
	return p.finish(err)
}
