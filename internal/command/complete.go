package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/all"
	"github.com/tracec/tracec/report/tracecmd"
)

// Shells complete from the recording on the command line: from its event types or, if they are not
// described, from the recorded events. If the recording cannot be read, there are no completions.

// completion is a completion function of cobra.
type completion = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// completeChoice completes the options that select events, in the same way for every system.
func completeChoice(cmd *cobra.Command) {
	completeFrom(cmd, "event", ofReport, (*selection.Catalog).Patterns)
	completeFrom(cmd, "cpu", ofReport, cpusOf)
	completeFrom(cmd, "pid", ofReport, tasksOf)
}

// completeFrom completes an option with words of a catalog, if the command has the option.
func completeFrom(cmd *cobra.Command, option string, catalog catalogOf, words func(*selection.Catalog) []string) {
	if cmd.Flags().Lookup(option) == nil {
		return
	}
	completeFlag(cmd, option, completeWords(catalog, words))
}

// catalogOf returns one of the catalogs of a system.
type catalogOf func(*report.System) func(context.Context, *report.Job) (*selection.Catalog, error)

func ofReport(s *report.System) func(context.Context, *report.Job) (*selection.Catalog, error) {
	return s.Catalog
}

func ofList(s *report.System) func(context.Context, *report.Job) (*selection.Catalog, error) {
	return s.ForList
}

// completeWords completes the last of several comma-separated words.
func completeWords(catalog catalogOf, words func(*selection.Catalog) []string) completion {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 || args[0] == "-" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		c, err := describedBy(cmd, args[0], catalog)
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var fits []string
		offered := map[string]bool{}
		for _, w := range words(c) {
			if strings.HasPrefix(before+w, typed) && !offered[w] {
				offered[w] = true
				fits = append(fits, before+w)
			}
		}
		return fits, cobra.ShellCompDirectiveNoFileComp
	}
}

// describedBy returns the descriptions in a recording or a tree of format files. It does not report
// damage, because the shell shows no messages.
func describedBy(cmd *cobra.Command, path string, catalog catalogOf) (c *selection.Catalog, err error) {
	job := NewJob(cmd, path)
	job.Warn, job.Out = func(error) {}, io.Discard
	defer func() { job.Finish(nil) }()
	in, sys, err := job.Input(cmd.Context())
	switch {
	case err != nil:
		return nil, err
	case sys == nil || sys.Name == "ftrace" && in != nil && in.Dir != nil && !tracecmd.HasPages(in.Dir):
		d := tracecmd.NewDescriptions()
		err := d.Add(cmd.Context(), job)
		return d.Catalog(path), err
	}
	return catalog(all.Of(sys))(cmd.Context(), job)
}

func cpusOf(c *selection.Catalog) (words []string) {
	for _, cpu := range slices.Compact(slices.Sorted(slices.Values(c.CPUs))) {
		words = append(words, fmt.Sprint(cpu))
	}
	return words
}

func tasksOf(c *selection.Catalog) (words []string) {
	tasks := slices.SortedFunc(slices.Values(c.Tasks), func(a, b selection.Task) int { return cmp.Compare(a.ID, b.ID) })
	for _, t := range slices.Compact(tasks) {
		w := fmt.Sprint(t.ID)
		if t.Name != "" {
			w += "\t" + t.Name
		}
		words = append(words, w)
	}
	return words
}
