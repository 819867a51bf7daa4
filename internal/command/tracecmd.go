package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd"
)

func newTraceCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "trace-cmd",
		Args: subcommand,
		RunE: briefly,
	}
	nativeResources(cmd.PersistentFlags())
	cmd.AddCommand(newTraceCmdReport(), newTraceCmdDump(), newTraceCmdConvert(), newTraceCmdSplit(), newTraceCmdMem(),
		newTraceCmdOptions())
	addAbsentTraceCmds(cmd)
	return cmd
}

func newTraceCmdReport() *cobra.Command {
	o := &tracecmd.Options{}
	flags := &nativeFlags{opts: o}
	cmd := &cobra.Command{
		Use: "report",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := flags.finish(args); err != nil {
				return err
			}
			return Work(cmd, o.Inputs[0].Path, func(ctx context.Context, job *report.Job) error {
				defer watch(cmd, job)()
				return tracecmd.Run(ctx, o, job)
			})
		},
	}
	flags.define(cmd.Flags())
	nativeOutput(cmd)
	return cmd
}
