package command

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
)

// Options that several commands have come in blocks. A command has a block whole or not at all, so that an option means
// the same wherever it is. Helps print options by block.
const (
	selectBlock    = "select"    // which events
	recordingBlock = "recording" // how a recording is opened
	outputBlock    = "output"    // how something is printed
	resourceBlock  = "resources" // what the work may take
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

// chooseFlags defines the blocks of commands that open recordings and choose events.
func chooseFlags(cmd *cobra.Command, o *report.Options) {
	defineBlock(cmd.Flags(), selectBlock, func(f *pflag.FlagSet) {
		eventFlag(f, o)
		filterFlag(f, o)
		f.Var(cpuFlag{&o.CPUs}, "cpu", "only these CPUs: `LIST` such as 0,2-3")
		f.StringSliceVarP(&o.Tasks, "pid", "p", nil, "only these threads: `LIST` of ids or names")
		f.StringVar(&o.Since, "since", "", "only from this `TIME` on")
		f.StringVar(&o.Until, "until", "", "only before this `TIME`")
		neverEmpty(f, "pid", "since", "until")
	})
	completeChoice(cmd)
	recordingFlags(cmd)
}

// eventFlag defines the option that chooses by names.
func eventFlag(f *pflag.FlagSet, o *report.Options) {
	f.StringSliceVarP(&o.Events, "event", "e", nil, "only these events: `GLOBS` such as 'sched:*,sys_enter_*'")
	neverEmpty(f, "event")
}

// filterFlag defines the option that chooses by the values of fields.
func filterFlag(f *pflag.FlagSet, o *report.Options) {
	f.StringArrayVarP(&o.Filters, "filter", "F", nil, "only events that pass `FILTER`: 'sched_switch: prev_prio < 100'")
}

// recordingFlags defines the blocks of commands that open recordings: newJob reads them.
func recordingFlags(cmd *cobra.Command) {
	openFlags(cmd)
	resourceFlags(cmd)
}

// openFlags defines the options of opening a recording.
func openFlags(cmd *cobra.Command) {
	defineBlock(cmd.Flags(), recordingBlock, func(f *pflag.FlagSet) {
		f.StringArrayP("template", "t", nil, "AIX: read templates from `FILE`")
		f.String("layouts", "", "AIX: read from `FILE` where hooks hold threads, processes")
		f.StringArray("rule", nil, "AIX: decide what is not published: `NAME=VALUE`")
		f.Var(oneOf{new(string), []string{"auto", "seed"}}, "dialect", "LTTng 0.x: read it as `NAME`: auto or seed")
		f.String("eventdefs", "", "LTTng 0.7, 0.8: read the XML descriptions in `DIR`")
		f.String("formats", "", "ftrace: FILE is raw data of one CPU, described in `DIR`")
		f.Int("formats-cpu", -1, "ftrace: `N` is the number of that CPU")
		f.Lookup("formats-cpu").DefValue = "0" // none: the path of FILE says it
		alias(f, "processor", "formats-cpu")
		f.Var(oneOf{new(string), []string{"simple", "full", "no"}}, "demangle", "uftrace: names of C++ and Rust in `FORM`: simple, full or no")
	})
}

// openOptions returns how a command opens recordings. Options that it lacks have no value.
func openOptions(cmd *cobra.Command) report.OpenOptions {
	f := cmd.Flags()
	o := report.OpenOptions{FormatsCPU: -1}
	o.Templates, _ = f.GetStringArray("template")
	o.Rules, _ = f.GetStringArray("rule")
	for name, to := range map[string]*string{
		"layouts": &o.Layouts, "dialect": &o.Dialect, "eventdefs": &o.EventDefs, "formats": &o.Formats, "demangle": &o.Demangle,
	} {
		if flag := f.Lookup(name); flag != nil {
			*to = flag.Value.String()
		}
	}
	if n, err := f.GetInt("formats-cpu"); err == nil {
		o.FormatsCPU = n
	}
	return o
}

// checkOpen finds options of opening that need another one.
func checkOpen(cmd *cobra.Command) error {
	f := cmd.Flags()
	if (f.Changed("formats-cpu") || f.Changed("processor")) && !f.Changed("formats") {
		return usagef("--formats-cpu: only with --formats")
	}
	return nil
}

// What commands have of the block of output beside --color and --quiet.
const (
	limitPart = "limit"
	jsonPart  = "json"
)

// outputFlags defines the block of how a command prints, with those of limitPart and jsonPart that it has.
func outputFlags(cmd *cobra.Command, parts ...string) {
	defineBlock(cmd.Flags(), outputBlock, func(f *pflag.FlagSet) {
		for _, part := range parts {
			switch part {
			case limitPart:
				f.VarP(new(rowCount), "limit", "n", "stop after `N` lines")
			case jsonPart:
				jsonFlag(f)
			}
		}
		colorFlag(f)
		f.BoolP("quiet", "q", false, "print no progress and no notes")
	})
	completeColor(cmd)
}

// nativeOutput defines what commands with the options of another tool, which has none for colours, have of that block.
func nativeOutput(cmd *cobra.Command) {
	defineBlock(cmd.Flags(), outputBlock, colorFlag)
	completeColor(cmd)
}

func jsonFlag(f *pflag.FlagSet) { f.Bool("json", false, "print JSON: tracec help json") }

func colorFlag(f *pflag.FlagSet) {
	f.Var(colorWhen{oneOf{new(string), style.When}}, "color", "colour: auto, always or never")
	f.Lookup("color").DefValue = "auto"
}

// colorWhen is the value of --color of the block.
type colorWhen struct{ oneOf }

// Type implements pflag.Value.
func (colorWhen) Type() string { return "WHEN" }

func completeColor(cmd *cobra.Command) {
	cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions(style.When, cobra.ShellCompDirectiveNoFileComp))
}

// colors returns the style of what a command prints.
func colors(cmd *cobra.Command) style.Style { return colorsOf(cmd, cmd.OutOrStdout()) }

// colorsOf returns the style of what it prints to out.
func colorsOf(cmd *cobra.Command, out io.Writer) style.Style {
	when := "never" // without the block
	if f := cmd.Flag("color"); f != nil {
		if _, ok := f.Value.(colorWhen); ok { // that of uftrace is another
			when = f.Value.String()
		}
	}
	if o, ok := out.(*output); ok {
		out = o.Writer
	}
	return style.Of(out, when)
}

// quiet reports whether a command prints results and errors alone.
func quiet(cmd *cobra.Command) bool {
	is, err := cmd.Flags().GetBool("quiet")
	return err == nil && is
}

// asJSON reports whether a command prints JSON.
func asJSON(cmd *cobra.Command) bool {
	is, err := cmd.Flags().GetBool("json")
	return err == nil && is
}

// rowCount is the value of --limit.
type rowCount int64

// String implements pflag.Value. No value is no limit.
func (n *rowCount) String() string {
	if *n <= 0 {
		return ""
	}
	return strconv.FormatInt(int64(*n), 10)
}

// Type implements pflag.Value.
func (*rowCount) Type() string { return "int" }

// Set implements pflag.Value.
func (n *rowCount) Set(text string) error {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a number of lines", text)
	}
	*n = rowCount(v)
	return nil
}

// limit returns the value of --limit, 0 for none. Said is false when the option was not given.
func limit(cmd *cobra.Command) (n int64, said bool) {
	f := cmd.Flag("limit")
	if f == nil {
		return 0, false
	}
	if v, ok := f.Value.(*rowCount); ok {
		return int64(*v), f.Changed
	}
	return 0, false
}

// resourceFlags defines the options that bound what the work takes.
func resourceFlags(cmd *cobra.Command) {
	defineBlock(cmd.Flags(), resourceBlock, func(f *pflag.FlagSet) {
		f.VarP(new(jobCount), "jobs", "j", jobsUsage)
		f.Var(newMemorySize(), "memory", memoryUsage)
	})
}

// nativeResources defines the same for commands that take the options of another tool, which has its own short ones.
func nativeResources(f *pflag.FlagSet) {
	defineBlock(f, resourceBlock, func(f *pflag.FlagSet) {
		f.Var(new(jobCount), "jobs", jobsUsage)
		f.Var(newMemorySize(), "memory", memoryUsage)
	})
}

// alias defines a hidden flag that is the old name of another.
func alias(f *pflag.FlagSet, old, name string) {
	flag := *f.Lookup(name)
	flag.Name, flag.Shorthand, flag.Hidden = old, "", true
	f.AddFlag(&flag)
}
