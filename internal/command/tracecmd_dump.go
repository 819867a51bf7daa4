package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/dump"
	"github.com/tracec/tracec/runtime/ftrace"
)

const traceCmdDumpHelp = `Print the metadata of a recording as trace-cmd dump does. Without options a summary is printed.

Examples:
  tracec trace-cmd dump trace.dat
  tracec trace-cmd dump --options --flyrecord -i trace.dat
  tracec trace-cmd dump --events trace.dat

A file that is damaged is printed as far as it can be read (exit code 1); --validate says yes to files that can be
opened.`

func newTraceCmdDump() *cobra.Command {
	var in fileInput
	var o dump.Options
	var all bool
	cmd := &cobra.Command{
		Use:   "dump [-i FILE] [FILE]",
		Short: "Print the metadata of a recording: trace-cmd dump",
		Long:  traceCmdDumpHelp,
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
	f.BoolVarP(&o.Validate, "validate", "v", false, "say whether the file is a recording, and nothing else")
	f.BoolVar(&all, "all", false, "print all of what follows")
	for _, x := range []struct {
		at          *bool
		name, usage string
	}{
		{&o.Summary, "summary", "a line for each part of the file"},
		{&o.HeadPage, "head-page", "the layout of a page of the ring buffer"},
		{&o.HeadEvent, "head-event", "the layout of the header of an event"},
		{&o.FtraceEvents, "ftrace-events", "the formats of the events of ftrace itself"},
		{&o.Systems, "systems", "the systems of events and how many they have"},
		{&o.Events, "events", "the formats of the events"},
		{&o.Kallsyms, "kallsyms", "the addresses and names of the kernel's functions"},
		{&o.Printk, "printk", "the constant strings of trace_printk()"},
		{&o.CmdLines, "cmd-lines", "the names of tasks by pid"},
		{&o.Options, "options", "the options"},
		{&o.Flyrecord, "flyrecord", "where the data of the CPUs are"},
		{&o.Clock, "clock", "the clocks"},
		{&o.Layout, "sections", "the sections in the order of the file"},
		{&o.Strings, "strings", "the strings that describe the sections"},
	} {
		f.BoolVar(x.at, x.name, false, x.usage)
	}
	return cmd
}
