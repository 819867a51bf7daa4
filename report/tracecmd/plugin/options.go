package plugin

import (
	"fmt"
	"strings"
)

// Options are the variables that -O sets. The zero value holds the defaults.
type Options struct {
	Parent    bool // ftrace:parent: ` <-- caller` after function events
	NoIndent  bool // ftrace:indent=0: do not indent functions by their callers
	Offset    bool // ftrace:offset: `+0x4 ` after the names of functions, also in kernel stacks
	TailPrint bool // fgraph:tailprint: the name of the function after its closing brace
	Depth     bool // fgraph:depth: the depth after function graph lines
	// fgraph:retval-hex, retval-dec and retval-skip control the return values of functions, in
	// recordings of kernels that record them. They are shown in the form of the kernel's own
	// tracer: ` /* ret=0x0 */`. The reference is older than these options. By default all are off.
	// skip has priority over both others, hex over decimal.
	RetvalHex, RetvalDec, RetvalSkip bool
}

// option is a variable of a plugin: its place in Options, whether that holds the negation, and its
// description.
type option struct {
	plugin, name string
	negated      bool
	at           func(*Options) *bool
	desc         string
}

var options = []option{
	{"ftrace", "parent", false, func(o *Options) *bool { return &o.Parent }, "Show the caller after each function"},
	{"ftrace", "indent", true, func(o *Options) *bool { return &o.NoIndent },
		"Indent functions below those that seem to have called them"},
	{"ftrace", "offset", false, func(o *Options) *bool { return &o.Offset },
		"Show the offset after the name of a function"},
	{"fgraph", "tailprint", false, func(o *Options) *bool { return &o.TailPrint },
		"Show the name of the function where it returns"},
	{"fgraph", "depth", false, func(o *Options) *bool { return &o.Depth }, "Show the depth after each call"},
	{"fgraph", "retval-skip", false, func(o *Options) *bool { return &o.RetvalSkip },
		"Do not show what functions return"},
	{"fgraph", "retval-dec", false, func(o *Options) *bool { return &o.RetvalDec },
		"Show what functions return in decimal"},
	{"fgraph", "retval-hex", false, func(o *Options) *bool { return &o.RetvalHex },
		"Show what functions return in hexadecimal"},
}

// AppendOptions appends the list of the variables in the layout of trace-cmd options, with their
// defaults.
func AppendOptions(dst []byte) []byte {
	for i, o := range options {
		if i > 0 {
			rule := "------------\n"
			if o.plugin != options[i-1].plugin {
				rule = "============\n"
			}
			dst = append(dst, rule...)
		}
		set := 0
		if o.negated {
			set = 1
		}
		dst = fmt.Appendf(dst, "  plugin:\t%s\n  option:\t%s\n    desc:\t%s\n     set:\t%d\n", o.plugin, o.name, o.desc,
			set)
	}
	return dst
}

// Set applies the argument of one -O, `[plugin:]variable[=value]`. A variable without a value
// becomes the opposite of its default. The last -O of a variable wins, as in trace-cmd. The values
// are 1, true, 0 and false. For an unknown variable or value, Set returns an error and changes
// nothing. trace-cmd silently ignores them.
func (o *Options) Set(arg string) error {
	name, value, valued := strings.Cut(arg, "=")
	plugin, variable, qualified := strings.Cut(name, ":")
	if !qualified {
		plugin, variable = "", name
	}
	found := false
	for _, p := range options {
		if p.name != variable || qualified && p.plugin != plugin {
			continue
		}
		found = true
		on := !p.negated // without a value: the opposite of the default
		switch {
		case !valued:
		case value == "1" || value == "true":
			on = true
		case value == "0" || value == "false":
			on = false
		default:
			return fmt.Errorf("plugin option %q: invalid value %q (want 1, true, 0 or false)", name, value)
		}
		*p.at(o) = on != p.negated
	}
	if !found {
		return fmt.Errorf("plugin option %q: no such variable (there are %s)", arg, optionNames())
	}
	return nil
}

func optionNames() string {
	var b strings.Builder
	for i, p := range options {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.plugin + ":" + p.name)
	}
	return b.String()
}

// options returns the options, or the defaults.
func (c *Context) options() Options {
	if c.Options == nil {
		return Options{}
	}
	return *c.Options
}
