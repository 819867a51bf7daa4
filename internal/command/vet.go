package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
	"github.com/tracec/tracec/report/trcrpt"
)

const vetHelp = `Compile the descriptions of events and print what the compiler has to say about them: one message per line,
FILE:LINE:COL: SEVERITY: TEXT [CODE], and at the end how many events have a text.

INPUT is the same as for tracec gen, or a file of AIX templates, all mistakes of which are shown in one run; several
files of templates are checked as one. The exit code is 1 when an event cannot be laid out or has no text.

Examples:
  tracec vet trace.dat
  tracec vet my.trcfmt
  tracec vet -v /sys/kernel/tracing/events/sched    also notes: what a recording cannot hold`

// newVet is for those who write events: gen without output.
func newVet() *cobra.Command {
	var o genOptions
	cmd := &cobra.Command{
		Use:   "vet INPUT...",
		Short: "Check the descriptions of events",
		Long:  vetHelp,
		Args:  some("recording, format file or template file", "tracec vet INPUT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := settleFormat(cmd, &o.format); err != nil {
				return err
			}
			if yes, err := trcrpt.AllTemplates(args); yes || err != nil {
				if err != nil {
					return err
				}
				rules, err := templateRules(cmd, args)
				if err != nil {
					return err
				}
				return o.vetTemplates(cmd, args, rules)
			}
			if len(args) == 1 {
				return work(cmd, args[0], func(ctx context.Context, job *report.Job) error { return o.vetOne(ctx, cmd, job) })
			}
			d, err := descriptions(cmd, args)
			if err != nil {
				return err
			}
			return o.vetFormats(cmd, args, d)
		},
	}
	f := cmd.Flags()
	eventsFlag(f, &o.events)
	f.BoolVarP(&o.verbose, "verbose", "v", false, "also print notes")
	formatFlag(cmd, &o.format)
	outputFlags(cmd, limitPart, jsonPart)
	recordingFlags(cmd)
	completeFrom(cmd, "event", ofList, (*report.Catalog).Patterns)
	return cmd
}

// vetTemplates is vet for files of AIX templates.
func (o *genOptions) vetTemplates(cmd *cobra.Command, names []string, rules trcfmt.Options) error {
	if len(o.events) > 0 {
		return usagef("-e: all templates of a file are checked")
	}
	v, err := trcrpt.Vet(names, rules)
	if err != nil {
		return err
	}
	if o.machine() {
		err = writeFindings(cmd, o.format, v.Summary(), v.Messages.Worst(o.least()))
		if err == nil && len(v.Messages.Worst(diag.Error)) > 0 {
			err = report.ErrDamaged
		}
		return err
	}
	if err = writeMessages(cmd, v.Messages.Worst(o.least()), v.Summary()); err == nil && len(v.Messages.Worst(diag.Error)) > 0 {
		err = report.ErrDamaged
	}
	return err
}

// machine reports whether the messages are for a program.
func (o *genOptions) machine() bool { return o.format != "" && o.format != "text" }

// least returns how bad a message is that vet shows.
func (o *genOptions) least() diag.Severity {
	if o.verbose {
		return diag.Note
	}
	return diag.Warning
}

// vetOne is vet for one input, of any kind.
func (o *genOptions) vetOne(ctx context.Context, cmd *cobra.Command, job *report.Job) error {
	defer watchSilent(cmd, job)()
	_, sys, err := job.Input(ctx)
	if err != nil {
		return err
	}
	if names, rules, err := trcrpt.Described(job, sys); names != nil {
		if err != nil {
			return err
		}
		return o.vetTemplates(cmd, names, rules)
	}
	if sys == nil || sys.Name == "ftrace" || sys.Describe == nil {
		d := tracecmd.NewDescriptions()
		if err := d.Add(ctx, job); err != nil {
			return err
		}
		return o.vetFormats(cmd, []string{job.Path}, d)
	}
	described, damage, err := describe(ctx, job, sys, o.events)
	if err != nil {
		return err
	}
	if err := described.Catalog.CheckEvents("-e", o.events); err != nil {
		return err
	}
	for _, err := range described.LeftOut {
		if o.machine() {
			described.Messages = append(described.Messages, diag.Diagnostic{File: job.Path, Severity: diag.Error, Code: "left-out", Msg: err.Error()})
		} else if _, err := fmt.Fprintln(job.Out, err); err != nil {
			return err
		}
	}
	return o.vet(cmd, described, damage, len(described.Unit.Events)+len(described.LeftOut))
}

// vetFormats is vet for format files.
func (o *genOptions) vetFormats(cmd *cobra.Command, args []string, d *tracecmd.Descriptions) error {
	if err := o.choose("-e", strings.Join(args, " "), d); err != nil {
		return err
	}
	described := d.Describe("")
	return o.vet(cmd, described, described.LeftOut, len(d.Formats))
}

// vet prints messages and how many events can be used, of all that are described.
func (o *genOptions) vet(cmd *cobra.Command, d *report.Description, damage []error, all int) error {
	for _, err := range damage {
		fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+err.Error())
	}
	silent := 0
	for _, ev := range d.Unit.Events {
		if !ev.HasText {
			silent++
		}
	}
	unusable := all - len(d.Unit.Events)
	messages, summary := d.Messages.Worst(o.least()), fmt.Sprintf("%d events, %d without text, %d unusable", all, silent, unusable)
	if o.machine() {
		for _, err := range damage {
			messages = append(messages, diag.Diagnostic{File: d.Unit.Source, Severity: diag.Error, Code: "damage", Msg: err.Error()})
		}
		if err := writeFindings(cmd, o.format, summary, messages); err != nil {
			return err
		}
	} else if err := writeMessages(cmd, messages, summary); err != nil {
		return err
	}
	if silent+unusable+len(damage) > 0 {
		return report.ErrDamaged
	}
	return nil
}
