package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tracec/tracec/report/babeltrace"
	"github.com/tracec/tracec/report/style"
)

// component is a component of babeltrace2's graph: -c, and the parameters of a following -p.
type component struct {
	name   string
	params []babeltrace.Param
}

// componentName is the value of -c, which adds a component.
type componentName babeltraceFlags

func (f *componentName) Set(text string) error {
	name := text
	if _, class, ok := strings.Cut(name, ":"); ok { // the form NAME:TYPE.PLUGIN.CLASS
		name = class
	}
	if why, ok := noComponents[name]; ok {
		return usagef("-c %s: %s", name, why)
	}
	if !slices.Contains(sinks, name) && !slices.Contains(filters, name) {
		return usagef("-c: unknown component %s; the components are %s", name,
			strings.Join(slices.Concat(sinks, filters), ", "))
	}
	f.components = append(f.components, component{name: name})
	return nil
}

func (f *componentName) String() string { return "" }
func (f *componentName) Type() string   { return "component" }

// componentParams is the value of -p, which sets the parameters of the last component.
type componentParams babeltraceFlags

func (f *componentParams) Set(text string) error {
	if len(f.components) == 0 {
		return usagef("-p: parameters need a component before them: -c sink.text.pretty")
	}
	params, err := babeltrace.ParseParams(text)
	if err != nil {
		return usagef("-p: %w", err)
	}
	last := &f.components[len(f.components)-1]
	last.params = append(last.params, params...)
	return nil
}

func (f *componentParams) String() string { return "" }
func (f *componentParams) Type() string   { return "params" }

var (
	sinks   = []string{"sink.text.pretty", "sink.text.details", "sink.utils.counter", "sink.utils.dummy"}
	filters = []string{"filter.utils.trimmer", "filter.utils.muxer"}
)

// noComponents lists components of babeltrace2 that tracec lacks, with the reason.
var noComponents = map[string]string{
	"source.ctf.fs":                 "name the folders of traces as arguments instead",
	"source.ctf.lttng-live":         "tracec has no live sessions; tracec report --follow reads a session while it is recorded",
	"source.text.dmesg":             "only traces of CTF are read",
	"filter.lttng-utils.debug-info": "tracec adds no debug info",
	"sink.ctf.fs":                   "tracec export --to ctf writes traces",
}

// elsewhereFormat is a value of -i or -o. Some formats of babeltrace2 are rejected with a reason.
type elsewhereFormat struct {
	oneOf
	refused map[string]string
}

func (v elsewhereFormat) Set(text string) error {
	if why, ok := v.refused[text]; ok {
		return errors.New(why)
	}
	return v.oneOf.Set(text)
}

// useComponents sets the sink and the filters.
func (f *babeltraceFlags) useComponents(set *pflag.FlagSet) error {
	sink := ""
	for _, c := range f.components {
		var err error
		switch {
		case c.name == "filter.utils.trimmer":
			err = f.trim(c.params)
		case c.name == "filter.utils.muxer" && len(c.params) > 0:
			err = usagef("-p: filter.utils.muxer has no parameter %s", c.params[0].Name)
		case slices.Contains(filters, c.name): // events are always merged
		case sink != "" || set.Changed("output-format"):
			err = usagef("-c %s: another sink is selected: %s", c.name, otherSink(sink))
		default:
			sink = c.name
			err = f.useSink(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func otherSink(sink string) string {
	if sink == "" {
		return "-o"
	}
	return sink
}

func (f *babeltraceFlags) useSink(c component) error {
	list := slices.DeleteFunc(slices.Clone(c.params), func(p babeltrace.Param) bool {
		switch {
		case p.Name == "path" && c.name == "sink.text.pretty":
			f.output = p.Value
		case p.Name == "color" && strings.HasPrefix(c.name, "sink.text."):
			f.color = p.Value
		default:
			return false
		}
		return true
	})
	if f.color != "" && !slices.Contains(style.When, f.color) {
		return usagef("-p: color=%s: want %s", f.color, oneWord(style.When))
	}
	switch c.name {
	case "sink.text.pretty":
		return f.opts.SetParams(list)
	case "sink.text.details":
		f.format = "details"
		return f.details.SetParams(list)
	case "sink.utils.counter":
		f.format = "counter"
		return f.counter.SetParams(list)
	}
	f.format = "dummy"
	if len(list) > 0 {
		return usagef("-p: %s has no parameter %s", c.name, list[0].Name)
	}
	return nil
}

// trim sets --begin and --end from the parameters of filter.utils.trimmer.
func (f *babeltraceFlags) trim(list []babeltrace.Param) error {
	for _, p := range list {
		to := map[string]*string{"begin": &f.begin, "end": &f.end}[p.Name]
		switch {
		case p.Name == "gmt" && babeltrace.IsTrue(p.Value):
			f.trimUTC = true
		case p.Name == "gmt" && babeltrace.IsFalse(p.Value):
		case p.Name == "gmt":
			return usagef("-p: gmt=%s: want yes or no", p.Value)
		case to == nil:
			return usagef("-p: filter.utils.trimmer has no parameter %s", p.Name)
		case *to != "" || f.between != "":
			return usagef("-p: %s is given twice", p.Name)
		default:
			*to = p.Value
		}
	}
	return nil
}

// checkSink rejects options that the sink does not support.
func (f *babeltraceFlags) checkSink(set *pflag.FlagSet) error {
	if f.format != "details" && f.format != "counter" {
		return nil
	}
	for _, name := range []string{"names", "fields", "no-delta", "clock-date", "clock-seconds", "clock-cycles",
		"clock-offset", "clock-offset-ns"} {
		if set.Changed(name) {
			return usagef("--%s: only for sink.text.pretty", name)
		}
	}
	return nil
}
