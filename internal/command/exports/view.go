package exports

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/export/view"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/report"
)

func newView() *cobra.Command {
	var o report.Options
	var noBrowser bool
	cmd := &cobra.Command{
		Use:  "view",
		Args: command.One("recording", "tracec view FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return command.Work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
				return viewRecording(ctx, cmd, job, &o, !noBrowser)
			})
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, browserUsage)
	command.OutputFlags(cmd)
	command.ChooseFlags(cmd, &o)
	return cmd
}

func viewRecording(
	ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, browse bool,
) (err error) {
	c, err := job.Choose(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Recording.Close()) }()
	first := firstOf(ctx, job, c)
	whole := c.Whole()
	s := view.New(c.Reader, view.Options{
		Title: filepath.Base(job.Path), Memory: job.Memory / 4, First: first, Origin: c.Origin, Whole: whole.Reader,
		Window: func(from, to uint64) (recorded, since string) {
			return c.Bounds(from, to), c.BoundsSince(first, from, to)
		},
	})
	if err := s.Listen(); err != nil {
		return err
	}
	defer showPage(cmd, s.URL(), browse)()
	if err := s.Serve(ctx); err != nil {
		return err
	}
	return report.Tell(job, c.Recording, s.Err())
}

// firstOf returns the time of the first event of a recording, or 0 if unknown.
func firstOf(ctx context.Context, job *report.Job, c *report.Choice) uint64 {
	if c.Origin > 0 {
		return c.Origin
	}
	span, err := job.Span(ctx)
	if err != nil {
		return 0 // the recording can be read only once
	}
	return span.First
}
