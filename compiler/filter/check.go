package filter

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/suggest"
)

// CheckEvents checks that each name in a filter is the name of an event that the recording may
// have. recording is the recording's name for messages. names calls yield for all names, until
// yield returns false. described are the same events with their fields; CheckEvents reads them only
// for messages. The error joins *grammar.SyntaxErrors.
func (l List) CheckEvents(
	recording string, names func(yield func(system string, names ...string) bool), described iter.Seq[*Event],
) (err error) {
	for _, f := range l {
		n := f.Unmatched(names)
		if n == nil {
			continue
		}
		e := withoutEvents(f, described)
		if e == nil {
			msg := recording + " has no event `" + n.Text + "`"
			e = &grammar.SyntaxError{Source: f.Source, Offset: n.Pos, Msg: msg, Hint: meant(n, names)}
		}
		err = errors.Join(err, e)
	}
	return err
}

// most is the greatest number of names in a message.
const most = 5

// withoutEvents returns the message for a condition without event names, and nil for other filters.
func withoutEvents(f *grammar.Filter, described iter.Seq[*Event]) *grammar.SyntaxError {
	if f.Cond != nil || len(f.Events) > 1 || !strings.ContainsAny(f.Source, "=<>~&!") {
		return nil
	}
	cond, err := grammar.Condition(f.Source)
	if err != nil {
		return nil
	}
	e := &grammar.SyntaxError{Source: f.Source, Msg: "which event? a filter is EVENTS: CONDITION"}
	var fields []string
	for _, n := range cond.Fields() {
		if n.Name != "common_pid" && !slices.Contains(fields, n.Name) {
			fields = append(fields, n.Name)
		}
	}
	if len(fields) == 0 {
		e.Msg, e.Try = "which event? all have "+strings.TrimSpace(f.Source), ".*: "+f.Source
		return e
	}
	var events []string
	for ev := range described {
		all := ev.names()
		if !slices.ContainsFunc(fields, func(name string) bool { return !slices.Contains(all, name) }) &&
			!slices.Contains(events, ev.Names[0]) {
			events = append(events, ev.Names[0])
		}
		if len(events) > most {
			events[most] = "…"
			break
		}
	}
	slices.Sort(events[:min(len(events), most)])
	for i, name := range events[:min(len(events), most)] {
		events[i] = grammar.QuoteEvent(name)
	}
	if len(events) == 0 {
		return e
	}
	e.Msg = "which event? these have " + strings.Join(fields, ", ") + ": " + strings.Join(events, ", ")
	of := strings.Join(events, ",")
	if len(events) > most {
		of = events[0]
	}
	e.Try = of + ": " + f.Source
	return e
}

// meant suggests similar names for a name that no event has.
func meant(n *grammar.EventName, names func(yield func(system string, names ...string) bool)) string {
	whole := strings.Contains(n.Text, "/")
	var all []string
	names(func(system string, names ...string) bool {
		for _, name := range names {
			if whole {
				name = system + "/" + name
			} else if system != "" {
				all = append(all, system)
			}
			all = append(all, grammar.QuoteEvent(name))
		}
		return true
	})
	hint := suggest.DidYouMean(n.Text, all)
	if glob := strings.ReplaceAll(n.Text, ".*", ""); strings.Contains(glob, "*") {
		hint = "; names are regular expressions, with .* for the * of globs" + hint
	}
	return hint
}

// CheckFields checks that each field of a filter can be used in at least one of the events that the
// filter applies to; the others may lack it. described must include these events, and may include
// more. The error joins *grammar.SyntaxErrors.
func (l List) CheckFields(described iter.Seq[*Event]) (err error) {
	for _, f := range l {
		err = errors.Join(err, checkFields(f, described))
	}
	return err
}

// checkFields is CheckFields for one filter. It reads no more events than it needs.
func checkFields(f *grammar.Filter, described iter.Seq[*Event]) (err error) {
	fields := f.Fields()
	if len(fields) == 0 {
		return nil
	}
	problems, names := map[int]string{}, map[string]bool{}
	missing := map[int]bool{} // by position in the filter
	var events []string
	var distinct []string
	for _, n := range fields {
		problems[n.Pos], missing[n.Pos] = "", true
		distinct = append(distinct, n.Name)
	}
	slices.Sort(distinct)
	distinct = slices.Compact(distinct)
	for e := range described {
		if !f.Matches(e.System, e.Names...) {
			continue
		}
		c := newCompiler(e)
		events = append(events, e.Names[0])
		for _, n := range e.names() {
			names[grammar.QuoteField(n)] = true
		}
		if !slices.ContainsFunc(distinct, func(name string) bool { _, ok := c.field(name); return ok }) {
			continue // the field gives no hint
		}
		c.problems = problems
		c.used = func(pos int) { delete(missing, pos) }
		if c.filter(f); len(missing) == 0 {
			return nil
		}
	}
	for _, n := range fields {
		if !missing[n.Pos] {
			continue
		}
		e := &grammar.SyntaxError{Source: f.Source, Offset: n.Pos, Msg: problems[n.Pos]}
		if e.Msg == "" {
			e.Msg = "no event that the filter names has a field " + grammar.QuoteField(n.Name)
			if len(events) == 1 {
				e.Msg = events[0] + " has no field " + grammar.QuoteField(n.Name)
			}
			e.Hint = suggest.DidYouMean(n.Name, slices.Sorted(maps.Keys(names)))
			if event, ok := eventFor(f, described); ok {
				e.Msg, e.Hint, e.Try = event+" is the name of an event, and is taken for EVENTS: CONDITION", "",
					strings.Replace(event, ":", "/", 1)
			}
		}
		err = errors.Join(err, e)
	}
	return err
}

// eventFor returns the event meant by a filter such as sched:sched_switch, in which the condition
// is a single word.
func eventFor(f *grammar.Filter, described iter.Seq[*Event]) (name string, ok bool) {
	field, is := f.Cond.(grammar.Field)
	if !is || len(f.Events) != 1 {
		return "", false
	}
	for e := range described {
		if e.System == f.Events[0].Text && slices.Contains(e.Names, field.Name) {
			return e.System + ":" + field.Name, true
		}
	}
	return "", false
}
