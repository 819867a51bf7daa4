package contract

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/diag"
)

// WriteText writes the events that differ, for people: the class of each, its changes, and at the end the numbers of all. Events whose ids alone
// differ are listed with ids only.
func (d *Diff) WriteText(w io.Writer, ids bool) error {
	var b strings.Builder
	for i := range d.Results {
		if r := &d.Results[i]; r.shown(ids) {
			r.write(&b, ids)
		}
	}
	b.WriteString(d.Summary())
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// shown reports whether an event has more to it than its id.
func (r *Result) shown(ids bool) bool {
	return r.Class > Relocates || slices.ContainsFunc(r.Changes, func(c Change) bool { return ids || c.Kind != ID })
}

func (r *Result) write(b *strings.Builder, ids bool) {
	fmt.Fprintf(b, "%s: %s", r.Label(), r.Class)
	if len(r.Lost) > 0 {
		fmt.Fprintf(b, " %s", strings.Join(r.Lost, ", "))
	}
	b.WriteByte('\n')
	for _, c := range r.Changes {
		if c.Kind != EventAdded && c.Kind != EventRemoved && (ids || c.Kind != ID) {
			fmt.Fprintf(b, "\t%s\n", c)
		}
	}
	if r.Err != nil {
		fmt.Fprintf(b, "\tBind: %s\n", strings.TrimPrefix(r.Err.Error(), r.Label()+": "))
	}
}

// String returns what changed as a phrase.
func (c Change) String() string {
	name := cmp.Or(c.Field, "text") // which may name constants
	field := func(what string) string { return fmt.Sprintf("%s: %s %s, was %s", name, what, c.New, c.Old) }
	switch c.Kind {
	case EventAdded:
		return "the event is new"
	case EventRemoved:
		return "the event is gone"
	case ID:
		return fmt.Sprintf("id %s, was %s", c.New, c.Old)
	case Text:
		return fmt.Sprintf("text %s\n\twas  %s", oneLine(c.New), oneLine(c.Old))
	case Place:
		return "values are in other places"
	case FieldAdded, EnumAdded:
		return fmt.Sprintf("%s: added %s", name, c.New)
	case FieldRemoved, EnumRemoved:
		return fmt.Sprintf("%s: removed %s", name, c.Old)
	case Moved:
		return field("at")
	case Widened, Narrowed:
		return field("bytes")
	case Type:
		return field("type")
	}
	return fmt.Sprintf("%s: %s, was %s", name, c.New, c.Old)
}

// oneLine returns a text without the ends of its lines.
func oneLine(text string) string {
	if text == "" {
		return "none"
	}
	return strings.Join(strings.Fields(text), " ")
}

// Summary returns the numbers of all events in a line.
func (d *Diff) Summary() string {
	parts := make([]string, 0, 8)
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(d.Count(Binds), "bind as they are")
	add(d.Count(Relocates), "relocate")
	add(d.Count(Loses), "lose fields")
	add(d.Count(Unbound), "do not bind")
	add(d.Count(Misreads), "are misread")
	add(d.Count(Added), "added")
	ids, changed := 0, 0
	for i := range d.Results {
		if r := &d.Results[i]; r.Class != Added {
			if slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Kind == ID }) {
				ids++
			}
			if r.shown(false) {
				changed++
			}
		}
	}
	add(ids, "with another id")
	add(changed, "changed")
	text := fmt.Sprintf("%d events", len(d.Results)-d.Count(Added))
	if len(parts) > 0 {
		text += ": " + strings.Join(parts, ", ")
	}
	return text
}

// Findings returns what a decoder of the old side does not read as it was generated, with the codes of classes: errors where it does not bind, warnings where it
// relocates. file is what they are findings about.
func (d *Diff) Findings(file string) diag.List {
	var list diag.List
	for i := range d.Results {
		r := &d.Results[i]
		severity := diag.Error
		switch r.Class {
		case Added, Binds:
			continue
		case Relocates:
			severity = diag.Warning
		}
		var what []string
		for _, c := range r.Changes {
			if c.Kind != ID && c.Kind != Text {
				what = append(what, c.String())
			}
		}
		if r.Err != nil {
			what = append(what, strings.TrimPrefix(r.Err.Error(), r.Label()+": "))
		}
		msg := fmt.Sprintf("%s, in %s: %s", r.Label(), d.New.Name, r.Class)
		if len(what) > 0 {
			msg += ": " + strings.Join(what, "; ")
		}
		list = append(list, diag.Diagnostic{File: file, Severity: severity, Code: r.Class.String(), Msg: msg})
	}
	return list
}
