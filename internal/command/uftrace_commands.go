package command

import (
	"context"
	"errors"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/about"
	"github.com/tracec/tracec/report/uftrace/dump"
	"github.com/tracec/tracec/report/uftrace/export"
	"github.com/tracec/tracec/report/uftrace/graph"
	"github.com/tracec/tracec/report/uftrace/replay"
	"github.com/tracec/tracec/report/uftrace/summary"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

// uftraceSubcommands are the commands that read recordings.
var uftraceSubcommands = []uftraceCommand{
	{name: "replay", run: uftraceReplay},
	{name: "report", run: uftraceReport},
	{name: "graph", args: 1, run: uftraceGraph},
	{name: "dump", run: uftraceDump},
	{name: "info", run: uftraceInfo},
}

func uftraceReplay(ctx context.Context, c *uftraceCall) error {
	shown := false
	err := replay.Run(ctx, c.rec, replay.Options{
		Options: c.play, Fields: c.fields, NoMerge: c.noMerge, Flat: c.flat, ColumnView: c.columnView, ColumnOffset: c.columnOffset,
		TaskNewline: c.taskNewline, NoComment: c.noComment, NoArgs: c.noArgs, LibName: c.libName, SrcLine: c.srcLine, NoCallsite: c.noCallsite,
		Color: c.color, Style: c.style, Name: c.style.Names(c.rec), Workers: c.job.Parallel(), Shown: &shown,
	}, c.out)
	return c.noteNothing(shown, err)
}

func uftraceReport(ctx context.Context, c *uftraceCall) error {
	if c.fields != "" && (c.avgTotal || c.avgSelf) {
		c.job.Warn(errors.New("--avg-total and --avg-self do nothing with -f"))
	}
	o := summary.Options{
		Play: c.play, Fields: c.fields, Sort: c.sort, AvgTotal: c.avgTotal, AvgSelf: c.avgSelf, Task: c.task, SrcLine: c.srcLine,
		CSV: c.format == "csv", Color: c.color, Like19: c.style != values.V013, NarrowTID: c.style == values.V014, Name: c.style.Names(c.rec),
		DataDir: c.name, DiffDir: c.diff, DiffPolicy: c.diffPolicy, SortColumn: c.sortColumn, Workers: c.job.Parallel(),
	}
	if c.diff == "" {
		return summary.Run(ctx, c.rec, o, c.out)
	}
	other, err := c.open(ctx, c.job, c.diff, c.job.Memory/2)
	if err != nil {
		return err
	}
	defer other.Close()
	o.Diff = other
	return report.Tell(c.job, other, summary.Run(ctx, c.rec, o, c.out))
}

func uftraceGraph(ctx context.Context, c *uftraceCall) error {
	o := graph.Options{
		Play: c.play, Fields: c.fields, Task: c.task, SrcLine: c.srcLine, Color: c.color, Like19: c.style != values.V013, NarrowTID: c.style == values.V014, Name: c.style.Names(c.rec),
	}
	if len(c.args) > 0 {
		o.Func = c.args[0]
	}
	return graph.Run(ctx, c.rec, o, c.out)
}

func uftraceDump(ctx context.Context, c *uftraceCall) error {
	o := export.Options{Style: c.style, Filters: c.play, Name: c.style.Names(c.rec), Sample: c.sampleTime, NoArgs: c.noArgs, SrcLine: c.srcLine, Exact: c.exact}
	switch {
	case c.chrome:
		o.Format = export.Chrome
	case c.flame:
		o.Format = export.Flame
	case c.graphviz:
		o.Format = export.Graphviz
	case c.mermaid:
		o.Format = export.Mermaid
	default:
		shown := false
		err := dump.Run(ctx, c.rec, dump.Options{
			Style: c.style, Name: c.style.Names(c.rec), Debug: c.debug, NoArgs: c.noArgs, Filters: c.play, Workers: c.job.Parallel(), Shown: &shown,
		}, c.out)
		return c.noteNothing(shown, err)
	}
	shown := false
	o.Shown = &shown
	err := export.Run(ctx, c.rec, o, c.out)
	return c.noteNothing(shown, err)
}

func uftraceInfo(ctx context.Context, c *uftraceCall) error {
	o := about.Options{Style: c.style, Task: c.task, Symbols: c.allSymbols, System: c.system, Name: c.rec.Demangle().Name}
	if c.rec.Demangle() == uftrace.DemangleFull {
		o.Name = c.style.FullName
	}
	return about.Run(ctx, c.rec, o, c.out)
}
