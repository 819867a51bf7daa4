package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
)

const traceCmdHelp = `The commands of trace-cmd that read recordings, with its own options.
An alias makes it a replacement:

  alias trace-cmd='tracec trace-cmd'
  trace-cmd report -l -F 'sched_switch: prev_prio < 100' trace.dat`

func newTraceCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trace-cmd",
		Short: "Take the arguments of trace-cmd",
		Long:  traceCmdHelp,
		Args:  subcommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	nativeResources(cmd.PersistentFlags())
	cmd.AddCommand(newTraceCmdReport(), newTraceCmdDump(), newTraceCmdConvert(), newTraceCmdSplit(), newTraceCmdMem(), newTraceCmdOptions())
	addAbsentTraceCmds(cmd)
	return cmd
}

const traceCmdReportHelp = `Print a recording of ftrace as trace-cmd report does, with its options, spelled and meant as there. FILE
may also be a copy of a tracefs directory, or - for standard input; trace.dat when none is given. Several files are
shown together.

Examples:
  tracec trace-cmd report trace.dat
  tracec trace-cmd report -l -t --cpu 0-3 trace.dat
  tracec trace-cmd report -i host.dat --ts-offset -1000 -i guest.dat
  tracec trace-cmd report -F 'sched/.*: COMM == "sh" && common_pid != 0' -v -F sched_waking trace.dat
  tracec trace-cmd report -O fgraph:tailprint trace.dat
  tracec trace-cmd report --like 3.4 trace.dat      with a column of flags, arguments and results of functions

Filters (-F): EVENTS [: EXPRESSION]. EVENTS are names or SYSTEM/NAME, regular expressions that must match
all of the name, separated by commas. In the expression && and || bind equally, from the left; use
parentheses. Fields are those that --events shows, and COMM, CPU and TIMESTAMP (ns).

The text is that of the version that recorded: 3.1 for recordings up to 3.2, then 3.3 and 3.4. --like takes another.

Where it differs from trace-cmd:
  - every event is rendered; nothing is [FAILED TO PARSE]
  - filters compare signed fields as signed, and show the stacks of the events that they show (trace-cmd: all stacks
    of a CPU after its first such event)
  - --ts-offset works
  - -V, --verbose and -q only concern messages that are not about damage; --debug is not there
  - --profile lists the largest sums first (trace-cmd: the order of a hash table), covers all instances, and
    reads fields, stacks and names right where trace-cmd reads others
  - --boundary is not there`

func newTraceCmdReport() *cobra.Command {
	o := &tracecmd.Options{}
	flags := &nativeFlags{opts: o}
	cmd := &cobra.Command{
		Use:   "report [-i FILE]... [FILE]...",
		Short: "Print a recording of ftrace: trace-cmd report",
		Long:  traceCmdReportHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.finish(args); err != nil {
				return err
			}
			return work(cmd, o.Inputs[0].Path, func(ctx context.Context, job *report.Job) error {
				defer watch(cmd, job)()
				return tracecmd.Run(ctx, o, job)
			})
		},
	}
	flags.define(cmd.Flags())
	nativeOutput(cmd)
	return cmd
}
