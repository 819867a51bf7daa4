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
	"github.com/tracec/tracec/runtime/symbols/demangle"
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
	o := c.replay
	o.Layout.Fields, o.Layout.Color = c.columns.fields, c.color
	o.Text.NoArgs, o.Text.SrcLine, o.Text.Name = c.columns.noArgs, c.columns.srcLine, c.style.Names(c.rec)
	o.Play, o.Style, o.Workers, o.Shown = c.play, c.style, c.job.Parallel(), &shown
	return c.noteNothing(shown, replay.Run(ctx, c.rec, o, c.out))
}

func uftraceReport(ctx context.Context, c *uftraceCall) error {
	o := c.summary
	table := &o.Table
	table.Fields, table.SrcLine, table.Color, table.Name = c.columns.fields, c.columns.srcLine, c.color,
		c.style.Names(c.rec)
	table.Like19, table.NarrowTID = c.style != values.V013, c.style == values.V014
	if table.Fields != "" && (table.AvgTotal || table.AvgSelf) {
		c.job.Warn(errors.New("--avg-total and --avg-self have no effect with -f"))
	}
	o.Play, o.Task, o.Workers, o.Diff.BaseDir = c.play, c.columns.task, c.job.Parallel(), c.name
	if o.Diff.Dir == "" {
		return summary.Run(ctx, c.rec, o, c.out)
	}
	other, err := c.open(ctx, c.job, o.Diff.Dir, c.job.Memory/2)
	if err != nil {
		return err
	}
	defer other.Close()
	o.Diff.Other = other
	return report.Tell(c.job, other, summary.Run(ctx, c.rec, o, c.out))
}

func uftraceGraph(ctx context.Context, c *uftraceCall) error {
	o := graph.Options{
		Play: c.play, Fields: c.columns.fields, Task: c.columns.task, SrcLine: c.columns.srcLine, Color: c.color,
		Like19: c.style != values.V013, NarrowTID: c.style == values.V014, Name: c.style.Names(c.rec),
	}
	if len(c.args) > 0 {
		o.Func = c.args[0]
	}
	return graph.Run(ctx, c.rec, o, c.out)
}

func uftraceDump(ctx context.Context, c *uftraceCall) error {
	shown := false
	format, other := c.formats.format()
	if !other {
		o := c.dump
		o.Style, o.Name, o.NoArgs, o.Play = c.style, c.style.Names(c.rec), c.columns.noArgs, c.play
		o.Workers, o.Shown = c.job.Parallel(), &shown
		return c.noteNothing(shown, dump.Run(ctx, c.rec, o, c.out))
	}
	o := c.export
	o.Format, o.Style, o.Play, o.Name, o.Shown = format, c.style, c.play, c.style.Names(c.rec), &shown
	o.NoArgs, o.SrcLine = c.columns.noArgs, c.columns.srcLine
	return c.noteNothing(shown, export.Run(ctx, c.rec, o, c.out))
}

// format returns the format in effect, if there is one.
func (f *uftraceFormats) format() (export.Format, bool) {
	switch {
	case f.chrome:
		return export.Chrome, true
	case f.flame:
		return export.Flame, true
	case f.graphviz:
		return export.Graphviz, true
	case f.mermaid:
		return export.Mermaid, true
	}
	return 0, false
}

func uftraceInfo(ctx context.Context, c *uftraceCall) error {
	o := c.about
	o.Style, o.Task, o.Name = c.style, c.columns.task, c.rec.Demangle().Name
	if c.rec.Demangle() == demangle.FormFull {
		o.Name = c.style.FullName
	}
	return about.Run(ctx, c.rec, o, c.out)
}
