package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/tracecmd/mem"
	"github.com/tracec/tracec/runtime/ftrace"
)

func newTraceCmdMem() *cobra.Command {
	var in fileInput
	cmd := &cobra.Command{
		Use: "mem",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := in.choose(args); err != nil {
				return err
			}
			return in.run(cmd, WatchSilent, func(ctx context.Context, rec *ftrace.Recording, job *report.Job) error {
				return mem.Run(ctx, rec, job)
			})
		},
	}
	in.define(cmd)
	return cmd
}
