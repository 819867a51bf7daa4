package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracec/tracec/internal/fileset"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/babeltrace"
	"github.com/tracec/tracec/report/style"
)

// babeltraceFlags are the options of babeltrace2 that finish processes further.
type babeltraceFlags struct {
	names, fields       []string
	like                string
	begin, end, between string
	offset, offsetNS    int64
	gmt                 bool
	force               bool
	format, input       string // -o, -i
	output              string // -w
	components          []component
	details             babeltrace.DetailsOptions
	counter             babeltrace.CounterOptions
	trimUTC             bool // an option of filter.utils.trimmer
	opts                babeltrace.Options
	window              babeltrace.Window
	color               string // from --params
}

// noBabeltrace lists options of babeltrace2 that tracec lacks, with the reason.
var noBabeltrace = []struct{ name, short, why string }{
	{"debug-info", "", "tracec adds no debug info"}, {"debug-info-dir", "", "tracec adds no debug info"},
	{"debug-info-full-path", "", "tracec adds no debug info"},
	{"debug-info-target-prefix", "", "tracec adds no debug info"},
	{"run-args", "", "tracec has no command run"}, {"run-args-0", "", "tracec has no command run"},
	{"retry-duration", "", "tracec has no live sessions"},
	{"plugin-path", "", "tracec has no plugins"}, {"omit-home-plugin-path", "", "tracec has no plugins"},
	{"omit-system-plugin-path", "", "tracec has no plugins"},
	{"log-level", "l", "tracec has no log"}, {"debug", "d", "tracec has no log"}, {"verbose", "v", "tracec has no log"},
}

func newBabeltrace() *cobra.Command {
	f := &babeltraceFlags{opts: babeltrace.Default(), details: babeltrace.DefaultDetails()}
	cmd := &cobra.Command{
		Use:  "babeltrace2",
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.define(cmd)
	nativeOutput(cmd)
	nativeResources(cmd.Flags())
	return cmd
}

func (f *babeltraceFlags) define(cmd *cobra.Command) {
	set, t := cmd.Flags(), &f.opts.Times
	set.SortFlags = false
	set.StringArrayVarP(&f.names, "names", "n", nil, "`LIST` names: payload, context, scope, header, all, none")
	set.StringArrayVarP(&f.fields, "fields", "f", nil, "`LIST` print facts: trace, trace:domain, loglevel, emf, all …")
	set.BoolVar(&t.NoDelta, "no-delta", false, "print no time since the previous event")
	set.BoolVar(&f.gmt, "clock-gmt", false, "print and read times in UTC")
	set.BoolVar(&t.Date, "clock-date", false, "print dates")
	set.BoolVar(&t.Seconds, "clock-seconds", false, "print times as seconds")
	set.BoolVar(&t.Cycles, "clock-cycles", false, "print times as cycles of the clock")
	set.Int64Var(&f.offset, "clock-offset", 0, "`SEC` add seconds to all times")
	set.Int64Var(&f.offsetNS, "clock-offset-ns", 0, "`NS` add nanoseconds to all times")
	set.BoolVar(&f.force, "clock-force-correlate", false, "compare clocks of unknown origins")
	set.StringVarP(&f.begin, "begin", "b", "", "`TIME` only from this time on")
	set.StringVarP(&f.end, "end", "e", "", "`TIME` only up to this time")
	set.StringVarP(&f.between, "timerange", "t", "", "`BEGIN,END` only between these times")
	set.StringVarP(&f.output, "output", "w", "", "write to `FILE`")
	set.VarP(elsewhereFormat{oneOf{&f.format, []string{"text", "details", "counter", "dummy", "ctf-metadata"}},
		map[string]string{"ctf": "tracec export --to ctf writes traces"}}, "output-format", "o",
		"`FORMAT` text, details, counter, dummy or ctf-metadata")
	set.VarP(elsewhereFormat{oneOf{&f.input, []string{"ctf"}},
		map[string]string{"lttng-live": noComponents["source.ctf.lttng-live"]}}, "input-format", "i",
		"`FORMAT` read ctf, the only input format")
	set.BoolVar(&f.window.Overlap, "stream-intersection", false, "only while all streams of a trace are active")
	set.VarP((*componentName)(f), "component", "c", "`NAME` use a component, such as sink.text.pretty")
	set.VarP((*componentParams)(f), "params", "p", "`PARAMS` set parameters of the component: NAME=VALUE,…")
	set.StringVar(&f.like, "like", "2.1", "`VERSION` print as babeltrace2 2.0 or 2.1")
	for _, no := range noBabeltrace {
		set.StringP(no.name, no.short, "", "not supported")
		set.Lookup(no.name).NoOptDefVal, set.Lookup(no.name).Hidden = "yes", true
	}
	neverEmpty(set, "names", "fields", "begin", "end", "timerange", "output")
	atMostOnce(set, "clock-offset", "clock-offset-ns", "begin", "end", "timerange", "output", "output-format",
		"input-format")
	excludes(set, "timerange", "begin")
	excludes(set, "timerange", "end")
}

// finish sets values that depend on several options.
func (f *babeltraceFlags) finish(cmd *cobra.Command) (err error) {
	set, o := cmd.Flags(), &f.opts
	for _, no := range noBabeltrace {
		if set.Changed(no.name) {
			return usagef("--%s: %s", no.name, no.why)
		}
	}
	if f.gmt {
		o.Times.Zone = time.UTC
	}
	switch f.like {
	case "2.0", "2.1":
		o.Bare = f.like == "2.0"
		f.details.Old = o.Bare
	default:
		return usagef("--like: %q is not 2.0 or 2.1", f.like)
	}
	o.Times.Offset = f.offset*1_000_000_000 + f.offsetNS
	if limit := int64(1) << 33; f.offset > limit || f.offset < -limit {
		return usagef("--clock-offset: more than %d seconds", limit)
	}
	if set.Changed("names") {
		err = o.Names.SetNames(f.names...)
	}
	if set.Changed("fields") {
		err = errors.Join(err, o.Fields.SetFields(f.fields...))
	}
	return cmp.Or(err, f.useComponents(set), f.times(), f.checkSink(set))
}

// times parses the bounds of the time.
func (f *babeltraceFlags) times() (err error) {
	begin, end := f.begin, f.end
	if f.between != "" {
		if begin, end, err = babeltrace.SplitRange(f.between); err != nil {
			return err
		}
	}
	zone := f.opts.Times.Zone
	if f.trimUTC {
		zone = time.UTC
	} else if zone == nil {
		zone = time.Local
	}
	for _, b := range []struct {
		text string
		to   **babeltrace.Moment
	}{{begin, &f.window.Begin}, {end, &f.window.End}} {
		if b.text == "" {
			continue
		}
		m, err := babeltrace.ParseMoment(b.text, zone)
		if err != nil {
			return err
		}
		*b.to = &m
	}
	return nil
}

func (f *babeltraceFlags) run(cmd *cobra.Command, args []string) (err error) {
	if len(args) > 0 && args[0] == "convert" { // the name of the default command
		args = args[1:]
	}
	if len(args) == 0 {
		return One("trace", "tracec babeltrace2 TRACE")(cmd, args)
	}
	if slices.Contains(args, "") {
		return usagef("the name of the recording is empty")
	}
	if err := f.finish(cmd); err != nil {
		return err
	}
	out := io.Writer(cmd.OutOrStdout())
	if f.output != "" {
		for _, path := range args {
			if err := checkOutput(cmd, "-w", f.output, path); err != nil {
				return err
			}
		}
		file, err := fileset.Create(f.output)
		if err != nil {
			return err
		}
		out = file
		return endOutput(file, f.print(cmd, args, out))
	}
	return f.print(cmd, args, out)
}

func (f *babeltraceFlags) print(cmd *cobra.Command, paths []string, out io.Writer) error {
	return Work(cmd, paths[0], func(ctx context.Context, job *report.Job) error {
		job.More, job.Sources = paths[1:], []*sources.Source{sources.CTF()}
		job.Out, job.Style = out, colorsOf(cmd, out)
		warn := job.Warn
		job.Warn = func(err error) {
			if babeltrace.IsLoss(err) { // printed as in babeltrace2, without a prefix
				fmt.Fprintln(cmd.ErrOrStderr(), err)
				return
			}
			warn(err)
		}
		if f.color != "" {
			job.Style = style.Of(out, f.color)
		}
		graph := &babeltrace.Graph{Window: f.window, Zone: f.opts.Times.Zone, Force: f.force}
		switch f.format {
		case "ctf-metadata":
			return babeltrace.PrintMetadata(ctx, job)
		case "details":
			defer watch(cmd, job)()
			return babeltrace.PrintDetails(ctx, job, &f.details, graph)
		case "counter":
			defer WatchSilent(cmd, job)()
			return babeltrace.Count(ctx, job, &f.counter, graph)
		case "dummy":
			job.Out = io.Discard
		}
		defer watch(cmd, job)()
		return babeltrace.Run(ctx, job, &f.opts, &f.window, f.force)
	})
}
