package ftrace

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// kernelFuncs are functions of the kernel with results that follow from their arguments. Functions
// of single drivers are listed in the IR, with the functions of runtime/render that implement them.
func kernelFuncs() map[string]builder {
	all := map[string]builder{
		"str_yes_no":             either("yes", "no"),
		"str_on_off":             either("on", "off"),
		"str_enable_disable":     either("enable", "disable"),
		"str_enabled_disabled":   either("enabled", "disabled"),
		"str_true_false":         either("true", "false"),
		"str_high_low":           either("high", "low"),
		"str_hi_lo":              either("hi", "lo"),
		"str_read_write":         either("read", "write"),
		"str_up_down":            either("up", "down"),
		"snd_pcm_direction_name": either("Capture", "Playback"),
	}
	for c, name := range ir.KernelFuncs {
		all[c] = driverCall(name)
	}
	for c := range ir.NameFuncs {
		all[c] = nameCall(c)
	}
	return all
}

// either returns a function that picks one of two strings (include/linux/string_choices.h).
func either(yes, no string) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		if len(e.Args) != 1 {
			return operand{}, false
		}
		c := l.truth(l.expr(e.Args[0]))
		if c.isUnknown() {
			return operand{}, false
		}
		if v, ok := c.constant(); ok {
			if v != 0 {
				return literalOperand(yes), true
			}
			return literalOperand(no), true
		}
		return l.choose(c.v, literalOperand(yes), literalOperand(no)), true
	}
}

// nameCall returns a function that names one integer.
func nameCall(c string) builder {
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		v, ok := l.onlyInt(e)
		if !ok {
			return operand{}, false
		}
		return textOperand(&ir.Call{Name: "KernelName", Args: []ir.Arg{v, ir.StrArg(c)}}), true
	}
}

// driverCall returns a builder for a function that prints. Its last arguments are passed to the
// text function name. The arguments before them are the output of the kernel's function.
func driverCall(name string) builder {
	params := ir.TextFuncs[name].Params
	return func(l *lowerer, e *grammar.Call) (operand, bool) {
		if strings.Trim(params, "vr") != "" || len(e.Args) < len(params) {
			return operand{}, false
		}
		given := e.Args[len(e.Args)-len(params):]
		var args []ir.Arg
		for i, kind := range params {
			if kind == 'r' {
				r, ok := l.regionArg(given[i])
				if !ok {
					return operand{}, false
				}
				l.opaque(r)
				args = append(args, r)
				continue
			}
			v, ok := l.intArg(given[i])
			if !ok {
				return operand{}, false
			}
			args = append(args, v)
		}
		return textOperand(&ir.Call{Name: name, Args: args}), true
	}
}
