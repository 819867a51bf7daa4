package command

import (
	"maps"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// Options that several commands share come in blocks. A command has a whole block or none of its
// options, so that an option means the same everywhere. Help prints options by block.
const (
	selectBlock    = "select"    // select events
	rowsBlock      = "rows"      // select rows of a derived table
	recordingBlock = "recording" // how to open a recording
	outputBlock    = "output"    // how to print
	resourceBlock  = "resources" // limits of memory and processors
)

// blockOf is the annotation of a flag with its block.
const blockOf = "block"

// defineBlock defines the flags of a block.
func defineBlock(f *pflag.FlagSet, block string, define func(*pflag.FlagSet)) {
	set := pflag.NewFlagSet(block, pflag.ContinueOnError)
	set.SortFlags = false
	define(set)
	set.VisitAll(func(flag *pflag.Flag) {
		if flag.Annotations == nil {
			flag.Annotations = map[string][]string{}
		}
		flag.Annotations[blockOf] = []string{block}
		f.AddFlag(flag)
	})
}

// ChooseFlags defines the blocks of commands that open recordings and select events.
func ChooseFlags(cmd *cobra.Command, o *report.Options) {
	defineBlock(cmd.Flags(), selectBlock, func(f *pflag.FlagSet) {
		eventFlag(f, &o.Events)
		filterFlag(f, o)
		f.Var(cpuFlag{&o.CPUs}, "cpu", cpuUsage)
		f.StringSliceVarP(&o.Tasks, "pid", "p", nil, pidUsage)
		timeFlags(f, o)
		neverEmpty(f, "pid")
	})
	completeChoice(cmd)
	RecordingFlags(cmd)
}

// RowOptions select rows of a derived table.
type RowOptions struct {
	Choice  report.Options // processors and times
	Filters []string       // conditions on columns
	Tasks   []string       // threads, by id or name
}

// RowFlags defines the blocks of commands that open recordings and select rows of derived tables.
func RowFlags(cmd *cobra.Command, o *RowOptions) {
	defineBlock(cmd.Flags(), rowsBlock, func(f *pflag.FlagSet) {
		f.StringArrayVarP(&o.Filters, "filter", "F", nil, "only rows that pass the `FILTER`: 'dur > 1000000'")
		f.Var(cpuFlag{&o.Choice.CPUs}, "cpu", cpuUsage)
		f.StringSliceVarP(&o.Tasks, "pid", "p", nil, pidUsage)
		timeFlags(f, &o.Choice)
		neverEmpty(f, "pid")
	})
	RecordingFlags(cmd)
}

// Sentences of options that several commands define.
const (
	cpuUsage = "`LIST` only these CPUs, such as 0,2-3"
	pidUsage = "`LIST` only these threads, by id or name"
)

// eventFlag defines the option that selects events by name.
func eventFlag(f *pflag.FlagSet, to *[]string) {
	f.StringSliceVarP(to, "event", "e", nil, "`GLOBS` only these events, such as 'sched:*,sys_enter_*'")
	neverEmpty(f, "event")
}

// filterFlag defines the option that selects events by field values.
func filterFlag(f *pflag.FlagSet, o *report.Options) {
	f.StringArrayVarP(&o.Filters, "filter", "F", nil, "`FILTER` only events that pass: 'sched_switch: prev_prio < 100'")
}

// timeFlags defines the options that select by time.
func timeFlags(f *pflag.FlagSet, o *report.Options) {
	f.StringVar(&o.Since, "since", "", "`TIME` only events since this time: 12.5, +0.5s or -1s")
	f.StringVar(&o.Until, "until", "", "`TIME` only events before this time")
	f.StringVar(&o.Last, "last", "", "`TIME` only the end of the recording, such as 1s")
	neverEmpty(f, "since", "until", "last")
}

// RecordingFlags defines the blocks of commands that open recordings. NewJob reads them.
func RecordingFlags(cmd *cobra.Command) {
	openFlags(cmd)
	resourceFlags(cmd)
}

// openFlags defines the options of opening a recording.
func openFlags(cmd *cobra.Command) {
	defineBlock(cmd.Flags(), recordingBlock, func(f *pflag.FlagSet) {
		f.StringArrayP("template", "t", nil, "AIX: read templates from `FILE`")
		f.String("layouts", "", "AIX: read places of threads in hooks from `FILE`")
		f.StringArray("rule", nil, "`NAME=VALUE` AIX: set a rule that is not published")
		f.Var(oneOf{new(string), []string{"auto", "seed"}}, "dialect", "`NAME` LTTng 0.x: auto or seed")
		f.String("eventdefs", "", "LTTng 0.7, 0.8: read the XML descriptions in `DIR`")
		f.String("formats", "", "ftrace: FILE is raw data of one CPU, described in `DIR`")
		f.Int("formats-cpu", -1, "`N` ftrace: number of the CPU of --formats")
		f.Lookup("formats-cpu").DefValue = "0" // no default: the path of FILE determines it
		OnlyWith(f, "formats-cpu", "formats")
		alias(f, "processor", "formats-cpu")
		f.Var(oneOf{new(string), []string{"simple", "full", "no"}}, "demangle",
			"`FORM` uftrace, perf: names of C++ and Rust: simple, full or no")
		f.String("kallsyms", "", "perf: read the symbols of the kernel from `FILE`")
		f.String("symfs", "", "perf: look for programs and libraries below `DIR`")
	})
}

// openOptions returns the options for opening a recording. Options that the command lacks are
// empty.
func openOptions(cmd *cobra.Command) sources.Options {
	f := cmd.Flags()
	var o sources.Options
	o.Templates, _ = f.GetStringArray("template")
	o.Rules, _ = f.GetStringArray("rule")
	for name, to := range map[string]*string{
		"layouts": &o.Layouts, "dialect": &o.Dialect, "eventdefs": &o.EventDefs, "formats": &o.Formats,
		"demangle": &o.Demangle,
		"kallsyms": &o.Kallsyms, "symfs": &o.Symfs,
	} {
		if flag := f.Lookup(name); flag != nil {
			*to = flag.Value.String()
		}
	}
	if n, err := f.GetInt("formats-cpu"); err == nil && n >= 0 {
		o.FormatsCPU = &n
	}
	return o
}

// resourceFlags defines the options that limit the memory and processors of a command.
func resourceFlags(cmd *cobra.Command) {
	defineBlock(cmd.Flags(), resourceBlock, func(f *pflag.FlagSet) {
		f.VarP(new(jobCount), "jobs", "j", jobsUsage)
		f.Var(newMemorySize(), "memory", memoryUsage)
	})
}

// nativeResources defines the same options for commands with the options of another tool. They have
// no short forms, since the tool has its own short options.
func nativeResources(f *pflag.FlagSet) {
	defineBlock(f, resourceBlock, func(f *pflag.FlagSet) {
		f.Var(new(jobCount), "jobs", jobsUsage)
		f.Var(newMemorySize(), "memory", memoryUsage)
	})
}

// aliasOf is the annotation of a flag that is the old name of another.
const aliasOf = "alias"

// alias defines a hidden flag that is the old name of another.
func alias(f *pflag.FlagSet, old, name string) {
	flag := *f.Lookup(name)
	flag.Name, flag.Shorthand, flag.Hidden = old, "", true
	flag.Annotations = maps.Clone(flag.Annotations)
	f.AddFlag(&flag)
	f.SetAnnotation(old, aliasOf, []string{name})
}
