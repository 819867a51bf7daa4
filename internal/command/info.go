package command

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/report/facts"
)

// info prints the properties of recordings.
func info(cmd *cobra.Command, args []string) error {
	doc := facts.Document[*facts.Info]{Schema: facts.Schema("info"), Tracec: Version(), Recordings: []*facts.Info{}}
	first := true
	err := EachFile(cmd, args, func(ctx context.Context, job *report.Job) error {
		f, err := readInfo(ctx, cmd, job)
		switch {
		case f == nil:
			return err
		case AsJSON(cmd):
			doc.Recordings = append(doc.Recordings, f)
			return err
		case len(args) > 1:
			err = errors.Join(PrintHeading(cmd, job.Path, !first), err)
			first = false
		}
		_, failed := job.Out.Write(f.Text)
		return errors.Join(failed, err)
	})
	if AsJSON(cmd) && (len(doc.Recordings) > 0 || err == nil) {
		err = errors.Join(facts.Write(cmd.OutOrStdout(), doc), err)
	}
	return err
}

// readInfo reads a recording. The progress bar is removed before anything is printed.
func readInfo(ctx context.Context, cmd *cobra.Command, job *report.Job) (*facts.Info, error) {
	defer WatchSilent(cmd, job)()
	job.AllDamage = true
	sys, err := job.Find(ctx)
	if err != nil {
		return nil, err
	}
	return all.Of(sys).Info(ctx, job)
}
