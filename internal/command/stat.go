package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
)

func newStat() *cobra.Command {
	var o report.Options
	var asJSON bool
	cmd := &cobra.Command{
		Use:  "stat",
		Args: one("recording", "tracec stat FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
				return printStat(ctx, cmd, job, &o, asJSON)
			})
		},
	}
	chooseFlags(cmd, &o)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: tracec help json")
	return cmd
}

func printStat(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, asJSON bool) error {
	s, err := count(ctx, cmd, job, o)
	if s == nil {
		return err
	}
	if s.Total() == 0 && o.Chosen() != "" {
		job.Warn(job.Nothing(ctx, "event", o))
	}
	if e := s.Write(job.Out, asJSON); e != nil {
		return errors.Join(e, err)
	}
	return err
}

// count reads a recording. Its progress is off the terminal before anything is printed.
func count(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options) (*report.Stat, error) {
	defer watchSilent(cmd, job)()
	sys, err := job.Find(ctx)
	if err != nil {
		return nil, err
	}
	if o, err = job.Settle(ctx, sys, o); err != nil {
		return nil, err
	}
	return sys.Stat(ctx, job, o)
}
