package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace/tracefs"
	"github.com/tracec/tracec/runtime/record"
)

const liveHelp = `Print the events of the running kernel as they happen, as tracec report prints those of a recording, or record them: -o.

It needs Linux with tracefs, and root. Events are recorded in an instance of tracefs of their own, which is removed at the end: nothing that others
trace is changed.

Examples:
  tracec live -e 'sched:*' --for 10s
  tracec live -e sys_enter_openat -- ls -l                 the system calls of a command and of what it starts
  tracec live -F 'sched_switch: next_comm ~ "postgres*"'
  tracec live -e 'block:*' -p 1234 -c -R
  tracec live -e 'sched:*' -o trace.dat --for 1m           a recording, for tracec, trace-cmd and KernelShark
  tracec live -e 'sched:*' --to ndjson | jq .fields
  tracec live --tracer function_graph --function 'vfs_*' --for 1s

It ends with the command after --, after the time of --for, or with Ctrl-C; all that was recorded until then is printed. With a command the exit code is
that of the command.

-e, -F, --cpu, -R and -N mean what they mean for tracec report. The kernel applies -e and --cpu, and of -F what it can, so that events that are not wanted
cost little; all of -F is applied to what comes. -p and -- have the kernel record the events of these threads alone; a switch to one counts as
its own. Markers (trace_marker) can be written into the instance by those who know its name.

Events of all processors are printed in the order of time. Those of one wait until the others have been asked after --delay; what comes later still is
printed at once, and counted. Events that the kernel drops because a buffer is full are marked where they are missing, as in tracec report, and
reported on standard error each second and at the end: --buffer makes the buffers larger.`

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
		Use:   "live -e GLOBS [-- COMMAND...]",
		Short: "Print or record the events of the running kernel",
		Long:  liveHelp,
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); len(args) > 0 && at != 0 {
				return fmt.Errorf("%s: a command comes after --: tracec live -e GLOBS -- COMMAND", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.command = args
			if o.output != "" {
				if err := checkOutput(cmd, "-o", o.output); err != nil {
					return err
				}
			}
			return runLive(cmd, &o)
		},
	}
	f := cmd.Flags()
	f.StringSliceVarP(&o.choice.Events, "event", "e", nil, "record the events that match one of the `GLOBS` such as 'sched:*,sys_enter_*'")
	filterFlag(f, &o.choice)
	f.Var(cpuFlag{&o.choice.CPUs}, "cpu", "only on these processors: `LIST` such as 0,2-3")
	f.StringSliceVarP(&o.pids, "pid", "p", nil, "only these threads: `LIST` of ids or names")
	neverEmpty(f, "event", "pid")
	f.BoolVarP(&o.config.Children, "children", "c", false, "of those that the threads of -p start, too")
	f.BoolVarP(&o.choice.Raw, "raw", "R", false, "print the fields, not the text of the event")
	f.BoolVarP(&o.choice.Plain, "plain", "N", false, "print the text that the event describes itself, without the native tool's plugins")
	f.DurationVar(&o.forTime, "for", 0, "end after this `TIME` such as 10s")
	recordFlags(f, &o)
	f.StringVarP(&o.output, "output", "o", "", "record to `FILE`, a trace.dat, in place of printing")
	f.IntVar(&o.version, "file-version", 7, "with -o: `N` is the version of the file, 6 or 7")
	f.Var(oneOf{&o.pack, []string{"none", "zstd", "zlib"}}, "compression", "with -o: `NAME` is none, zstd or zlib")
	onlyWith(f, "file-version", "output")
	onlyWith(f, "compression", "output")
	alias(f, "version", "file-version")
	f.StringVar(&o.export.To, "to", "", "write this `FORMAT` of tracec export to standard output in place of text")
	f.BoolVar(&o.clean, "clean", false, "remove instances that killed processes have left, and do nothing else")
	cmd.RegisterFlagCompletionFunc("event", completeEvents)
	outputFlags(cmd, limitPart)
	resourceFlags(cmd)
	return cmd
}

// completeEvents completes names of events of the running kernel.
func completeEvents(_ *cobra.Command, _ []string, typed string) (names []string, d cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	root, err := tracefs.Mount()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	text, err := os.ReadFile(filepath.Join(root, "available_events"))
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	for line := range strings.Lines(string(text)) {
		if name := before + strings.TrimSpace(line); strings.HasPrefix(name, typed) {
			names = append(names, name)
		}
	}
	return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// recordFlags are the options that say how the kernel records.
func recordFlags(f *pflag.FlagSet, o *liveOptions) {
	o.buffer = tracefs.DefaultBuffer
	c := &o.config
	f.StringVar(&c.Clock, "clock", "", "the `CLOCK` of times, one of trace_clock of the kernel: local, global, mono, boot, x86-tsc")
	f.Var(&o.buffer, "buffer", "`SIZE` of the buffer of each processor")
	f.Var(&o.sub, "sub-buffer", "`SIZE` of what the kernel hands out at once, a page at least (Linux 6.8)")
	f.DurationVar(&c.Delay, "delay", record.DefaultDelay, "`TIME` that events wait for earlier ones of other processors")
	f.BoolVarP(&c.Stacks, "stack", "T", false, "the stack of the kernel after each event")
	f.BoolVar(&c.UserStacks, "user-stack", false, "the stack of the program after each event")
	f.StringVar(&c.Tracer, "tracer", "", "a `TRACER` such as function or function_graph")
	f.StringSliceVar(&c.Functions, "function", nil, "the functions that it traces: `GLOBS`")
	f.StringSliceVar(&c.NotFunctions, "no-function", nil, "functions that it does not trace: `GLOBS`")
	onlyWith(f, "function", "tracer")
	onlyWith(f, "no-function", "tracer")
	f.StringSliceVar(&c.Options, "option", nil, "options of trace_options: `LIST`")
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

// check finds options that make no sense together.
func (o *liveOptions) check() error {
	c := &o.config
	switch {
	case len(o.choice.Events) == 0 && len(o.choice.Filters) == 0 && c.Tracer == "":
		return usagef("which events? tracec live -e 'sched:*', or --tracer function")
	case o.output != "" && o.export.To != "":
		return usagef("-o records a trace.dat, which tracec export --to %s reads: one at a time", o.export.To)
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
