package babeltrace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/report"
)

// Options are the parameters of sink.text.pretty (docs/spec/ctf.md 7). The zero value prints no
// names of fields and no facts about traces: see [Default].
type Options struct {
	Names  Names
	Fields Fields
	Times  Times
	// Bare prints several labels of an enumeration without braces, as 2.0 does.
	Bare bool
	// FlagLabels prints the labels of the bits of an enumeration that has no label for its value.
	FlagLabels bool
}

// Names selects the names that lines have.
type Names struct{ Payload, Context, Scope, Header bool }

// Fields selects the facts about traces and events that lines have before the name of the event.
type Fields struct{ Trace, Hostname, Domain, Procname, VPID, LogLevel, EMF bool }

// Times holds the options for the times of lines.
type Times struct {
	Cycles, Seconds, Date bool
	NoDelta               bool
	Zone                  *time.Location // nil means time.Local
	Offset                int64          // added to all times, in nanoseconds
}

// Default returns the default options of babeltrace2.
func Default() Options {
	return Options{Names: Names{Payload: true, Context: true},
		Fields: Fields{Hostname: true, Procname: true, VPID: true}}
}

// style returns the options that affect the texts of events.
func (o *Options) style() compiler.Style {
	n := o.Names
	return compiler.Style{Payload: n.Payload, Context: n.Context, Scopes: n.Scope, Bare: o.Bare, Flags: o.FlagLabels}
}

// names are the values of --names and of name- parameters.
var names = []struct {
	words []string
	of    func(*Names) *bool
}{
	{[]string{"payload", "arg", "args"}, func(n *Names) *bool { return &n.Payload }},
	{[]string{"context", "ctx"}, func(n *Names) *bool { return &n.Context }},
	{[]string{"scope"}, func(n *Names) *bool { return &n.Scope }},
	{[]string{"header"}, func(n *Names) *bool { return &n.Header }},
}

// fields are the values of --fields and of field- parameters.
var fields = []struct {
	word string
	of   func(*Fields) *bool
}{
	{"trace", func(f *Fields) *bool { return &f.Trace }},
	{"trace:hostname", func(f *Fields) *bool { return &f.Hostname }},
	{"trace:domain", func(f *Fields) *bool { return &f.Domain }},
	{"trace:procname", func(f *Fields) *bool { return &f.Procname }},
	{"trace:vpid", func(f *Fields) *bool { return &f.VPID }},
	{"loglevel", func(f *Fields) *bool { return &f.LogLevel }},
	{"emf", func(f *Fields) *bool { return &f.EMF }},
}

// SetNames takes the values of --names. Each list clears the default. The names in all lists are
// shown. The word all counts in the last list only.
func (n *Names) SetNames(lists ...string) error {
	*n = Names{}
	all := false
	for _, list := range lists {
		words := split(list)
		all = slices.Contains(words, "all")
		if all && slices.Contains(words, "none") {
			return report.Usagef("--names: %q has all and none", list)
		}
		for _, word := range words {
			if word != "all" && word != "none" && !n.set(word, true) {
				return report.Usagef("--names: unknown name %q: want payload, context, scope, header, all or none",
					word)
			}
		}
	}
	if all {
		*n = Names{true, true, true, true}
	}
	return nil
}

func split(list string) (words []string) {
	for word := range strings.SplitSeq(list, ",") {
		words = append(words, strings.TrimSpace(word))
	}
	return words
}

func (n *Names) set(word string, on bool) bool {
	for _, x := range names {
		if slices.Contains(x.words, word) {
			*x.of(n) = on
			return true
		}
	}
	return false
}

// SetFields takes the values of --fields. Lists are combined as for --names.
func (f *Fields) SetFields(lists ...string) error {
	*f = Fields{}
	all := false
	for _, list := range lists {
		words := split(list)
		all = slices.Contains(words, "all")
		for _, word := range words {
			if word != "all" && !f.set(word, true) {
				return report.Usagef("--fields: unknown field %q: want %s or all", word, fieldWords())
			}
		}
	}
	if all {
		*f = Fields{true, true, true, true, true, true, true}
	}
	return nil
}

func (f *Fields) set(word string, on bool) bool {
	for _, x := range fields {
		if x.word == word {
			*x.of(f) = on
			return true
		}
	}
	return false
}

func fieldWords() string {
	var words []string
	for _, x := range fields {
		words = append(words, x.word)
	}
	return strings.Join(words, ", ")
}

// levels are the names of log levels, by number.
var levels = [...]string{
	"EMERG", "ALERT", "CRIT", "ERR", "WARNING", "NOTICE", "INFO", "DEBUG_SYSTEM", "DEBUG_PROGRAM", "DEBUG_PROCESS",
	"DEBUG_MODULE", "DEBUG_UNIT",
	"DEBUG_FUNCTION", "DEBUG_LINE", "DEBUG",
}

// level returns the text of a log level.
func level(n int) string { return fmt.Sprintf("TRACE_%s (%d)", levels[n], n) }
