package trcrpt

import (
	"context"
	"math"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// System is AIX trace among the kinds of recordings.
func System() report.System {
	return report.System{Name: "aix", Title: "AIX", Detect: detect, Guess: true, Sure: sure, Follows: true, FromFirst: true, Span: span, Open: openAny, Choose: chooseEvents, Report: run, List: list, Info: info, Stat: stat, Catalog: found, ForList: found}
}

// detect recognizes log files and 64-bit streams by their magic numbers. It recognizes streams of
// 32-bit systems, which have no magic number, by consecutive entries. Other systems must be tried
// first.
func detect(p *report.Probe) bool {
	return p.Dir == nil && aix.Detect(p.Head) != aix.KindUnknown
}

// sure recognizes recordings with a magic number.
func sure(p *report.Probe) bool { return p.Dir == nil && aix.HasMagic(p.Head) }

// run is tracec report: the options that mean the same for every system. Events are selected by
// hook id or by the label of the template, as "1B1", "F5*" or "aix:TRACE*".
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

// optionsOf converts options that have the same meaning for every system to native options.
func optionsOf(job *report.Job, o *report.Options) (opts *Options, err error) {
	if opts, err = newOptions(job); err != nil {
		return nil, err
	}
	opts.common, opts.CPUs, opts.Words = o, o.CPUs, o.Raw
	if opts.match, err = Matcher(o.Events); err != nil {
		return nil, err
	}
	since, until, err := o.Window(report.Nanoseconds)
	if err != nil {
		return nil, err
	}
	if o.Since != "" {
		ns := int64(min(since, math.MaxInt64))
		opts.Since = &ns
	}
	if o.Until != "" {
		ns := int64(min(until, math.MaxInt64)) - 1 // trcrpt's own end is inclusive
		opts.Until = &ns
	}
	return opts, nil
}

// span returns the times of the first and the last event. It reads everything to find the last one.
func span(ctx context.Context, rec record.Recording) (*report.Span, error) {
	r := rec.(*aix.Recording)
	origin, ok := r.Begin(isOrdinary)
	if !ok {
		return &report.Span{Empty: true}, nil
	}
	_, last, ok, err := report.Ends(ctx, r.Merge, isOrdinary, true)
	return &report.Span{Last: last - min(origin, last), Empty: !ok}, err
}

// isOrdinary reports whether a record is one of the events that times count from.
func isOrdinary(r *record.Record, e *aix.Entry) bool { return !describesSystem(uint16(r.ID), e) }

// Matcher returns the function that selects hooks by globs over their id or the label of their
// template. It is nil without globs, which selects all.
func Matcher(globs []string) (func(name, label string) bool, error) {
	if len(globs) == 0 {
		return nil, nil
	}
	match, err := report.EventMatcher(globs)
	if err != nil {
		return nil, err
	}
	return func(name, label string) bool {
		return match("aix", name) || match("aix", strings.ToLower(name)) || match("aix", label)
	}, nil
}

// list prints the hooks that occur in a recording, since a recording does not describe its hooks.
// trcrpt -j does the same for a template file.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	match, err := Matcher(o.Events)
	if err != nil {
		return err
	}
	opts, err := newOptions(job)
	if err != nil {
		return err
	}
	opts.common, opts.match, opts.Histogram, opts.fields = &report.Options{Events: o.Events}, match, true, o.Fields
	p := newPrinter(opts, job)
	defer p.close()
	if err := p.prepare(ctx); err != nil {
		return err
	}
	if err := p.print(ctx); err != nil {
		return err
	}
	err = nil
	for id, h := range p.hooks {
		if h != nil && h.count > 0 {
			p.shown = true
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
