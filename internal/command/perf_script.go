package command

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

// perfFlags are the options of perf script that finish processes further.
type perfFlags struct {
	in     perfInput
	header perfHeader
	opts   perf.Options
	comms  []string
	noCall bool
	// mangled prints names as in the symbol table.
	mangled bool
	shown   []bool // by index in perfSides
}

// perfSides are the options --show-…-events.
var perfSides = []struct {
	name, what string
	sides      perf.Sides
}{
	{"task", "COMM, FORK and EXIT", perf.TaskEvents}, {"mmap", "MMAP and MMAP2", perf.MmapEvents},
	{"switch", "SWITCH", perf.SwitchEvents}, {"lost", "LOST", perf.LostEvents},
	{"namespace", "NAMESPACES", perf.NamespaceEvents}, {"cgroup", "CGROUP", perf.CgroupEvents},
	{"bpf", "KSYMBOL and BPF_EVENT", perf.BPFEvents}, {"text-poke", "TEXT_POKE", perf.TextPokeEvents},
}

func newPerfScript() *cobra.Command {
	f := &perfFlags{shown: make([]bool, len(perfSides))}
	cmd := &cobra.Command{
		Use:  "script",
		RunE: func(cmd *cobra.Command, args []string) error { return f.script(cmd, args) },
	}
	f.define(cmd)
	nativeOutput(cmd)
	return cmd
}

func (f *perfFlags) define(cmd *cobra.Command) {
	set, o := cmd.Flags(), &f.opts
	f.in.define(set)
	set.StringArrayVarP(&o.Fields, "fields", "F", nil, "`LIST` print these: comm,time,event; +NAME, -NAME")
	set.BoolVar(&o.Nanoseconds, "ns", false, "print nanoseconds")
	set.StringSliceVarP(&o.Events, "event", "e", nil, "`GLOBS` only these events: sched:*")
	set.StringArrayVar(&o.Filters, "filter", nil, "`FILTER` only events whose fields pass")
	set.VarP(cpuFlag{&o.CPUs}, "cpu", "C", cpuUsage)
	set.StringSliceVarP(&f.comms, "comms", "c", nil, "`NAMES` only threads of these names")
	set.Int32SliceVar(&o.PIDs, "pid", nil, "`LIST` only threads of these processes")
	set.Int32SliceVar(&o.TIDs, "tid", nil, "`LIST` only these threads")
	set.StringSliceVarP(&o.Symbols, "symbols", "S", nil, "`NAMES` only samples in these functions")
	set.StringSliceVar(&o.Modules, "dsos", nil, "`FILES` only samples in these programs and libraries")
	set.StringVar(&o.Times, "time", "", "`TIMES` only these times: BEGIN,END or 10%-20%")
	set.BoolVar(&o.Relative, "reltime", false, "print times since the first line")
	set.BoolVar(&o.Delta, "deltatime", false, "print times since the previous line")
	set.BoolVarP(&o.Latency, "Latency", "L", false, "print as latency tracers do: short names")
	set.BoolVarP(&f.noCall, "hide-call-graph", "G", false, "print no call chains")
	set.IntVar(&o.MaxStack, "max-stack", perf.DefaultMaxStack, "`N` print at most N frames")
	set.StringSliceVar(&o.StopAt, "stop-bt", nil, "`NAMES` end call chains after these functions")
	for i, s := range perfSides {
		set.BoolVar(&f.shown[i], "show-"+s.name+"-events", false, "print records "+s.what)
	}
	f.header.define(set)
	f.in.defineLike(set)
	set.String("kallsyms", "", "read the symbols of the kernel from `FILE`")
	set.String("symfs", "", "look for programs and libraries below `DIR`")
	set.BoolVar(&f.mangled, "no-demangle", false, "print names as in the symbol table")
	completeFrom(cmd, "event", ofReport, (*selection.Catalog).Patterns)
	completeFrom(cmd, "cpu", ofReport, cpusOf)
	for name, empty := range map[string]func(){
		"cpu": func() { o.CPUs = nil }, "comms": func() { f.comms = nil }, "pid": func() { o.PIDs = nil },
		"tid": func() { o.TIDs = nil }, "symbols": func() { o.Symbols = nil }, "dsos": func() { o.Modules = nil },
		"stop-bt": func() { o.StopAt = nil },
	} {
		flag := set.Lookup(name)
		flag.Value, flag.DefValue = lastOf{flag.Value, empty}, ""
	}
	neverEmpty(set, "fields", "event", "comms", "pid", "tid", "symbols", "dsos", "stop-bt", "time")
	notOfPerf(set)
}

// lastOf is the list of an option of perf. If the option is repeated, only the last list counts.
type lastOf struct {
	pflag.Value
	empty func()
}

func (v lastOf) Set(text string) error {
	v.empty()
	return v.Value.Set(text)
}

func (f *perfFlags) script(cmd *cobra.Command, args []string) error {
	if err := notSupported(cmd); err != nil {
		return err
	}
	if err := f.finish(); err != nil {
		return err
	}
	return f.in.run(cmd, args, func(ctx context.Context, job *report.Job) error {
		if f.header.only {
			return perf.PrintHeader(ctx, job, f.in.like, f.opts.Header)
		}
		if f.mangled {
			job.Opening.Demangle = "no"
		}
		return perf.Script(ctx, job, &f.opts)
	})
}

// finish sets values that depend on several options.
func (f *perfFlags) finish() error {
	o := &f.opts
	o.Header, o.Comms = f.header.text(), f.comms
	if o.MaxStack < 0 {
		return usagef("--max-stack: want a number of at least 0")
	}
	if f.noCall {
		o.MaxStack = perf.NoChains
	}
	o.Like = f.in.like
	for i, s := range perfSides {
		if f.shown[i] {
			o.Sides |= s.sides
		}
	}
	if o.Relative && o.Delta {
		return usagef("--reltime, --deltatime: use only one of them")
	}
	return nil
}

// perfWithout lists options of perf script that have no effect here, or are rejected with a reason.
var perfWithout = []struct{ name, short, why string }{
	{"force", "f", ""}, {"no-inline", "", ""}, {"all-cpus", "a", ""},
	{"verbose", "v", "perf's messages about itself are not printed"},
	{"inline", "", "inlined functions are not printed"},
	{"show-round-events", "", "records are sorted by time, and rounds have no time"},
	{"xed", "", "the code of programs is not read"},
	{"insn-trace", "", "traces of processors are not decoded"},
	{"call-trace", "", "traces of processors are not decoded"},
	{"call-ret-trace", "", "traces of processors are not decoded"},
	{"itrace", "", "traces of processors are not decoded"},
	{"dump-raw-trace", "D", "tracec textdump prints records"},
	{"per-event-dump", "", "-e selects the events of a text"},
}

// notOfPerf defines options that have no effect, or are rejected with a reason.
func notOfPerf(set *pflag.FlagSet) {
	for _, o := range perfWithout {
		set.BoolP(o.name, o.short, false, "accepted and ignored, as in perf")
		set.Lookup(o.name).Hidden = true
	}
}

// notSupported returns an error for a rejected option.
func notSupported(cmd *cobra.Command) error {
	for _, o := range perfWithout {
		if o.why != "" && cmd.Flags().Changed(o.name) {
			return usagef("--%s is not supported: %s", o.name, o.why)
		}
	}
	return nil
}
