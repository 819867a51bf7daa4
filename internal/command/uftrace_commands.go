package command

import (
	"context"

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
	{use: "replay [-d DIR]", short: "Print the calls as they happened", long: uftraceReplayHelp, run: uftraceReplay},
	{use: "report [-d DIR]", short: "Print how often and how long functions ran", long: uftraceReportHelp, run: uftraceReport},
	{use: "graph [-d DIR] [FUNC]", short: "Print who calls whom, with times", long: uftraceGraphHelp, args: 1, run: uftraceGraph},
	{use: "dump [-d DIR]", short: "Print the records, or the calls for other tools", long: uftraceDumpHelp, run: uftraceDump},
	{use: "info [-d DIR]", short: "Print what a recording says about itself", long: uftraceInfoHelp, run: uftraceInfo},
}

const uftraceReplayHelp = `Print the calls as they happened: uftrace replay.

Examples:
  tracec uftrace replay -d app.data
  tracec uftrace replay -F main -N malloc -t 2us
  tracec uftrace replay -f +elapsed,task --no-libcall
  tracec uftrace replay -T 'work@depth=2,time=1us' -r 2us~20us

Fields of -f: duration, tid, addr, time, delta, elapsed, task, module.`

const uftraceReportHelp = `Print how often and how long functions ran: uftrace report.

Examples:
  tracec uftrace report -s self,call
  tracec uftrace report -f total,self-avg,size --avg-self
  tracec uftrace report --diff old.data -d new.data

Fields of -f and keys of -s: total, total-avg, total-min, total-max, self, self-avg, self-min, self-max, call, size.`

const uftraceGraphHelp = `Print who calls whom, with times: uftrace graph. With a function, who calls it and what it calls.

Examples:
  tracec uftrace graph
  tracec uftrace graph main -f total,self
  tracec uftrace graph --task`

const uftraceDumpHelp = `Print the records file by file, or the calls for other tools: uftrace dump.

Examples:
  tracec uftrace dump
  tracec uftrace dump --chrome > trace.json         for chrome://tracing and Perfetto
  tracec uftrace dump --flame-graph | flamegraph.pl
  tracec uftrace dump --graphviz | dot -Tsvg
  tracec uftrace dump --mermaid > graph.html`

const uftraceInfoHelp = `Print what a recording says about itself: uftrace info. With --task its tasks, with --symbols its symbols.`

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
	o := summary.Options{
		Play: c.play, Fields: c.fields, Sort: c.sort, AvgTotal: c.avgTotal, AvgSelf: c.avgSelf, Task: c.task, SrcLine: c.srcLine,
		CSV: c.format == "csv", Color: c.color, Like19: c.style == values.V019, Name: c.style.Names(c.rec),
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
		Play: c.play, Fields: c.fields, Task: c.task, SrcLine: c.srcLine, Color: c.color, Like19: c.style == values.V019, Name: c.style.Names(c.rec),
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
			Style: c.style, Name: c.style.Names(c.rec), Debug: c.debug, Filters: c.play, Workers: c.job.Parallel(), Shown: &shown,
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
