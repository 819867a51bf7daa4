package command

import (
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/report/tracecmd"
)

// nativeFlags are the options of trace-cmd report. The meaning of some depends on earlier options:
// --ts-offset and -F apply to the preceding input, and -v to the filters after it. So options take
// effect as they are parsed.
type nativeFlags struct {
	opts   *tracecmd.Options
	negate bool
	set    *pflag.FlagSet

	profile bool
	sums    tracecmd.Profile
}

// action is a flag that calls a function.
type action struct {
	do    func(string) error
	kind  string
	words []string // accepted words of a closed list; otherwise nil
}

// Set implements pflag.Value. If a flag without an argument is set to false, it has no effect.
func (a *action) Set(s string) error {
	if a.kind == "bool" {
		if on, err := strconv.ParseBool(s); err != nil || !on {
			return err
		}
	}
	return a.do(s)
}

func (a *action) String() string { return "" }
func (a *action) Type() string   { return a.kind }

// option defines a flag with an argument. kind names the argument in the help.
func (n *nativeFlags) option(name, short, kind, usage string, do func(string) error) {
	n.set.VarP(&action{do: do, kind: kind}, name, short, usage)
}

// choice defines a flag that takes one of several words, or a similar version.
func (n *nativeFlags) choice(name, short, kind string, words []string, usage string, do func(string) error) {
	n.set.VarP(&action{do, kind, words}, name, short, usage)
}

// toggle defines a flag without an argument.
func (n *nativeFlags) toggle(name, short, usage string, do func() error) {
	f := n.set.VarPF(&action{do: func(string) error { return do() }, kind: "bool"}, name, short, usage)
	f.NoOptDefVal = "true"
}

// define declares all options. pflag requires a long name for each, even if trace-cmd only has a
// letter.
func (n *nativeFlags) define(set *pflag.FlagSet) {
	n.set = set
	set.SortFlags = false
	n.inputs()
	n.lists()
	n.texts()
	n.filters()
	n.times()
	n.profiles()
	n.others()
	set.SetNormalizeFunc(n.abbreviation)
}

func (n *nativeFlags) inputs() {
	o := n.opts
	n.option("input", "i", "FILE", "read FILE; may be given more than once", func(s string) error {
		o.Inputs = append(o.Inputs, tracecmd.Input{Path: s})
		return nil
	})
	n.option("cpu", "", "LIST", "only these CPUs, such as 0,2-3", cpuFlag{&o.CPUs}.Set)
}

func (n *nativeFlags) lists() {
	l := &n.opts.Lists
	n.set.BoolVarP(&l.PageSize, "page-size", "p", false, "show the page sizes of the file and of this machine")
	n.set.BoolVarP(&l.Endian, "endian", "e", false, "show the byte order of the file")
	n.set.BoolVarP(&l.Functions, "functions", "f", false, "list the functions of the kernel")
	n.set.BoolVarP(&l.Printk, "printk", "P", false, "list the constant strings of trace_printk()")
	n.set.BoolVarP(&l.EventNames, "event-names", "E", false, "list the names of the events in the file")
	n.set.BoolVar(&l.EventFormats, "events", false, "show the formats of the events in the file")
	n.option("event", "", "REGEX", "show formats of events whose name, system or both match", n.event)
	n.set.BoolVar(&l.CheckEvents, "check-events", false, "check that all events have a text")
	n.set.BoolVar(&l.CPUs, "cpus", false, "list the CPUs that have data")
	n.set.BoolVar(&l.FirstEvent, "first-event", false, "show the time of the first event of every CPU")
	n.set.BoolVar(&l.LastEvent, "last-event", false, "show the time of the last event of every CPU")
	n.set.BoolVar(&l.Stat, "stat", false, "show the statistics of the buffers")
	n.set.BoolVar(&l.Uname, "uname", false, "show the uname of the machine")
	n.set.BoolVar(&l.Version, "version", false, "show the version of the recorder")
}

func (n *nativeFlags) texts() {
	o := n.opts
	n.set.BoolVarP(&o.Raw, "raw", "R", false, "print fields instead of the texts of events")
	n.option("raw-event", "r", "REGEX", "print the fields of these events", regexes(&o.RawOf))
	n.set.BoolVarP(&o.Plain, "no-plugins", "N", false, "use no plugins")
	n.option("no-handler", "n", "REGEX", "use no plugins for these events", regexes(&o.PlainOf))
	n.toggle("local-plugins", "L", "use no plugins: tracec has no local ones", func() error {
		o.Plain = true
		return nil
	})
	n.option("plugin-option", "O", "NAME=VALUE", "set an option of a plugin", func(s string) error {
		o.Plugins = append(o.Plugins, s)
		return nil
	})
	n.set.BoolVarP(&o.Latency, "latency", "l", false, "show the latency columns")
	n.set.BoolVarP(&o.Wakeup, "wakeup", "w", false, "show wakeup latencies")
}

func (n *nativeFlags) filters() {
	o := n.opts
	n.option("filter", "F", "FILTER", "only passing events, of the input before it or the first",
		func(s string) error {
			f, err := filter.Parse(s)
			if err != nil {
				return err
			}
			o.Filters = append(o.Filters, tracecmd.Filter{Filter: f, Negate: n.negate, Input: max(0, len(o.Inputs)-1)})
			return nil
		})
	n.toggle("negate", "v", "leave out events that pass the filters after this option", func() error {
		if n.negate {
			return usagef("Only 1 -v can be used")
		}
		n.negate = true
		return nil
	})
	n.set.StringSliceVar(&o.PIDs, "pid", nil, "`LIST` only events of, wakeups of and switches to these threads")
	n.set.StringSliceVar(&o.Comms, "comm", nil, "`LIST` select as --pid, by thread name")
	n.set.BoolVarP(&o.TestFilters, "test-filters", "T", false, "print the parsed filters instead of events")
	n.set.BoolVarP(&o.NoHardIRQ, "no-hardirq", "I", false, "leave out events in hard interrupts")
	n.set.BoolVarP(&o.NoSoftIRQ, "no-softirq", "S", false, "leave out events in soft interrupts")
}

func (n *nativeFlags) times() {
	o := n.opts
	n.set.BoolVarP(&o.FullTime, "full-time", "t", false, "show nanoseconds")
	n.option("ts-offset", "", "N", "add N units of its clock to times of the input before it", n.tsOffset)
	n.option("ts2secs", "", "N", "clock in Hz, of the input before it or of all", n.ts2secs)
	n.set.BoolVar(&o.TSDiff, "ts-diff", false, "show the time since the previous line")
	n.set.BoolVar(&o.TSCheck, "ts-check", false, "warn when the time of a CPU goes backwards")
	n.set.BoolVar(&o.NoDate, "nodate", false, "ignore the date that trace-cmd record --date stored")
	n.set.BoolVar(&o.RawTime, "raw-ts", false, "show times as recorded")
	n.set.BoolVar(&o.AlignTS, "align-ts", false, "show times since the first event")
}

func (n *nativeFlags) others() {
	n.choice("like", "", "VERSION", []string{"3.1", "3.3", "3.4"},
		"print as trace-cmd 3.1, 3.3 or 3.4 (default the recorder's)", func(s string) error {
			style, ok := tracecmd.StyleOf(s)
			if !ok {
				return errors.New("want 3.1, 3.3 or 3.4")
			}
			n.opts.Like = style
			return nil
		})
	n.set.BoolVarP(&n.opts.Quiet, "quiet", "q", false, "print no warnings except about damage")
	for _, f := range [][2]string{{"verbose", ""}, {"verbosity", "V"}} {
		v := n.set.VarPF(&action{do: func(string) error { return nil }, kind: "WORD"}, f[0], f[1],
			"accepted and ignored")
		v.NoOptDefVal = "info"
	}
	n.toggle("no-color", "", "print no colours, as --color never", func() error { return n.set.Set("color", "never") })
	for _, f := range [][2]string{{"boundary", "pages are not part of the output"},
		{"debug", "trace-cmd's own internals are not shown"}} {
		refuse := func(string) error { return usagef("not supported: %s", f[1]) }
		v := n.set.VarPF(&action{do: refuse, kind: "bool"}, f[0], "", "not supported")
		v.NoOptDefVal, v.Hidden = "true", true
	}
}

// profiles declares the options that print sums instead of events. Options that only change a
// profile have no effect without --profile, as in trace-cmd.
func (n *nativeFlags) profiles() {
	n.set.BoolVar(&n.profile, "profile", false, "show sums and times by thread instead of events")
	n.option("hooks", "H", "HOOK", "with --profile: also sum up the time between two events", func(s string) error {
		h, err := tracecmd.ParseHook(s)
		if err != nil {
			return usagef("%v", err)
		}
		n.sums.Hooks = append(n.sums.Hooks, h)
		return nil
	})
	n.set.BoolVarP(&n.sums.GlobalIRQs, "global-irqs", "G", false,
		"with --profile: count interrupts by CPU, not by thread")
	n.set.BoolVar(&n.sums.ByComm, "by-comm", false, "with --profile: join threads of the same name")
}

// finish sets values that depend on all options.
func (n *nativeFlags) finish(args []string) error {
	o := n.opts
	o.Reference = true
	if n.profile {
		o.Profile = &n.sums
	}
	if len(o.Inputs) > 0 && len(args) > 0 {
		return usagef("%q: give inputs either by -i or as the last argument", args[0])
	}
	if len(o.Inputs) == 0 {
		if len(args) == 0 {
			args = []string{"trace.dat"}
			if err := defaultFile(args[0], "tracec trace-cmd report FILE"); err != nil {
				return err
			}
		}
		for _, path := range args {
			o.Inputs = append(o.Inputs, tracecmd.Input{Path: path})
		}
	}
	return nil
}

func (n *nativeFlags) tsOffset(s string) error {
	v, err := strconv.ParseInt(s, 0, 64)
	switch {
	case err != nil:
		return errors.New("want a number")
	case len(n.opts.Inputs) == 0:
		return usagef("--ts-offset: only after -i")
	}
	n.opts.Inputs[len(n.opts.Inputs)-1].TSOffset = v
	return nil
}

func (n *nativeFlags) ts2secs(s string) error {
	v, err := strconv.ParseUint(s, 0, 64)
	if err != nil || v == 0 || v > math.MaxInt64 {
		return errors.New("want a frequency in Hz")
	}
	if len(n.opts.Inputs) == 0 {
		n.opts.TS2Secs = v
		return nil
	}
	n.opts.Inputs[len(n.opts.Inputs)-1].TS2Secs = v
	return nil
}

// event selects formats whose names match regular expressions. (According to its manual, trace-cmd
// prints events, but it prints formats.)
func (n *nativeFlags) event(s string) error {
	sys, name, both := strings.Cut(s, ":")
	if !both {
		name = s
	}
	reSys, err := regexp.Compile(sys)
	if err != nil {
		return errBadRegexp
	}
	reName, err := regexp.Compile(name)
	if err != nil {
		return errBadRegexp
	}
	n.opts.Lists.EventFormats = true
	n.opts.Events = func(system, event string) bool { // the last -e counts
		if both {
			return reSys.MatchString(system) && reName.MatchString(event)
		}
		return reName.MatchString(event) || reSys.MatchString(system)
	}
	return nil
}

// errBadRegexp reports that a value is not a regular expression.
var errBadRegexp = errors.New("want a regular expression")

// regexes adds an expression that must match the whole name, as in libtraceevent's lists of events.
func regexes(list *[]*regexp.Regexp) func(string) error {
	return func(s string) error {
		re, err := regexp.Compile("(?i)^(" + s + ")$")
		if err != nil {
			return errBadRegexp
		}
		*list = append(*list, re)
		return nil
	}
}

// abbreviation allows unique abbreviations of long options, as getopt_long does. Options with a
// letter have their long name only here and do not count.
func (n *nativeFlags) abbreviation(set *pflag.FlagSet, name string) pflag.NormalizedName {
	full := ""
	exact := false
	set.VisitAll(func(f *pflag.Flag) {
		exact = exact || f.Name == name
		// tracec's own options cannot be abbreviated.
		if f.Shorthand == "" && strings.HasPrefix(f.Name, name) && f.Name != "like" && f.Name != "color" {
			if full != "" {
				full = "\x00" // ambiguous
				return
			}
			full = f.Name
		}
	})
	if exact || full == "" || strings.HasPrefix(full, "\x00") {
		return pflag.NormalizedName(name)
	}
	return pflag.NormalizedName(full)
}
