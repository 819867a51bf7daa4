package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
)

func newReport() *cobra.Command {
	var o report.Options
	var follow followFlags
	cmd := &cobra.Command{
		Use:  "report",
		Args: oneReport,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			print := func(ctx context.Context, job *report.Job) error {
				defer watch(cmd, job)()
				sys, err := job.Find(ctx)
				if err != nil {
					return err
				}
				settled, err := job.Settle(ctx, sys, &o)
				if err != nil {
					return err
				}
				settled.Limit, _ = Limit(cmd)
				return all.Of(sys).Report(ctx, job, settled)
			}
			if err := follow.check(); err != nil {
				return err
			}
			switch {
			case !follow.follow || args[0] == "-":
				return Work(cmd, args[0], print)
			case o.Stat:
				return usagef("--follow: statistics need a finished recording")
			}
			return follow.following(cmd, args[0], true, print)
		},
	}
	f := cmd.Flags()
	f.BoolVarP(&o.Raw, "raw", "R", false, "print the fields instead of the event's text")
	f.BoolVarP(&o.Plain, "plain", "N", false, "print the event's own text, without plugins or processes")
	f.BoolVar(&o.Stat, "stat", false, "print the statistics of the buffers instead of events")
	f.Lookup("stat").Hidden = true // info has the statistics
	follow.define(f)
	OutputFlags(cmd, LimitPart)
	ChooseFlags(cmd, &o)
	return cmd
}

func newList() *cobra.Command {
	var o report.ListOptions
	var verbose, recorded bool
	cmd := &cobra.Command{
		Use:  "list",
		Args: Some("recording or format file", "tracec list FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Fields = o.Fields || verbose
			return list(cmd, args, o, recorded)
		},
	}
	f := cmd.Flags()
	eventFlag(f, &o.Events)
	f.BoolVar(&o.Fields, "fields", false, "also list fields: offset, size, sign and type")
	f.BoolVar(&recorded, "recorded", false, "only events that occur")
	f.BoolVarP(&verbose, "verbose", "v", false, "the same as --fields")
	f.Lookup("verbose").Hidden = true
	OutputFlags(cmd, LimitPart, JSONPart)
	RecordingFlags(cmd)
	completeFrom(cmd, "event", ofList, (*selection.Catalog).Patterns)
	return cmd
}

func newInfo() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "info",
		Args: Some("recording", "tracec info FILE"),
		RunE: info,
	}
	OutputFlags(cmd, JSONPart)
	RecordingFlags(cmd)
	return cmd
}

// Work calls do with a job for the recording at path, and closes the recording.
func Work(cmd *cobra.Command, path string, do func(context.Context, *report.Job) error) error {
	if path == "" {
		return usagef("the name of the recording is empty")
	}
	job := NewJob(cmd, path)
	return job.Finish(do(cmd.Context(), job))
}

// NewJob returns the job of a recording, with the options of the command.
func NewJob(cmd *cobra.Command, path string) *report.Job {
	return &report.Job{Job: sources.Job{
		Path:    path,
		Stdin:   cmd.InOrStdin(),
		Opening: openOptions(cmd),
		Memory:  memory(cmd),
		Workers: jobs(cmd),
		Warn: func(err error) {
			var note *selection.Note
			if errors.Is(err, context.Canceled) || quiet(cmd) && errors.As(err, &note) { // a signal is reported once
				return
			}
			fmt.Fprintln(cmd.ErrOrStderr(), "tracec: "+sentence(err))
		},
	}, Out: cmd.OutOrStdout(), Style: Colors(cmd)}
}
