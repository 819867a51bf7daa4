// Package pattern selects events by their names, as --event does for recordings of all systems.
package pattern

import (
	"path"
	"slices"
	"strings"
)

// A Pattern is a glob for the name of an event in any system, or a glob for the system and one for
// the name. The second form is "sched:sched_*", "sched/sched_*" or, for markers of LTTng,
// "kernel.sched_*".
type Pattern struct{ whole, system, name string }

// An Error describes an invalid pattern.
type Error struct{ Pattern, Msg string }

// Error implements error.
func (e *Error) Error() string {
	if e.Pattern == "" {
		return e.Msg
	}
	return e.Pattern + ": " + e.Msg
}

// fault returns the reason why a text is not a glob.
func fault(text string) string {
	switch {
	case strings.HasSuffix(text, `\`):
		return `ends with \; write \\ for the character`
	case strings.Count(text, "[") > strings.Count(text, "]"):
		return `the bracket is not closed; write \[ for the character`
	}
	return "bad glob; write \\ before characters that mean themselves"
}

// Parse reads a pattern. The error is an *Error.
func Parse(text string) (Pattern, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Pattern{}, &Error{text, "an item is empty"}
	}
	sys, name, both := strings.Cut(strings.Replace(text, "/", ":", 1), ":")
	if !both {
		sys, name = "*", sys
	}
	if name == "" {
		name = "*"
	}
	for _, glob := range []string{sys, name, text} {
		if _, err := path.Match(glob, ""); err != nil {
			return Pattern{}, &Error{text, fault(text)}
		}
	}
	return Pattern{text, sys, name}, nil
}

// String returns the original text of the pattern.
func (p Pattern) String() string { return p.whole }

// Matches reports whether the pattern selects an event of a system. alias is another name of the
// event, such as the label of a hook. It may be empty.
func (p Pattern) Matches(system, name, alias string) bool {
	if glob(p.system, system) && (glob(p.name, name) || alias != "" && glob(p.name, alias)) {
		return true
	}
	return glob(p.whole, name) || glob(p.whole, system+"."+name)
}

// glob is path.Match without paths: a star also matches slashes, as in channels of LTTng or in
// operator/ of C++.
func glob(pattern, name string) bool {
	// Parse has checked the glob.
	ok, _ := path.Match(strings.ReplaceAll(pattern, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00"))
	return ok
}

// A List holds several patterns. An event matches if any pattern matches, or if the list is empty.
type List []Pattern

// Split returns the texts of the patterns in comma-separated lists.
func Split(lists []string) []string {
	var out []string
	for _, l := range lists {
		out = append(out, strings.Split(l, ",")...)
	}
	return out
}

// ParseList parses comma-separated lists of patterns. The error names the first invalid pattern.
func ParseList(lists []string) (List, error) {
	var all List
	for _, text := range Split(lists) {
		p, err := Parse(text)
		if fault, ok := err.(*Error); ok && fault.Pattern == "" {
			fault.Pattern = strings.Join(lists, ",")
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// In returns the list for known events. A pattern that matches no event but the name of a system
// selects all events of that system. names calls yield for all events, until yield returns false.
func (l List) In(names func(yield func(system, name, alias string) bool)) List {
	out := slices.Clone(l)
	for i, p := range out {
		if p.system != "*" || p.whole == "*" {
			continue
		}
		isSystem, isEvent := false, false
		names(func(system, name, alias string) bool {
			isSystem = isSystem || system == p.whole
			isEvent = isEvent || p.Matches(system, name, alias)
			return !isEvent
		})
		if isSystem && !isEvent {
			out[i] = Pattern{p.whole, p.whole, "*"}
		}
	}
	return out
}

// Matches reports whether a pattern selects an event, as Pattern.Matches does.
func (l List) Matches(system, name, alias string) bool {
	for _, p := range l {
		if p.Matches(system, name, alias) {
			return true
		}
	}
	return len(l) == 0
}
