package tracecmd

import (
	"context"
	"strings"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// System is ftrace among the kinds of recordings.
func System() report.System {
	return report.System{Name: "ftrace", Title: "ftrace", Follows: true, Detect: detect, Extent: ftrace.Extent, Span: spanOf, Open: openAny, Pages: openPages, Choose: chooseEvents, Report: run, List: list, Info: info, Stat: stat, Describe: describe, Catalog: catalog, ForList: catalog}
}

// detect recognizes trace.dat by its magic bytes and a copy of tracefs by its header_page.
func detect(p *report.Probe) bool {
	return strings.HasPrefix(string(p.Head), "\x17\x08\x44tracing") || p.Has("events/header_page")
}

// spanOf returns the times of the first and the last event.
func spanOf(ctx context.Context, rec record.Recording) (*report.Span, error) {
	r := rec.(*ftrace.Recording)
	first, last, ok, err := report.Ends(ctx, func(o record.Options) *record.Merger[record.None] {
		return r.Merge(ftrace.StreamOptions{Options: o})
	}, func(*record.Record, *record.None) bool { return true }, false)
	return &report.Span{First: first, Last: last, Empty: !ok, Form: formOf(r)}, err
}

// formOf returns how the times of a recording are printed.
func formOf(rec *ftrace.Recording) report.TimeForm {
	if rec.Machine().Ticks {
		return report.Ticks
	}
	return report.Microseconds
}

// run is tracec report: the options that mean the same for every system.
func run(ctx context.Context, job *report.Job, o *report.Options) error {
	opts, err := optionsOf(job, o)
	if err != nil {
		return err
	}
	o.InTurn(job)
	opts.Raw, opts.Plain, opts.Lists = o.Raw, o.Plain, Lists{Stat: o.Stat}
	return Run(ctx, opts, job)
}

// optionsOf converts a selection to options of the native command.
func optionsOf(job *report.Job, o *report.Options) (*Options, error) {
	opts := &Options{Inputs: []Input{{Path: job.Path}}, Choice: o}
	list, err := filter.Parse(o.Filters)
	if err != nil {
		return nil, &report.UsageError{Err: err}
	}
	for _, f := range list {
		opts.Filters = append(opts.Filters, Filter{Filter: f})
	}
	return opts, nil
}

// catalog returns the catalog of a recording.
func catalog(ctx context.Context, job *report.Job) (*report.Catalog, error) {
	in, err := openInput(ctx, job, Input{Path: job.Path}, job.Memory, false)
	if err != nil {
		return nil, err
	}
	p := &printer{opts: &Options{}, job: job, inputs: []*input{in}}
	defer p.close()
	return p.catalog(), nil
}

// list prints the events of a recording or of a directory of format files.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	in, err := openInput(ctx, job, Input{Path: job.Path}, job.Memory, false)
	if err != nil {
		return err
	}
	p := &printer{opts: &Options{}, job: job, inputs: []*input{in}}
	defer p.close()
	c := p.catalog()
	if err := c.CheckEvents("-e", o.Events); err != nil {
		return err
	}
	match, err := c.Matcher(o.Events)
	if err != nil {
		return err
	}
	err = ListFormats(in.rec.Formats(), match, o)
	p.reportDamage()
	if err == nil && p.damaged {
		err = report.ErrDamaged
	}
	return err
}
