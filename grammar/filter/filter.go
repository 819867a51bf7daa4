// Package filter parses the language of trace-cmd report's -F option. A filter selects events by
// name and by the values of their fields:
//
//	sched/sched_switch: prev_prio < 100 && next_comm =~ "^kworker"
//
// Package compiler/filter compiles a filter into a predicate over records, for every event whose
// name it matches. The meaning follows the manual page and the behaviour of trace-cmd 3.1.6, except
// for some defects there. Parentheses work wherever an operand may occur (3.1.6 aborts on some).
// Comparisons honour the sign of a field (3.1.6 compares as unsigned). Both sides of a comparison
// may be arithmetic or fields. TIMESTAMP exists.
//
// For recordings of other systems, the language has numbers such as 1.5, events with a :: in their
// names, and quoted names. Fields and events whose names are not words are in backquotes:
//
//	`operator()(int, long)`: `return value` > 4096
//
// An event before a condition may also be written SYSTEM:EVENT, as tracec list prints it. The
// operator ~, which compares with a glob, comes from the kernel's own filters
// (Documentation/trace/events.rst).
package filter

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tracec/tracec/internal/shell"
)

// A Filter is a parsed -F argument. It is immutable.
type Filter struct {
	// Source is the text as given.
	Source string
	Events []EventName
	Cond   Node // nil if all records of the events match
}

// EventName is SYSTEM/EVENT or SYSTEM:EVENT, or a word that may be either.
type EventName struct {
	System, Event *regexp.Regexp // for whole names; if System is nil, Event matches either
	Text          string         // as given, without backquotes
	Pos           int            // of Text in the source, in bytes
	quoted        bool           // Text is a literal name
}

// A SyntaxError is an error in a filter with its place.
type SyntaxError struct {
	Source string
	Offset int // bytes
	Msg    string
	Hint   string // advice
	Try    string // a filter that may be intended
	Option string // the option that set the filter, for messages: -F
}

// Error shows the filter with a mark under the place, or the filter that may be intended.
func (e *SyntaxError) Error() string {
	option := e.Option
	if option == "" {
		option = "filter"
	}
	at := min(e.Offset, len(e.Source))
	text := fmt.Sprintf("%s: column %d: %s%s", option, at+1, e.Msg, e.Hint)
	switch {
	case strings.TrimSpace(e.Source) == "":
		return option + ": " + e.Msg + e.Hint
	case e.Try != "":
		return text + "\n  " + option + " " + shell.Quote(e.Try)
	}
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, e.Source[:at])
	return text + "\n  " + e.Source + "\n  " + pad + "^"
}

// Parse reads a filter: `events [: expression]`.
func Parse(text string) (*Filter, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &SyntaxError{Source: text, Msg: "empty"}
	}
	names, rest, hasCond := cutNames(text)
	f := &Filter{Source: text}
	at := 0
	for _, word := range splitNames(names) {
		pos := at + len(word) - len(strings.TrimLeft(word, blanks))
		name, err := parseName(strings.Trim(word, blanks))
		if err != nil {
			err.Source, err.Offset = text, pos
			return nil, err
		}
		name.Pos = pos
		at += len(word) + 1
		f.Events = append(f.Events, name)
	}
	if !hasCond || strings.Trim(rest, blanks) == "" {
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

const blanks = " \t\r\n"

// parseName compiles the name of events. A name in backquotes is literal. Any other name is
// SYSTEM/EVENT or SYSTEM:EVENT. Both parts are regular expressions that must match a whole name,
// without regard to case. An empty part matches everything.
func parseName(word string) (EventName, *SyntaxError) {
	if word == "" {
		return EventName{}, &SyntaxError{Msg: "the name of an event is missing"}
	}
	n := EventName{Text: word}
	if bare := strings.Trim(word, "`"); len(word) == len(bare)+2 && word[0] == '`' && bare != "" {
		n.Text, n.quoted = bare, true
		return n, nil
	}
	sys, ev, both := strings.Cut(word, "/")
	if i := systemColon(word); !both && i >= 0 {
		sys, ev, both = word[:i], word[i+1:], true
	}
	if !both {
		sys, ev = "", word
	}
	var err error
	if both {
		n.System, err = wholeName(sys)
	}
	if err == nil {
		n.Event, err = wholeName(ev)
	}
	if err != nil {
		e := &SyntaxError{Msg: err.Error()}
		if fixed := globStars(word); fixed != word {
			e.Msg = "events of a filter are regular expressions: " + fixed
		}
		return n, e
	}
	return n, nil
}

// globStars converts a name that looks like a glob to a regular expression.
func globStars(word string) string {
	var b strings.Builder
	for i := range len(word) {
		if word[i] == '*' && (i == 0 || strings.IndexByte("/:", word[i-1]) >= 0) {
			b.WriteByte('.')
		}
		b.WriteByte(word[i])
	}
	return b.String()
}

func wholeName(s string) (*regexp.Regexp, error) {
	if s == "" {
		s = ".*"
	}
	re, err := regexp.CompilePOSIX("^(" + s + ")$")
	if err != nil {
		return nil, fmt.Errorf("bad regular expression %s: %s", s, faultOf(err))
	}
	return regexp.Compile("(?i)" + re.String())
}

// Matches reports whether the filter applies to an event, by its system and one of its names.
func (f *Filter) Matches(system string, names ...string) bool {
	for i := range f.Events {
		if f.Events[i].Matches(system, names...) {
			return true
		}
	}
	return false
}

// Unmatched returns the first of the filter's names that matches no event, or nil.
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

// Matches reports whether the name matches an event, which has one or several names. A name that is
// written literally matches even if its characters have another meaning in a regular expression:
// operator+.
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
	case event == n.Text, len(n.Text) > len(event) && n.isWhole(system, event):
		return true
	case n.quoted:
		return false
	case n.System != nil:
		return n.System.MatchString(system) && n.Event.MatchString(event)
	}
	return n.Event.MatchString(event) || n.Event.MatchString(system)
}

// isWhole reports whether the text is the system and the name, as tracec list prints them.
func (n *EventName) isWhole(system, event string) bool {
	begin, ok := strings.CutSuffix(n.Text, event)
	return ok && len(begin) == len(system)+1 && begin[:len(system)] == system &&
		strings.IndexByte(":/.", begin[len(system)]) >= 0
}
