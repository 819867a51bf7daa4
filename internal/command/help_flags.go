package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// valueOf is the annotation of a flag with the placeholder of its value.
const valueOf = "value"

// shortFlags are the flags that the short help of a command shows.
var shortFlags = map[string][]string{
	"stat":              {"event", "filter", "since", "by", "limit", "json"},
	"report":            {"event", "filter", "pid", "since", "raw", "follow"},
	"sql":               {"csv", "json", "parquet", "schema", "limit"},
	"latency":           {"by", "worst", "hist", "filter", "diff", "json"},
	"syscalls":          {"by", "worst", "hist", "filter", "diff", "json"},
	"irq":               {"by", "worst", "hist", "filter", "diff", "json"},
	"io":                {"by", "worst", "hist", "filter", "diff", "json"},
	"locks":             {"by", "worst", "hist", "filter", "diff", "json"},
	"calls":             {"by", "worst", "hist", "filter", "diff", "json"},
	"curt":              {"by", "worst", "hist", "filter", "diff", "json"},
	"info":              {"json", "template", "layouts"},
	"list":              {"event", "fields", "json"},
	"view":              {"event", "since", "until", "no-browser"},
	"open":              {"flame", "value", "event", "no-browser"},
	"live":              {"event", "pid", "for", "output", "tracer"},
	"export":            {"to", "output", "event", "since"},
	"index":             {"check", "remove"},
	"gen":               {"event", "output", "pkg", "into", "check"},
	"vet":               {"event", "verbose", "format", "json"},
	"diff":              {"event", "fail-on", "verbose", "format"},
	"check":             {"event", "fail-on", "format"},
	"fmt":               {"list", "write", "diff", "check"},
	"trcupdate":         {"template", "override", "extract", "verbose"},
	"babeltrace2":       {"names", "fields", "clock-date", "begin", "end"},
	"perf-script":       {"input", "fields", "ns", "event", "filter"},
	"textdump":          {"plain", "marker", "since", "until", "formula"},
	"trace-cmd-report":  {"input", "cpu", "filter", "latency", "full-time"},
	"trace-cmd-dump":    {"input", "summary", "options", "events", "all", "validate"},
	"trace-cmd-convert": {"input", "output", "file-version", "compression"},
	"trace-cmd-split":   {"input", "output", "seconds", "events", "repeat", "per-cpu"},
	"trace-cmd-mem":     {"input"},
	"uftrace-replay":    {"data", "filter", "time-filter", "depth", "output-fields", "tid"},
	"uftrace-report":    {"data", "filter", "sort", "output-fields", "diff", "task"},
	"uftrace-graph":     {"data", "filter", "depth", "output-fields", "task"},
	"uftrace-dump":      {"data", "chrome", "flame-graph", "graphviz", "mermaid", "debug"},
	"uftrace-info":      {"data", "task", "symbols", "system"},
	"version":           {"json"},
	"completion":        {"no-descriptions"},
}

func annotate(f *pflag.Flag, key, value string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = []string{value}
}

// describeFlags splits the usage texts of flags. Backquotes mark the placeholder of the value. It
// is a word in the sentence, as in "read templates from `FILE`", or a word before it, as in "`LIST`
// only these CPUs". Closed lists are completed.
func describeFlags(c *cobra.Command, set *pflag.FlagSet) {
	set.VisitAll(func(f *pflag.Flag) {
		if value, usage := pflag.UnquoteUsage(f); value != "" {
			if strings.HasPrefix(f.Usage, "`"+value+"` ") {
				usage = usage[len(value)+1:]
			}
			f.Usage = usage
			annotate(f, valueOf, value)
		}
		if words := wordsOf(f); words != nil {
			completeFlag(c, f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	})
}

// ValueOf returns the placeholder for the value of a flag, "" for a flag without a value.
func ValueOf(f *pflag.Flag) string {
	if v := f.Annotations[valueOf]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// DefaultOf returns the default of a flag, or "" if the default is empty, no or all.
func DefaultOf(f *pflag.Flag) string {
	if ValueOf(f) == "" || slices.Contains([]string{"", "[]", "0", "0s", "false"}, f.DefValue) {
		return ""
	}
	return f.DefValue
}

// helpValue is the value of a flag for pflag, which prints values by their type.
type helpValue struct{ value string }

// Set implements pflag.Value.
func (helpValue) Set(string) error { return nil }

// String implements pflag.Value.
func (helpValue) String() string { return "" }

// Type implements pflag.Value.
func (s helpValue) Type() string { return s.value }

// usages returns a line for each flag of a set, in 80 columns.
func usages(set *pflag.FlagSet) string {
	list := pflag.NewFlagSet("", pflag.ContinueOnError)
	list.SortFlags = false
	set.VisitAll(func(f *pflag.Flag) {
		x := *f
		x.DefValue, x.NoOptDefVal = DefaultOf(f), ""
		if x.Value = (helpValue{ValueOf(f)}); ValueOf(f) == "" {
			x.Value = helpValue{"bool"}
		}
		list.AddFlag(&x)
	})
	return list.FlagUsagesWrapped(80)
}

// namesOf returns the names of the flags of a set, in 80 columns.
func namesOf(set *pflag.FlagSet) string {
	var b strings.Builder
	width := 0
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if v := ValueOf(f); v != "" {
			name += " " + v
		}
		switch {
		case width == 0:
			b.WriteString("  ")
			width = 2
		case width+2+len(name) > 79:
			b.WriteString(",\n  ")
			width = 2
		default:
			b.WriteString(", ")
			width += 2
		}
		b.WriteString(name)
		width += len(name)
	})
	return b.String() + "\n"
}

// shortOnes returns the flags of the short help, in its order.
func shortOnes(c *cobra.Command) *pflag.FlagSet {
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	set.SortFlags = false
	sections := Options(c)
	for _, name := range shortFlags[helpName(c)] {
		for _, s := range sections {
			if f := s.Flags.Lookup(name); f != nil {
				set.AddFlag(f)
			}
		}
	}
	return set
}
