package tracecmd

import (
	"context"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// System prints recordings of ftrace.
func System() report.System {
	return report.System{
		Source: sources.FTrace(), Report: run, List: list, Info: info, Stat: stat,
		Catalog: catalog, ForList: catalog,
	}
}

// run implements tracec report with the options that all systems share.
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
	opts := &Options{Inputs: []Input{{Path: job.Path}}, Selection: Selection{Choice: o}}
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
func catalog(ctx context.Context, job *report.Job) (*selection.Catalog, error) {
	in, err := openInput(ctx, job, Input{Path: job.Path}, job.Memory, false)
	if err != nil {
		return nil, err
	}
	p := &printer{settings: settings{opts: &Options{}, job: job}, inputs: []*input{in}}
	defer p.close()
	return p.catalog(), nil
}

// list prints the events of a recording or of a directory of format files.
func list(ctx context.Context, job *report.Job, o *report.ListOptions) error {
	in, err := openInput(ctx, job, Input{Path: job.Path}, job.Memory, false)
	if err != nil {
		return err
	}
	p := &printer{settings: settings{opts: &Options{}, job: job}, inputs: []*input{in}}
	defer p.close()
	c := p.catalog()
	match, err := c.Checked(o.Events)
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
