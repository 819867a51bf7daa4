// Package summary prints the tables of uftrace report: how often functions ran and how long, for a
// recording, for its threads, or as the difference of two recordings (uftrace.md 2.7).
package summary

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Options select what is reported and how. The zero value is the plain report of uftrace 0.13.
type Options struct {
	Play  callstack.Options
	Table Table
	Diff  Diff
	// Task is --task: a table of threads.
	Task bool
	// KernelSkipOut is --kernel-skip-out. It matters to --task alone, which otherwise counts kernel
	// functions outside of the program's.
	KernelSkipOut bool
	// Workers is how many goroutines account for calls; up to 1 is all in one. The text does not
	// depend on it.
	Workers int

	processors bool // a column shows them
	inOrder    bool // the text depends on the order of calls
}

// Table is the form of the table.
type Table struct {
	// Fields is the value of -f, such as total,self-min or +size; empty is the default.
	Fields string
	// Sort is the value of -s, such as call,func; empty is the default.
	Sort string
	// AvgTotal and AvgSelf are --avg-total and --avg-self.
	AvgTotal, AvgSelf bool
	// SrcLine is --srcline.
	SrcLine bool
	// CSV is --format=csv of uftrace 0.19: times in nanoseconds between commas.
	CSV bool
	// Color colours units and differences; nil does not.
	Color *color.Palette
	// Like19 prints as uftrace 0.19 does: wider thread ids, unless NarrowTID is set, as before
	// 0.17, and deviations among the averages.
	Like19, NarrowTID bool
	// Name is the name that a symbol is shown by; nil takes Symbol.Shown.
	Name func(*uftrace.Symbol) string
}

// Diff is --diff: differences from another recording.
type Diff struct {
	Other *uftrace.Recording // nil: a plain report
	// BaseDir and Dir name the two recordings in the heading.
	BaseDir, Dir string
	// Policy is --diff-policy: words between commas, such as full,percent.
	Policy string
	// SortColumn is --sort-column: 0 base, 1 the other, 2 the difference. Unset is -1 or 2.
	SortColumn int
}

// Run reports a recording. Damage of the recording is left to Recording.Damage; the error is of the
// options or of w.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	if opts.Table.AvgTotal && opts.Table.AvgSelf {
		return report.Usagef("--avg-total and --avg-self options should not be used together.")
	}
	if opts.Table.Fields != "" { // as uftrace says, they are ignored then
		opts.Table.AvgTotal, opts.Table.AvgSelf = false, false
	}
	if err := callstack.WriteMissed(w, rec, opts.Play); err != nil {
		return err
	}
	if opts.Task {
		return runTasks(ctx, rec, &opts, w)
	}
	if opts.Diff.Other != nil {
		return runDiff(ctx, rec, &opts, w)
	}
	columns, err := chooseColumns(functionColumns(opts.Table.Like19), opts.Table.Fields, defaultFields(&opts))
	if err != nil {
		return err
	}
	opts.processors = slices.ContainsFunc(columns, func(c column) bool { return strings.HasPrefix(c.field, "cpu-") })
	opts.inOrder = needOrder(columns, opts.Table.Sort)
	order, err := functionOrder(&opts)
	if err != nil {
		return err
	}
	b, err := collect(ctx, rec, &opts)
	if err != nil {
		return err
	}
	rows := b.rows()
	sortFunctions(rows, order)
	return printFunctions(rows, columns, &opts, w)
}
