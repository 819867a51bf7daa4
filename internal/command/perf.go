package command

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

func newPerf() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "perf",
		Args: subcommand,
		RunE: briefly,
	}
	nativeResources(cmd.PersistentFlags())
	cmd.AddCommand(newPerfScript(), newPerfEvlist(), newPerfReport())
	return cmd
}

// perfInput is the recording of a command of perf, and the version of its output.
type perfInput struct {
	file string
	like string
}

func (f *perfInput) define(set *pflag.FlagSet) {
	set.SortFlags = false
	set.StringVarP(&f.file, "input", "i", "", "read `FILE` (default perf.data)")
	neverEmpty(set, "input")
}

func (f *perfInput) defineLike(set *pflag.FlagSet) {
	set.StringVar(&f.like, "like", "", "`VERSION` print as perf 6.1, 6.12 or 7.2")
}

// perfHeader selects the text of a header.
type perfHeader struct {
	with, only, full bool
}

func (h *perfHeader) define(set *pflag.FlagSet) {
	set.BoolVar(&h.with, "header", false, "print the header of the recording first")
	set.BoolVar(&h.only, "header-only", false, "print only the header")
	set.BoolVarP(&h.full, "show-info", "I", false, "print all about the computer in the header")
}

// text returns the part of the header to print. As in perf, -I without a header has no effect.
func (h *perfHeader) text() perf.HeaderText {
	switch {
	case !h.with && !h.only:
		return perf.NoHeader
	case h.full:
		return perf.FullHeader
	}
	return perf.Header
}

// run calls do with the recording.
func (f *perfInput) run(cmd *cobra.Command, args []string, do func(context.Context, *report.Job) error) error {
	path := cmp.Or(f.file, "perf.data")
	switch {
	case len(args) > 1:
		return usagef("one recording at a time, not %d: %s", len(args), strings.Join(args, " "))
	case len(args) == 1 && f.file != "":
		return usagef("%s and -i %s: which recording?", args[0], f.file)
	case len(args) == 1:
		path = args[0]
	}
	switch f.like {
	case "", "6.1", "6.12", "7.2":
	default:
		return usagef("--like: %q is not 6.1, 6.12 or 7.2", f.like)
	}
	return Work(cmd, path, func(ctx context.Context, job *report.Job) error {
		job.Sources = []*sources.Source{sources.Perf()}
		defer watch(cmd, job)()
		return do(ctx, job)
	})
}

func newPerfEvlist() *cobra.Command {
	var in perfInput
	var verbose bool
	cmd := &cobra.Command{
		Use: "evlist",
		RunE: func(cmd *cobra.Command, args []string) error {
			return in.run(cmd, args, func(ctx context.Context, job *report.Job) error {
				return perf.Evlist(ctx, job, in.like, verbose)
			})
		},
	}
	in.define(cmd.Flags())
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print all attributes of the events")
	in.defineLike(cmd.Flags())
	nativeOutput(cmd)
	return cmd
}

func newPerfReport() *cobra.Command {
	var in perfInput
	var header perfHeader
	var stats bool
	cmd := &cobra.Command{
		Use: "report",
		RunE: func(cmd *cobra.Command, args []string) error {
			text := header.text()
			if !stats && !header.only {
				return usagef("only --stats and --header-only are here: " +
					"tracec export --to pprof, tracec open and tracec view show profiles")
			}
			return in.run(cmd, args, func(ctx context.Context, job *report.Job) error {
				if header.only {
					return perf.PrintHeader(ctx, job, in.like, text)
				}
				return perf.Stats(ctx, job, in.like, text)
			})
		},
	}
	in.define(cmd.Flags())
	cmd.Flags().BoolVar(&stats, "stats", false, "count the records of each type and event")
	header.define(cmd.Flags())
	in.defineLike(cmd.Flags())
	nativeOutput(cmd)
	return cmd
}
