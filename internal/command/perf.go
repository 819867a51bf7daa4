package command

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/perf"
)

func newPerf() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "perf",
		Args: subcommand,
		RunE: briefly,
	}
	nativeResources(cmd.PersistentFlags())
	cmd.AddCommand(newPerfScript(), newPerfEvlist(), newPerfReport())
	return cmd
}

// perfInput is the recording of a command of perf, and the version that it prints like.
type perfInput struct {
	file string
	like string
}

func (f *perfInput) define(set *pflag.FlagSet) {
	set.SortFlags = false
	set.StringVarP(&f.file, "input", "i", "", "`FILE` read this recording, else perf.data")
	neverEmpty(set, "input")
}

func (f *perfInput) defineLike(set *pflag.FlagSet) {
	set.StringVar(&f.like, "like", "", "`VERSION` print as perf 6.1, 6.12 or 7.2; else as the recorder")
}

// run runs do with the recording.
func (f *perfInput) run(cmd *cobra.Command, args []string, do func(context.Context, *report.Job) error) error {
	path := cmp.Or(f.file, "perf.data")
	switch {
	case len(args) > 1:
		return usagef("one recording at a time, not %d: %s", len(args), strings.Join(args, " "))
	case len(args) == 1 && f.file != "":
		return usagef("%s and -i %s: which recording?", args[0], f.file)
	case len(args) == 1:
		path = args[0]
	}
	switch f.like {
	case "", "6.1", "6.12", "7.2":
	default:
		return usagef("--like: %q is not 6.1, 6.12 or 7.2", f.like)
	}
	return Work(cmd, path, func(ctx context.Context, job *report.Job) error {
		job.Sources = []*sources.Source{sources.Perf()}
		defer watch(cmd, job)()
		return do(ctx, job)
	})
}

func newPerfEvlist() *cobra.Command {
	var in perfInput
	var verbose bool
	cmd := &cobra.Command{
		Use: "evlist",
		RunE: func(cmd *cobra.Command, args []string) error {
			return in.run(cmd, args, func(ctx context.Context, job *report.Job) error {
				return perf.Evlist(ctx, job, in.like, verbose)
			})
		},
	}
	in.define(cmd.Flags())
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print all attributes of the events")
	in.defineLike(cmd.Flags())
	nativeOutput(cmd)
	return cmd
}

func newPerfReport() *cobra.Command {
	var in perfInput
	var stats bool
	cmd := &cobra.Command{
		Use: "report",
		RunE: func(cmd *cobra.Command, args []string) error {
			if !stats {
				return usagef("only --stats is here: tracec export --to pprof, tracec open and tracec view show profiles")
			}
			return in.run(cmd, args, func(ctx context.Context, job *report.Job) error {
				return perf.Stats(ctx, job, in.like)
			})
		},
	}
	in.define(cmd.Flags())
	cmd.Flags().BoolVar(&stats, "stats", false, "print how many records there are of each type and event")
	in.defineLike(cmd.Flags())
	nativeOutput(cmd)
	return cmd
}

// perfFlags are the options of perf script that need a second look.
type perfFlags struct {
	in     perfInput
	opts   perf.Options
	times  string // BEGIN,END
	comms  []string
	noCall bool
	// mangled prints names as in the symbol table.
	mangled bool
	shown   []bool // by perfSides
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
	set.StringArrayVarP(&o.Fields, "fields", "F", nil, "`LIST` print comm,tid,time,event,trace,ip,sym …; +NAME, -NAME")
	set.BoolVar(&o.Nanoseconds, "ns", false, "print nanoseconds")
	set.StringSliceVarP(&o.Events, "event", "e", nil, "`GLOBS` only these events: sched:*")
	set.StringArrayVar(&o.Filters, "filter", nil, "`FILTER` only events that pass: 'sched_switch: prev_prio < 100'")
	set.VarP(cpuFlag{&o.CPUs}, "cpu", "C", cpuUsage)
	set.StringSliceVarP(&f.comms, "comms", "c", nil, "`NAMES` only threads of these names")
	set.Int32SliceVar(&o.PIDs, "pid", nil, "`LIST` only threads of these processes")
	set.Int32SliceVar(&o.TIDs, "tid", nil, "`LIST` only these threads")
	set.StringVar(&f.times, "time", "", "`BEGIN,END` only between these times, in seconds")
	set.BoolVarP(&f.noCall, "hide-call-graph", "G", false, "print no call chains")
	set.IntVar(&o.MaxStack, "max-stack", perf.DefaultMaxStack, "`N` print so many frames of call chains")
	for i, s := range perfSides {
		set.BoolVar(&f.shown[i], "show-"+s.name+"-events", false, "print records "+s.what)
	}
	f.in.defineLike(set)
	set.String("kallsyms", "", "read the symbols of the kernel from `FILE`")
	set.String("symfs", "", "look for programs and libraries below `DIR`")
	set.BoolVar(&f.mangled, "no-demangle", false, "print names of C++ and Rust as in the symbol table")
	completeFrom(cmd, "event", ofReport, (*selection.Catalog).Patterns)
	completeFrom(cmd, "cpu", ofReport, cpusOf)
	neverEmpty(set, "fields", "event", "comms", "pid", "tid", "time")
}

func (f *perfFlags) script(cmd *cobra.Command, args []string) error {
	if err := f.finish(); err != nil {
		return err
	}
	return f.in.run(cmd, args, func(ctx context.Context, job *report.Job) error {
		if f.mangled {
			job.Opening.Demangle = "no"
		}
		return perf.Script(ctx, job, &f.opts)
	})
}

// finish sets what follows from several options.
func (f *perfFlags) finish() error {
	o := &f.opts
	o.Comms = f.comms
	o.NoChains = f.noCall
	if o.MaxStack < 0 {
		return usagef("--max-stack: want a number that is not negative")
	}
	o.Like = f.in.like
	for i, s := range perfSides {
		if f.shown[i] {
			o.Sides |= s.sides
		}
	}
	if f.times != "" {
		begin, end, ok := strings.Cut(f.times, ",")
		if !ok {
			return usagef("--time: want BEGIN,END; one of them may be empty")
		}
		if o.Since, o.Until, ok = perfWindow(begin, end); !ok {
			return usagef("--time %s: the time ends before it begins", f.times)
		}
	}
	return nil
}

var perfSeconds = regexp.MustCompile(`^[0-9]{1,10}(?:\.[0-9]+)?$`)

// perfWindow returns --since and --until for the times of --time, and false where there is nothing
// between them. As in perf, a time is as exact as it is written, and the last one is included.
func perfWindow(begin, end string) (since, until string, ok bool) {
	exact := func(text string, more uint64) (string, uint64) {
		if !perfSeconds.MatchString(text) {
			return text, 0
		}
		whole, frac, _ := strings.Cut(text, ".")
		ns, _ := strconv.ParseUint(whole+(frac + "000000000")[:9], 10, 64) // 19 digits
		ns += more
		return fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9), ns
	}
	since, from := exact(begin, 0)
	until, to := exact(end, 1)
	return since, until, from == 0 || to == 0 || from < to
}
