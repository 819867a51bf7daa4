package exports

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/export/view"
	"github.com/tracec/tracec/internal/command"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/record"
)

const viewHelp = `Show a recording as a picture in the browser, without the Internet: threads and processors over time, with calls, system calls, interrupts and events.

The page is served by this command to this machine alone, at an address with a secret in it. It can be opened while the recording is still being read, and
is read-only. ? in the page lists its keys. The command ends with Ctrl-C.

FILE is a recording as for tracec report, and so are the options that choose events.

Examples:
  tracec view trace.dat
  tracec view --since 12.5 --until 12.75 -e 'sched:*,syscalls:*' trace.dat
  tracec view --no-browser uftrace.data          print the address; ssh -L brings it to another machine`

func newView() *cobra.Command {
	var o report.Options
	var noBrowser bool
	cmd := &cobra.Command{
		Use:   "view FILE",
		Short: "Show a recording as a picture in the browser",
		Long:  viewHelp,
		Args:  command.One("recording", "tracec view FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return command.Work(cmd, args[0], func(ctx context.Context, job *report.Job) error {
				return viewRecording(ctx, cmd, job, &o, !noBrowser)
			})
		},
	}
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address of the page, and start no browser")
	command.OutputFlags(cmd)
	command.ChooseFlags(cmd, &o)
	return cmd
}

func viewRecording(ctx context.Context, cmd *cobra.Command, job *report.Job, o *report.Options, browse bool) (err error) {
	c, err := job.Choose(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Recording.Close()) }()
	first := firstOf(ctx, job, c)
	s := view.New(func(within record.Options) (*dynamic.Reader, error) {
		return c.Reader(within, dynamic.WithThreads())
	}, view.Options{
		Title: filepath.Base(job.Path), Memory: job.Memory / 4, First: first, Origin: c.Origin,
		Window: func(from, to uint64) (recorded, since string) {
			return c.Bounds(from, to), c.BoundsSince(first, from, to)
		},
	})
	if err := s.Listen(); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n", s.URL())
	if browse {
		tellBrowser(cmd, s.URL())
	}
	if err := s.Serve(ctx); err != nil {
		return err
	}
	return report.Tell(job, c.Recording, s.Err())
}

// firstOf returns the time of the first event of a recording, 0 when that is not known.
func firstOf(ctx context.Context, job *report.Job, c *report.Choice) uint64 {
	if c.Origin > 0 {
		return c.Origin
	}
	span, err := job.Span(ctx)
	if err != nil {
		return 0 // of what is read once
	}
	return span.First
}
