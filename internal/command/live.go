package command

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
	"github.com/tracec/tracec/runtime/record"
)

// liveOptions are the options of tracec live.
type liveOptions struct {
	choice  report.Options
	config  tracefs.Config
	pids    []string
	forTime time.Duration
	buffer  byteSize
	sub     byteSize
	clean   bool
	output  string
	version int
	pack    string
	export  ExportOptions
	command []string
}

func newLive() *cobra.Command {
	var o liveOptions
	cmd := &cobra.Command{
		Use: "live",
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); len(args) > 0 && at != 0 {
				return fmt.Errorf("%s: a command comes after --: tracec live -e GLOBS -- COMMAND", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.command = args
			if o.output != "" && !o.clean {
				if err := checkOutput(cmd, "-o", o.output); err != nil {
					return err
				}
			}
			return runLive(cmd, &o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&o.choice.Events, "event", "e", nil, "`GLOBS` record these events, such as 'sched:*,sys_enter_*'")
	defineBlock(f, selectBlock, func(f *pflag.FlagSet) { // a running kernel has no earlier events
		filterFlag(f, &o.choice)
		f.Var(cpuFlag{&o.choice.CPUs}, "cpu", cpuUsage)
		f.StringSliceVarP(&o.pids, "pid", "p", nil, pidUsage)
		neverEmpty(f, "pid")
	})
	neverEmpty(f, "event")
	f.BoolVarP(&o.config.Children, "children", "c", false, "with -p: also threads that they start")
	f.BoolVarP(&o.choice.Raw, "raw", "R", false, "print the fields instead of the event's text")
	f.BoolVarP(&o.choice.Plain, "plain", "N", false, "print the event's own text, without plugins or processes")
	f.DurationVar(&o.forTime, "for", 0, "end after `TIME`, such as 10s")
	recordFlags(f, &o)
	f.StringVarP(&o.output, "output", "o", "", "record to `FILE`, a trace.dat")
	f.IntVar(&o.version, "file-version", 7, "`N` with -o: version of the file, 6 or 7")
	f.Var(oneOf{&o.pack, []string{"none", "zstd", "zlib"}}, "compression", "`NAME` with -o: none, zstd or zlib")
	OnlyWith(f, "file-version", "output")
	OnlyWith(f, "compression", "output")
	alias(f, "version", "file-version")
	f.StringVar(&o.export.To, "to", "", "`FORMAT` print in a format of tracec export: ndjson, csv, …")
	f.BoolVar(&o.clean, "clean", false, "only remove remains of killed runs, also of -o FILE")
	completeKernel(cmd)
	OutputFlags(cmd, LimitPart)
	resourceFlags(cmd)
	return cmd
}

// recordFlags defines the options for the kernel's recording.
func recordFlags(f *pflag.FlagSet, o *liveOptions) {
	o.buffer = tracefs.DefaultBuffer
	c := &o.config
	f.StringVar(&c.Clock, "clock", "", "`CLOCK` clock of the times: local, global, mono, boot, …")
	f.Var(&o.buffer, "buffer", "`SIZE` buffer of each CPU")
	f.Var(&o.sub, "sub-buffer", "`SIZE` sub-buffer of the kernel (Linux 6.8)")
	f.DurationVar(&c.Delay, "delay", record.DefaultDelay, "wait `TIME` for events of other CPUs")
	f.BoolVarP(&c.Stacks, "stack", "T", false, "print the kernel's stack after each event")
	f.BoolVar(&c.UserStacks, "user-stack", false, "print the program's stack after each event")
	f.StringVar(&c.Tracer, "tracer", "", "`TRACER` function, function_graph or another tracer")
	f.StringSliceVar(&c.Functions, "function", nil, "`GLOBS` with --tracer: trace these functions")
	f.StringSliceVar(&c.NotFunctions, "no-function", nil, "`GLOBS` with --tracer: do not trace these functions")
	OnlyWith(f, "function", "tracer")
	OnlyWith(f, "no-function", "tracer")
	f.StringSliceVar(&c.Options, "option", nil, "`LIST` set trace_options of the kernel")
}

// byteSize is a number of bytes, with K, M or G.
type byteSize int64

// String implements pflag.Value.
func (b *byteSize) String() string { return (*memorySize)(b).String() }

// Type implements pflag.Value.
func (*byteSize) Type() string { return "size" }

// Set implements pflag.Value.
func (b *byteSize) Set(text string) error {
	n, err := parseSize(text)
	if err == nil && n == 0 {
		err = errors.New("want a size such as 64K or 4M")
	}
	*b = byteSize(n)
	return err
}

// check rejects options that cannot be combined.
func (o *liveOptions) check() error {
	c := &o.config
	switch {
	case len(o.choice.Events) == 0 && len(o.choice.Filters) == 0 && c.Tracer == "":
		return usagef("which events? tracec live -e 'sched:*', or --tracer function")
	case o.output != "" && o.export.To != "":
		return usagef("-o records a trace.dat; tracec export --to %s reads it afterwards: use one of them", o.export.To)
	case o.version != 6 && o.version != 7:
		return usagef("--file-version %d: want 6 or 7", o.version)
	case o.version == 6 && o.pack != "" && o.pack != "none":
		return usagef("--compression %s: version 6 has none", o.pack)
	case o.forTime < 0:
		return usagef("--for %s: want a duration such as 10s", o.forTime)
	case c.Delay <= 0:
		return usagef("--delay %s: want a duration above 0, such as 100ms", c.Delay)
	case c.Children && len(o.pids) == 0 && len(o.command) == 0:
		return usagef("--children: only with --pid")
	case (len(c.Functions) > 0 || len(c.NotFunctions) > 0) && !strings.HasPrefix(c.Tracer, "function"):
		return usagef("--tracer %s: --function and --no-function are for function and function_graph", c.Tracer)
	}
	return nil
}
