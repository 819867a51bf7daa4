package trcfiles

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	compiler "github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/internal/selection"
	"github.com/tracec/tracec/runtime/aix"
)

// Rules decide open points of publications (aix.md 4 and 9): the meaning of templates and the
// reading of recordings. The zero value holds the choices of this project. Users with an AIX system
// can find the right ones.
type Rules struct {
	Compile compiler.Options
	Read    []aix.Option
}

// A rule has a name, its values with the default first, and a setter. A value in capitals is a
// placeholder for a number or a ratio.
type rule struct {
	name   string
	values []string
	set    func(r *Rules, choice int, value string) error
}

// rules lists all rules.
var rules = []rule{
	{"label-blank", []string{"on", "off"}, func(r *Rules, i int, _ string) error {
		r.Compile.NoLabelBlank = i == 1
		return nil
	}},
	{"matches", []string{"decimal", "hex"}, func(r *Rules, i int, _ string) error {
		r.Compile.HexMatches = i == 1
		return nil
	}},
	{"error", []string{"after-descriptor", "at-once"}, func(r *Rules, i int, _ string) error {
		r.Compile.ErrorAtOnce = i == 1
		return nil
	}},
	{"escapes", []string{"off", "on"}, func(r *Rules, i int, _ string) error {
		r.Compile.Escapes = i == 1
		return nil
	}},
	{"long-words", []string{"8-bytes", "as-data-words"}, func(r *Rules, i int, _ string) error {
		r.Compile.LongWords = i == 1
		return nil
	}},
	{"squeeze", []string{"off", "on"}, func(r *Rules, i int, _ string) error {
		r.Compile.Squeeze = i == 1
		return nil
	}},
	{"cpuid", []string{"after-stamp", "after-registers", "before-tid", "after-tid", "none"},
		reading(func(i int) aix.Option {
			return aix.WithCPUID(aix.CPUIDAfterStamp + aix.CPUIDPlace(i))
		})},
	{"short-word", []string{"low", "high"}, reading(func(i int) aix.Option {
		return aix.WithShortWord(aix.ShortWordLow + aix.ShortWord(i))
	})},
	{"unwrap", []string{"steady", "always", "never"}, reading(func(i int) aix.Option {
		return aix.WithUnwrap(aix.UnwrapSteady + aix.Unwrap(i))
	})},
	{"kind", []string{"detect", "stream32", "stream64", "log-old", "log32", "log64"}, reading(func(i int) aix.Option {
		return aix.WithKind(aix.KindUnknown + aix.Kind(i))
	})},
	{"max-buffer", []string{"BYTES"}, func(r *Rules, _ int, value string) error {
		n, err := strconv.ParseUint(value, 0, 16)
		r.Read = append(r.Read, aix.WithMaxBuffer(int(n)))
		return err
	}},
	{"clock", []string{"MUL/DIV"}, setClock},
}

// reading returns the setter for an option of package aix.
func reading(option func(choice int) aix.Option) func(*Rules, int, string) error {
	return func(r *Rules, i int, _ string) error {
		r.Read = append(r.Read, option(i))
		return nil
	}
}

// setClock sets the scale of time stamps: nanoseconds = ticks * MUL / DIV.
func setClock(r *Rules, _ int, value string) error {
	mul, div, ok := strings.Cut(value, "/")
	m, err1 := strconv.ParseUint(mul, 0, 64)
	d, err2 := strconv.ParseUint(div, 0, 64)
	if !ok || err1 != nil || err2 != nil || m == 0 || d == 0 {
		return fmt.Errorf("%q is not MUL/DIV", value)
	}
	r.Read = append(r.Read, aix.WithClock(aix.Clock{Mul: m, Div: d, Type: aix.ClockTimeBase}))
	return nil
}

// Set sets a rule from a text name=value.
func (r *Rules) Set(text string) error {
	name, value, _ := strings.Cut(text, "=")
	i := slices.IndexFunc(rules, func(x rule) bool { return x.name == name })
	if i < 0 {
		return fmt.Errorf("unknown rule %q; the rules are\n%s", name, RuleList())
	}
	choice := slices.Index(rules[i].values, value)
	if first := rules[i].values[0]; choice < 0 && first != strings.ToUpper(first) {
		return fmt.Errorf("rule %s is %s, not %q", name, strings.Join(rules[i].values, ", "), value)
	}
	if err := rules[i].set(r, choice, value); err != nil {
		return fmt.Errorf("rule %s: %w", text, err)
	}
	return nil
}

// SetAll sets several rules. The error is a *selection.UsageError.
func (r *Rules) SetAll(list []string) error {
	for _, text := range list {
		if err := r.Set(text); err != nil {
			return &selection.UsageError{Err: err}
		}
	}
	return nil
}

// RuleList lists all rules and their values, the default first, one rule per line.
func RuleList() string {
	lines := make([]string, len(rules))
	for i, r := range rules {
		lines[i] = "  " + r.name + "=" + strings.Join(r.values, "|")
	}
	return strings.Join(lines, "\n")
}
