package ftrace

import (
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// kernelFuncs are functions of the kernel whose result follows from their arguments.
var kernelFuncs = map[string]builder{
	"str_yes_no":             either("yes", "no"),
	"str_on_off":             either("on", "off"),
	"str_enable_disable":     either("enable", "disable"),
	"str_enabled_disabled":   either("enabled", "disabled"),
	"str_true_false":         either("true", "false"),
	"str_high_low":           either("high", "low"),
	"str_hi_lo":              either("hi", "lo"),
	"str_read_write":         either("read", "write"),
	"str_up_down":            either("up", "down"),
	"str_plural":             nil,
	"snd_pcm_direction_name": either("Capture", "Playback"),
}

// either is a function that picks one of two strings (include/linux/string_choices.h).
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
