package tracec

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/filter"
	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/runtime/record"
)

// filter prepares the filters. Their events and fields must be in the recording or in a template.
func (r *Reader) filter() error {
	c := &r.chosen
	err := c.filters.CheckEvents(r.rec.Name(), func(yield func(system string, names ...string) bool) {
		r.source.names(func(system, name, alias string) bool { return yield(system, namesOf(name, alias)...) })
	}, func(yield func(*filter.Event) bool) {
		r.source.described(func(string, string, string) bool { return true },
			func(t *Type) bool { return yield(t.filterEvent()) })
	})
	if err == nil {
		err = c.filters.CheckFields(r.described())
	}
	return err
}

// described returns an iterator over the events that filters name.
func (r *Reader) described() iter.Seq[*filter.Event] {
	return func(yield func(*filter.Event) bool) {
		r.source.described(func(system, name, alias string) bool {
			return r.chosen.filters.Matches(system, namesOf(name, alias)...)
		}, func(t *Type) bool { return yield(t.filterEvent()) })
	}
}

// namesOf returns the names of an event for filters.
func namesOf(name, alias string) []string {
	if alias == "" || alias == name {
		return []string{name}
	}
	return []string{name, alias}
}

// filterEvent returns the event that filters are compiled for.
func (t *Type) filterEvent() *filter.Event {
	e := &filter.Event{System: t.System, Names: namesOf(t.Name, t.Label)}
	if p := t.program; p != nil && t.Fields != nil {
		e.IR, e.Target = p.Event, p.Target
	}
	return e
}

// passable compiles the filters of a type, and reports whether events of the type may pass them.
func (c *chooser) passable(t *Type) bool {
	if len(c.filters) == 0 {
		return true
	}
	e := t.filterEvent()
	e.Hold = c.hold
	p := c.filters.Compile(e)
	c.refused = cmp.Or(c.refused, p.Refused)
	if p.Constant == 0 {
		t.filter = p
	}
	return p.Constant >= 0
}

// named reports whether events with these names may be selected.
func (c *chooser) named(system, name, alias string) bool {
	return c.patterns.Matches(system, name, alias) &&
		(len(c.filters) == 0 || c.filters.Matches(system, name) || alias != "" && c.filters.Matches(system, alias))
}

// asksComm reports whether a filter needs the names of threads.
func asksComm(list filter.List) bool { return asks(list, "COMM") }

func asks(list filter.List, name string) bool {
	return slices.ContainsFunc(list, func(f *grammar.Filter) bool { return f.Asks(name) })
}

// subjects holds the state of filters for one walk.
type subjects struct {
	event    Event // the event for which symbols are looked up
	machines []*filter.Subject
}

func newSubjects(s source) *subjects {
	f := new(subjects)
	s.prepare(&f.event)
	for _, p := range f.event.printers {
		env := *p.Env
		f.machines = append(f.machines, filter.NewSubject(&env))
	}
	return f
}

// pass reports whether a record of a type passes its filter. comm is the name of the thread, empty
// if unknown.
func (f *subjects) pass(r *record.Record, t *Type, comm string) bool {
	f.event.Record = r
	s := f.machines[t.machine]
	if t.filter.Comm {
		if s.Comm = append(s.Comm[:0], comm...); comm == "" {
			s.Comm = nil
		}
	}
	return t.filter.Pass(s, r)
}

// maxCompiled is the maximum number of types compiled to find types that never pass a filter.
const maxCompiled = 256

// ids returns the ids to read; nil means all. Records with an id in after are needed only directly
// after a record with one of ids. Containers skip the other records, which costs less than skipping
// them here. Both lists may hold more ids than the selection needs.
func (r *Reader) ids() (ids, after []uint32) {
	c := &r.chosen
	if len(c.patterns)+len(c.filters) == 0 {
		return nil, nil
	}
	if !r.asked {
		r.asked = true
		r.wanted, r.after = r.source.ids(c)
	}
	return r.wanted, r.after
}

// narrowed removes ids with records that never pass the filters, if there are few ids.
func (c *chooser) narrowed(ids []uint32, typ func(id uint32) *Type) []uint32 {
	if len(c.filters) == 0 || len(ids) > maxCompiled {
		return ids
	}
	return slices.DeleteFunc(ids, func(id uint32) bool { return c.filters.Compile(typ(id).filterEvent()).Constant < 0 })
}

// unlike reports whether no selected event without a system has a name that begins with one of the
// words. It may return false even if there is none.
func (c *chooser) unlike(words ...string) bool {
	var texts []string
	for _, p := range c.patterns {
		texts = append(texts, p.String())
	}
	for _, f := range c.filters {
		for _, n := range f.Events {
			if n.System == nil || n.System.MatchString("") {
				texts = append(texts, n.Text)
			}
		}
	}
	for _, text := range texts {
		begin := strings.ToLower(literal(text))
		for _, w := range words {
			if strings.HasPrefix(w, begin) || strings.HasPrefix(begin, w) {
				return false
			}
		}
	}
	return true
}

// literal returns the common prefix of all names that a glob or a regular expression matches, or a
// part of that prefix.
func literal(text string) string {
	if strings.ContainsAny(text, "|/") || strings.HasPrefix(text, ":") {
		return ""
	}
	if i := strings.IndexAny(text, `.*?[](){}+\^$`); i >= 0 {
		text = text[:max(i-1, 0)] // the last character may be optional
	}
	return text
}
