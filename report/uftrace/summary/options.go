// Package summary prints the tables of uftrace report: counts and times of functions. The tables
// are for a recording, for its threads, or for the difference of two recordings (uftrace.md 2.7).
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

// Options select the contents and the form of the report. The zero value is the plain report of
// uftrace 0.13.
type Options struct {
	Play  callstack.Options
	Table Table
	Diff  Diff
	// Task is --task: a table of threads.
	Task bool
	// KernelSkipOut is --kernel-skip-out. It has an effect only with --task, which by default
	// counts kernel functions outside of the program's.
	KernelSkipOut bool
	// Workers is the number of goroutines that read the recording. Up to 1, one does everything.
	// The text does not depend on it.
	Workers int

	processors bool // a column shows processors
	inOrder    bool // the text depends on the order of calls
}

// Table is the form of the table.
type Table struct {
	// Fields is the value of -f, such as total,self-min or +size. If empty, it is the default.
	Fields string
	// Sort is the value of -s, such as call,func. If empty, it is the default.
	Sort string
	// AvgTotal and AvgSelf are --avg-total and --avg-self.
	AvgTotal, AvgSelf bool
	// SrcLine is --srcline.
	SrcLine bool
	// CSV is --format=csv of uftrace 0.19: times in nanoseconds, separated by commas.
	CSV bool
	// Color holds the colours of units and differences. If nil, there are no colours.
	Color *color.Palette
	// Like19 prints as uftrace 0.19 does, with deviations among the averages. Thread ids are wider
	// unless NarrowTID is set, as before 0.17.
	Like19, NarrowTID bool
	// Name returns the name of a symbol. If nil, it is Symbol.Shown.
	Name func(*uftrace.Symbol) string
}

// Diff is --diff: differences from another recording.
type Diff struct {
	Other *uftrace.Recording // nil for a plain report
	// BaseDir and Dir name the two recordings in the heading.
	BaseDir, Dir string
	// Policy is --diff-policy: words separated by commas, such as full,percent.
	Policy string
	// SortColumn is --sort-column: 0 for the base, 1 for the other recording, 2 for the difference.
	// Unset is -1 or 2.
	SortColumn int
}

// Run reports a recording. Damage of the recording is in Recording.Damage. The error is from the
// options or from w.
func Run(ctx context.Context, rec *uftrace.Recording, opts Options, w io.Writer) error {
	if opts.Table.AvgTotal && opts.Table.AvgSelf {
		return report.Usagef("--avg-total and --avg-self options should not be used together.")
	}
	if opts.Table.Fields != "" { // the fields are then ignored, as in uftrace
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
