package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/diag"
	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/report"
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
			if yes, err := allTemplates(args); yes || err != nil {
				if err != nil {
					return err
				}
				if len(o.events) > 0 {
					return usagef("-e: all templates of a file are checked")
				}
				return vetTemplates(cmd, args, trcfmt.Options{}, o.least(), false)
			}
			d := newDescriptions()
			d.instead = "vet checks the formats of ftrace, alone or in a recording, and the templates of AIX"
			for _, a := range args {
				if err := d.addPath(cmd, a); err != nil {
					return err
				}
			}
			if err := o.choose("-e", strings.Join(args, " "), d); err != nil {
				return err
			}
			return vet(cmd, d, o.least())
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&o.events, "event", "e", nil, "only events that match one of the `GLOBS`")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "also print notes")
	completeFrom(cmd, "event", ofList, (*report.Catalog).Patterns)
	return cmd
}

// least returns how bad a message is that vet shows.
func (o *genOptions) least() diag.Severity {
	if o.verbose {
		return diag.Note
	}
	return diag.Warning
}

func vet(cmd *cobra.Command, d *descriptions, least diag.Severity) error {
	unit, diags := compiler.Compile("", d.formats, d.target)
	for _, err := range d.damage {
		fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+err.Error())
	}
	out := cmd.OutOrStdout()
	for _, x := range diags.Worst(least) {
		if _, err := fmt.Fprintln(out, x.Error()); err != nil {
			return err
		}
	}
	silent := 0
	for _, ev := range unit.Events {
		if !ev.HasText {
			silent++
		}
	}
	lost := len(d.formats) - len(unit.Events)
	if _, err := fmt.Fprintf(out, "%d events, %d without text, %d unusable\n", len(d.formats), silent, lost); err != nil {
		return err
	}
	if silent+lost+len(d.damage) > 0 {
		return report.ErrDamaged
	}
	return nil
}
