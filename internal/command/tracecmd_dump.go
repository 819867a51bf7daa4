package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/dump"
	"github.com/tracec/tracec/runtime/ftrace"
)

func newTraceCmdDump() *cobra.Command {
	var in fileInput
	var o dump.Options
	var all bool
	cmd := &cobra.Command{
		Use: "dump",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.choose(args); err != nil {
				return err
			}
			if all {
				validate := o.Validate
				o = dump.All()
				o.Validate = validate
			}
			return in.run(cmd, watch, func(ctx context.Context, rec *ftrace.Recording, job *report.Job) error {
				return dump.Run(ctx, rec, o, job)
			})
		},
	}
	in.define(cmd)
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVarP(&o.Validate, "validate", "v", false, "only print whether the file is a recording")
	f.BoolVar(&all, "all", false, "print all parts")
	for _, x := range []struct {
		at          *bool
		name, usage string
	}{
		{&o.Summary, "summary", "print a line for each part of the file"},
		{&o.HeadPage, "head-page", "print the layout of a page of the ring buffer"},
		{&o.HeadEvent, "head-event", "print the layout of the header of an event"},
		{&o.FtraceEvents, "ftrace-events", "print the formats of ftrace's own events"},
		{&o.Systems, "systems", "print the systems with their numbers of events"},
		{&o.Events, "events", "print the formats of the events"},
		{&o.Kallsyms, "kallsyms", "print addresses and names of the kernel's functions"},
		{&o.Printk, "printk", "print the constant strings of trace_printk()"},
		{&o.CmdLines, "cmd-lines", "print the names of threads by id"},
		{&o.Options, "options", "print the options"},
		{&o.Flyrecord, "flyrecord", "print the places of the data of CPUs"},
		{&o.Clock, "clock", "print the clocks"},
		{&o.Layout, "sections", "print the sections in the order of the file"},
		{&o.Strings, "strings", "print the strings that describe the sections"},
	} {
		f.BoolVar(x.at, x.name, false, x.usage)
	}
	return cmd
}
