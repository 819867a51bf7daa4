package command

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report/uftrace/about"
	"github.com/tracec/tracec/report/uftrace/dump"
	"github.com/tracec/tracec/report/uftrace/export"
	"github.com/tracec/tracec/report/uftrace/replay"
	"github.com/tracec/tracec/report/uftrace/summary"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// uftraceFlags are the options of uftrace. As in uftrace, every command accepts all of them and
// ignores options of other commands. So an alias or a file of options works for all commands.
type uftraceFlags struct {
	words    uftraceWords
	opening  uftraceOpening
	terminal uftraceTerminal
	play     callstack.Options
	times    uftraceTimes
	columns  uftraceColumns

	// Each command completes its own options.
	replay  replay.Options
	summary summary.Options
	dump    dump.Options
	export  export.Options
	formats uftraceFormats
	about   about.Options
}

// uftraceWords holds the flags and the state of parsing.
type uftraceWords struct {
	set    *pflag.FlagSet
	names  map[string]pflag.NormalizedName // full names, by abbreviation
	inFile bool                            // --opt-file is being read
}

// uftraceOpening holds the options for opening a recording.
type uftraceOpening struct {
	data, symbols, like string
	demangle            string // a form of names, as in report.OpenOptions
}

// uftraceTerminal holds the options for output to a terminal.
type uftraceTerminal struct {
	color   string
	noPager bool
}

// uftraceTimes holds facts for messages about -t and -r.
type uftraceTimes struct {
	recorded  string // -t of default.opts, if used
	overruled string // the option, -t or -r, that the other one overrules
}

// uftraceColumns holds options of lines that several commands share.
type uftraceColumns struct {
	fields                string
	noArgs, srcLine, task bool
}

// uftraceFormats are the formats of dump other than text.
type uftraceFormats struct{ chrome, flame, graphviz, mermaid bool }

// option defines a flag with an argument.
func (u *uftraceFlags) option(name, short, kind, usage string, do func(string) error) {
	u.words.set.VarP(&action{do: do, kind: kind}, name, short, usage)
}

// choice defines a flag that takes one of several words. Some words have aliases.
func (u *uftraceFlags) choice(name, kind string, words []string, usage string, do func(string) error) {
	u.words.set.Var(&action{do, kind, words}, name, usage)
}

// formatNames are the values of --format: csv belongs to report, the last four belong to dump.
var formatNames = []string{"normal", "csv", "chrome", "flame-graph", "graphviz", "mermaid"}

// sortBy sets the value of -s. As in uftrace, several lists are ignored.
func (u *uftraceFlags) sortBy(list string) error {
	if u.summary.Table.Sort != "" {
		list = u.summary.Table.Sort + ";" + list
	}
	u.summary.Table.Sort = list
	return nil
}

// list defines a flag that may be given several times.
func (u *uftraceFlags) list(to *[]string, name, short, kind, usage string) {
	u.option(name, short, kind, usage, func(s string) error {
		*to = append(*to, s)
		return nil
	})
}

// define declares the options of all commands.
func (u *uftraceFlags) define(set *pflag.FlagSet) {
	u.words.set, u.words.names = set, map[string]pflag.NormalizedName{}
	set.SortFlags = false
	u.summary.Diff.SortColumn = -1
	u.common()
	u.filters()
	u.kernel()
	u.replays()
	u.reports()
	u.dumps()
	u.recorders()
}

func (u *uftraceFlags) common() {
	u.words.set.StringVarP(&u.opening.data, "data", "d", "", "`DIR` recording (default uftrace.data, . or ftrace.dir)")
	u.choice("like", "VERSION", []string{"0.13", "0.19"}, "print as uftrace 0.13 or 0.19 (default the recorder's)",
		u.likeOf)
	u.option("opt-file", "", "FILE", "also read options from FILE", u.readOptFile)
	u.words.set.StringVar(&u.opening.symbols, "with-syms", "", "read symbol files from `DIR`")
	u.choice("color", "WHEN", []string{"auto", "yes", "no"}, "colour: auto, yes or no", u.colorOf)
	u.words.set.BoolVar(&u.terminal.noPager, "no-pager", false, "use no pager on a terminal")
	u.choice("demangle", "FORM", []string{"simple", "full", "no"}, "names of C++ and Rust: simple, full or no",
		u.demangle)
	u.words.set.BoolVarP(&u.dump.Debug, "debug", "v", false, "dump: also show the bytes of every record")
	u.words.set.Bool("verbose", false, "accepted and ignored")
	u.words.set.String("logfile", "", "accepted and ignored: messages go to standard error")
	u.words.set.String("debug-domain", "", "accepted and ignored")
	for _, name := range []string{"verbose", "logfile", "debug-domain"} {
		u.words.set.Lookup(name).Hidden = true
	}
}

func (u *uftraceFlags) filters() {
	f, limits, events := &u.play.Functions, &u.play.Limits, &u.play.Events
	u.list(&f.Filters, "filter", "F", "PATTERN", "only these functions and their callees")
	u.option("notrace", "N", "PATTERN", "leave out these functions and their callees", u.notrace)
	u.list(&f.Callers, "caller-filter", "C", "PATTERN", "only these functions and their callers")
	u.list(&f.Hide, "hide", "H", "PATTERN", "leave out these functions, but not their callees")
	u.list(&f.Locs, "loc-filter", "L", "FILE", "only functions of this source file")
	u.list(&f.Triggers, "trigger", "T", "TRIGGER", "run actions at a function, see tracec uftrace --help")
	u.choice("match", "FORM", []string{"regex", "glob", "simple"}, "patterns are regex, glob or simple names",
		u.matchOf)
	u.option("depth", "D", "N", "only N levels of calls", u.number(&limits.Depth, 1))
	u.option("time-filter", "t", "TIME", "only calls of at least TIME: 500 (ns), 2us, 1.5ms", u.timeFilter)
	u.option("size-filter", "Z", "SIZE", "only functions of at least SIZE bytes", u.sizeFilter)
	u.option("time-range", "r", "FROM~TO", "only this part: 2416.28~2416.29, or 2us~20us from the start", u.timeRange)
	u.option("tid", "", "LIST", "only these threads", u.tids)
	u.words.set.BoolVar(&f.Disable, "disable", false, "show nothing before a trace_on trigger")
	u.choice("trace", "STATE", []string{"on", "off"}, "on, or off as --disable", u.traceOf)
	u.words.set.BoolVar(&f.NoLibcall, "no-libcall", false, "leave out calls of libraries")
	u.words.set.BoolVar(&events.None, "no-event", false, "leave out events")
	u.words.set.BoolVar(&events.NoSched, "no-sched", false, "leave out events of the scheduler")
	u.words.set.BoolVar(&events.NoSchedPreempt, "no-sched-preempt", false, "leave out preemptions")
	u.words.set.BoolVar(&events.Full, "event-full", false, "also show events outside of functions")
}

func (u *uftraceFlags) kernel() {
	o := &u.play.Kernel
	u.words.set.BoolVar(&o.Full, "kernel-full", false, "also show kernel functions outside of program functions")
	u.words.set.BoolVar(&o.Only, "kernel-only", false, "only kernel functions")
	u.words.set.BoolVar(&u.summary.KernelSkipOut, "kernel-skip-out", false,
		"leave out kernel functions outside of program functions")
	u.option("kernel-depth", "K", "N", "accepted and ignored: the recording decides the depth", u.number(new(int), 1))
	u.words.set.BoolP("kernel", "k", false, "accepted and ignored: recorded functions are shown")
}

func (u *uftraceFlags) replays() {
	layout, text := &u.replay.Layout, &u.replay.Text
	u.words.set.StringVarP(&u.columns.fields, "output-fields", "f", "",
		"replay, report, graph: print columns `LIST`; +NAME adds one")
	u.words.set.BoolVar(&layout.NoMerge, "no-merge", false, "replay: also print the return of leaf functions")
	u.words.set.BoolVar(&layout.Flat, "flat", false, "replay: print no tree")
	u.words.set.BoolVar(&layout.ColumnView, "column-view", false, "replay: print each thread in its own column")
	u.option("column-offset", "", "N", "replay: width of these columns, at most 256 (default 8)",
		u.numberTo(&layout.ColumnOffset, 0, maxColumnOffset))
	u.words.set.BoolVar(&layout.TaskNewline, "task-newline", false,
		"replay: print an empty line where the thread changes")
	u.words.set.BoolVar(&text.NoComment, "no-comment", false, "replay: print no names after closing braces")
	u.words.set.BoolVar(&u.columns.noArgs, "no-args", false, "replay, dump: print no arguments and return values")
	u.words.set.BoolVar(&text.LibName, "libname", false, "replay: print the library of library calls")
	u.words.set.BoolVar(&text.NoCallsite, "no-callsite", false, "replay: print no call sites")
	u.words.set.BoolVar(&u.columns.srcLine, "srcline", false,
		"replay, report, graph, dump: print source files and lines")
}

func (u *uftraceFlags) reports() {
	u.option("sort", "s", "LIST", "report: order by `LIST`, such as self,call", u.sortBy)
	u.words.set.BoolVar(&u.summary.Table.AvgTotal, "avg-total", false,
		"report: print average, minimum and maximum total times")
	u.words.set.BoolVar(&u.summary.Table.AvgSelf, "avg-self", false,
		"report: print average, minimum and maximum self times")
	u.words.set.BoolVar(&u.columns.task, "task", false, "report, graph, info: print threads instead of functions")
	u.words.set.StringVar(&u.summary.Diff.Dir, "diff", "", "report: print differences from the recording `DIR`")
	u.words.set.StringVar(&u.summary.Diff.Policy, "diff-policy", "",
		"`LIST` report: abs, compact, percent, full, no-abs, no-percent")
	u.option("sort-column", "", "N", "report: order differences by this column",
		u.number(&u.summary.Diff.SortColumn, 0))
	u.choice("format", "FORMAT", formatNames, "report, dump: normal, csv, chrome, flame-graph or others", u.formatOf)
	u.words.set.BoolVar(&u.about.System, "system", false, "info: print the system instead of the process")
	u.words.set.BoolVar(&u.about.Symbols, "symbols", false, "info: list the symbols")
}

func (u *uftraceFlags) dumps() {
	u.words.set.BoolVar(&u.formats.chrome, "chrome", false, "dump: print JSON for the trace viewer of Chrome")
	u.words.set.BoolVar(&u.formats.flame, "flame-graph", false, "dump: print folded stacks for flame graphs")
	u.words.set.BoolVar(&u.formats.graphviz, "graphviz", false, "dump: print the graph of calls for dot")
	u.words.set.BoolVar(&u.formats.mermaid, "mermaid", false, "dump: print the graph of calls as a web page")
	u.option("sample-time", "", "TIME", "dump: time of one sample of --flame-graph", u.durationOf(&u.export.Sample))
	u.words.set.BoolVar(&u.export.Exact, "exact", false, "dump: show preemptions and large counts correctly")
}

// recorders declares options for functions that are missing here: recording, live, recv, script,
// tui. They are rejected, since a user would otherwise believe that they have an effect.
func (u *uftraceFlags) recorders() {
	withValue := "argument/A buffer/b clock/ Event/E host/ kernel-buffer/ libmcount-path/ max-stack/ num-thread/ patch/P unpatch/U " +
		"pid/p port/ rt-prio/ run-cmd/ retval/R signal/ script/S watch/W"
	without := "auto-args/a estimate-return/e force/ agent/g keep-pid/ libmcount-single/ list-event/ nest-libcall/l no-pltbind/ " +
		"no-randomize-addr/ nop/ record/ report/ time/"
	for i, list := range []string{withValue, without} {
		for _, o := range strings.Fields(list) {
			name, short, _ := strings.Cut(o, "/")
			refuse := func(string) error {
				if u.words.inFile { // a file of options may be for both programs
					return nil
				}
				return usagef("this option is for uftrace record; tracec reads recordings")
			}
			f := u.words.set.VarPF(&action{do: refuse, kind: "value"}, name, short, "not supported")
			f.Hidden = true
			if i == 1 {
				f.NoOptDefVal = "true"
			}
		}
	}
}

// abbreviate allows unique abbreviations of long options, as getopt_long does. It looks up the
// options of uftrace, because the flag set of the command is filled one by one.
func (u *uftraceFlags) abbreviate(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	if full, ok := u.words.names[name]; ok { // cobra looks up each option for every command that inherits it
		return full
	}
	full := u.complete(name)
	u.words.names[name] = full
	return full
}

func (u *uftraceFlags) complete(name string) pflag.NormalizedName {
	full, several := "", false
	exact := name == "help"
	u.words.set.VisitAll(func(f *pflag.Flag) {
		exact = exact || f.Name == name
		ours := f.Name == "like" || f.Name == "exact" || f.Annotations[blockOf] != nil
		if strings.HasPrefix(f.Name, name) && !ours { // tracec's own options cannot be abbreviated
			several = several || full != ""
			full = f.Name
		}
	})
	if exact || several || full == "" {
		return pflag.NormalizedName(name)
	}
	return pflag.NormalizedName(full)
}
