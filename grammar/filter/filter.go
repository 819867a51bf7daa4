// Package filter is the language of trace-cmd report's -F option: which events to show, by name and by
// the values of their fields.
//
//	sched/sched_switch: prev_prio < 100 && next_comm =~ "^kworker"
//
// Package compiler/filter compiles it, for every event whose name it matches, into a predicate over records. What the language means follows the manual page and the
// behaviour of trace-cmd 3.1.6, with these differences, all of them defects there: parentheses work
// wherever an operand may occur (3.1.6 aborts on some), comparisons honour the sign of a field (it
// compares as unsigned), both sides of a comparison may be arithmetic or fields, and TIMESTAMP exists.
//
// For recordings of other systems it has what trace-cmd needs not: numbers such as 1.5, fields whose names are no words in
// backquotes, and events whose names have a :: in them. From the kernel's own filters (Documentation/trace/events.rst) it has ~, which compares with a glob.
package filter

import (
	"fmt"
	"regexp"
	"strings"
)

// Filter is one parsed -F argument. It is immutable.
type Filter struct {
	// Source is the text as given.
	Source string
	Events []EventName
	Cond   Node // nil: every record of the events
}

// EventName is SYSTEM/EVENT, or a word that may be either.
type EventName struct {
	System, Event *regexp.Regexp // of whole names; with a nil System, Event matches the name of the system or of the event
	Text          string         // as given
	Pos           int            // of Text in the source, in bytes
}

// SyntaxError says what is wrong in a filter, and where.
type SyntaxError struct {
	Source string
	Offset int // bytes
	Msg    string
	Hint   string // what may help, in words of its own
}

// Error shows the filter with a mark under the place.
func (e *SyntaxError) Error() string {
	at := min(e.Offset, len(e.Source))
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, e.Source[:at])
	return fmt.Sprintf("filter: %s at column %d%s\n  %s\n  %s^", e.Msg, at+1, e.Hint, e.Source, pad)
}

// Parse reads a filter: `events [: expression]`.
func Parse(text string) (*Filter, error) {
	names, rest, hasCond := cutNames(text)
	f := &Filter{Source: text}
	at := 0
	for _, word := range strings.Split(names, ",") {
		name, err := parseName(strings.TrimSpace(word))
		if err != nil {
			return nil, &SyntaxError{Source: text, Msg: err.Error()}
		}
		name.Pos = at + len(word) - len(strings.TrimLeft(word, " \t\r\n"))
		at += len(word) + 1
		f.Events = append(f.Events, name)
	}
	if !hasCond || strings.TrimSpace(rest) == "" {
		return f, nil
	}
	p := parser{lexer: lexer{src: text, pos: len(names) + 1}}
	cond, err := p.parse()
	if err != nil {
		return nil, err
	}
	f.Cond = cond
	return f, nil
}

// cutNames cuts at the first colon. Two of them belong to a name of C++.
func cutNames(text string) (names, rest string, found bool) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] != ':':
		case i+1 < len(text) && text[i+1] == ':':
			i++
		default:
			return text[:i], text[i+1:], true
		}
	}
	return text, "", false
}

// parseName compiles SYSTEM/EVENT. Both are regular expressions that must match a whole name, without
// regard to case; an empty half matches everything.
func parseName(word string) (EventName, error) {
	if word == "" {
		return EventName{}, fmt.Errorf("an event name is missing")
	}
	n := EventName{Text: word}
	sys, ev, both := strings.Cut(word, "/")
	if !both {
		sys, ev = "", word
	}
	var err error
	if both {
		if n.System, err = wholeName(sys); err != nil {
			return n, err
		}
	}
	n.Event, err = wholeName(ev)
	return n, err
}

func wholeName(s string) (*regexp.Regexp, error) {
	if s == "" {
		s = ".*"
	}
	re, err := regexp.CompilePOSIX("^(" + s + ")$")
	if err != nil {
		return nil, fmt.Errorf("bad regular expression %q", s)
	}
	return regexp.Compile("(?i)" + re.String())
}

// Matches reports whether the filter speaks of an event, by its system and one of its names.
func (f *Filter) Matches(system string, names ...string) bool {
	for i := range f.Events {
		if f.Events[i].Matches(system, names...) {
			return true
		}
	}
	return false
}

// Unmatched returns the first of the filter's names that none of the events has, nil when there is none.
func (f *Filter) Unmatched(each func(yield func(system string, names ...string) bool)) *EventName {
	for i := range f.Events {
		n := &f.Events[i]
		found := false
		each(func(system string, names ...string) bool {
			found = n.Matches(system, names...)
			return !found
		})
		if !found {
			return n
		}
	}
	return nil
}

// Matches reports whether it is the name of an event, which has one or several. A name that is written as it is counts whatever its letters mean in
// a regular expression: operator+.
func (n *EventName) Matches(system string, names ...string) bool {
	for _, name := range names {
		if n.matches(system, name) {
			return true
		}
	}
	return false
}

func (n *EventName) matches(system, event string) bool {
	switch {
	case event == n.Text:
		return true
	case n.System != nil:
		return n.System.MatchString(system) && n.Event.MatchString(event)
	}
	return n.Event.MatchString(event) || n.Event.MatchString(system)
}
