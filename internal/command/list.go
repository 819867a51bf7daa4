package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
)

// list prints the events of every argument, recordings and format files alike.
func list(cmd *cobra.Command, args []string, o *report.ListOptions) error {
	var damaged error
	for _, a := range args {
		err := listOne(cmd, a, o)
		if errors.Is(err, report.ErrDamaged) {
			damaged = err
			continue
		}
		if err != nil {
			return err
		}
	}
	return damaged
}

// listOne leaves recordings to their system. Directories hold format files, whether something was recorded there or not, but for
// those of uftrace and LTTng.
func listOne(cmd *cobra.Command, arg string, o *report.ListOptions) error {
	if trcrpt.IsTemplates(arg) {
		return trcrpt.ListTemplates(newJob(cmd, arg), o)
	}
	return work(cmd, arg, func(ctx context.Context, job *report.Job) error {
		defer watchSilent(cmd, job)()
		in, sys, err := job.Input(ctx)
		switch {
		case err != nil:
			return err
		case sys == nil || sys.Name == "ftrace" && in != nil && in.Dir != nil:
			return listFormats(cmd, job, o)
		}
		return sys.List(ctx, job, o)
	})
}

func listFormats(cmd *cobra.Command, job *report.Job, o *report.ListOptions) error {
	arg := job.Path
	d := tracecmd.NewDescriptions()
	if err := d.Add(cmd.Context(), job); err != nil {
		return err
	}
	c := d.Catalog(arg)
	if err := c.CheckEvents("-e", o.Events); err != nil {
		return err
	}
	match, err := c.Matcher(o.Events)
	if err != nil {
		return err
	}
	formats, bad := tracecmd.ParseFormats(d.Formats)
	for _, name := range bad {
		fmt.Fprintf(cmd.ErrOrStderr(), "tracec: %s: not a format file with a name and an ID\n", name)
	}
	for _, err := range d.Damage {
		fmt.Fprintf(cmd.ErrOrStderr(), "tracec: %v\n", err)
	}
	if _, err := job.Out.Write(tracecmd.AppendFormats(nil, formats, match, o.Fields)); err != nil {
		return err
	}
	if len(bad)+len(d.Damage) > 0 {
		return report.ErrDamaged
	}
	return nil
}
