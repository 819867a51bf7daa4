package contract

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
)

// TextOptions set the form of WriteText.
type TextOptions struct {
	All   bool // also list events of only one side, and events that differ only in their ids
	Limit int  // maximum number of listed events; 0 means no limit
	// Paint adds colours to texts. If nil, they are plain.
	Paint func(what Part, text string) string
}

// A Part is a part of the text that may have a colour.
type Part uint8

// The parts.
const (
	PartSummary Part = iota
	PartEvent
	PartBad       // a class of an event that decoders do not read
	PartRelocates // a class of an event that they read at a cost
	PartAdded
	PartGone
)

// WriteText writes the differences for people: the numbers of all events, then the events, the
// worst first, with their class and their changes. Events of one class are in the order of their
// names.
func (d *Diff) WriteText(w io.Writer, o TextOptions) error {
	if o.Paint == nil {
		o.Paint = func(_ Part, text string) string { return text }
	}
	var shown []*Result
	gone, added := 0, 0
	for i := range d.Results {
		switch r := &d.Results[i]; {
		case !o.All && r.Class == Added:
			added++
		case !o.All && r.missing():
			gone++
		case r.shown(o.All):
			shown = append(shown, r)
		}
	}
	slices.SortStableFunc(shown, func(a, b *Result) int { return cmp.Compare(b.Class, a.Class) })
	if o.Limit > 0 && len(shown) > o.Limit {
		shown = shown[:o.Limit]
	}
	var b strings.Builder
	b.WriteString(o.Paint(PartSummary, d.Summary()) + "\n")
	for _, r := range shown {
		r.write(&b, &o)
	}
	var folded []string
	if gone > 0 {
		folded = append(folded, o.Paint(PartGone, fmt.Sprintf("%s only in OLD", events(gone))))
	}
	if added > 0 {
		folded = append(folded, o.Paint(PartAdded, fmt.Sprintf("%s only in NEW", events(added))))
	}
	if len(folded) > 0 {
		b.WriteString(strings.Join(folded, ", ") + "; -v lists them\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func events(n int) string {
	if n == 1 {
		return "1 event"
	}
	return fmt.Sprintf("%d events", n)
}

// missing reports whether the new side lacks the event.
func (r *Result) missing() bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Kind == EventRemoved })
}

// shown reports whether an event has changes apart from its id.
func (r *Result) shown(ids bool) bool {
	return r.Class > Relocates || slices.ContainsFunc(r.Changes, func(c Change) bool { return ids || c.Kind != ID })
}

// part returns the part for the colour of an event's class. ok is false if it is plain.
func (r *Result) part() (part Part, ok bool) {
	switch r.Class {
	case Added:
		return PartAdded, true
	case Absent:
		return PartGone, true
	case Binds:
		return 0, false
	case Relocates:
		return PartRelocates, true
	}
	return PartBad, true
}

func (r *Result) write(b *strings.Builder, o *TextOptions) {
	class := r.Class.String()
	if part, ok := r.part(); ok {
		class = o.Paint(part, class)
	}
	fmt.Fprintf(b, "%s: %s", o.Paint(PartEvent, r.Label()), class)
	if len(r.Lost) > 0 {
		fmt.Fprintf(b, " %s", strings.Join(r.Lost, ", "))
	}
	b.WriteByte('\n')
	for _, c := range r.Changes {
		if c.Kind != EventAdded && c.Kind != EventRemoved && (o.All || c.Kind != ID) {
			fmt.Fprintf(b, "\t%s\n", c)
		}
	}
	if r.Err != nil {
		fmt.Fprintf(b, "\tBind: %s\n", r.why())
	}
}

// why returns the error of Bind without the name of the event.
func (r *Result) why() string {
	return strings.TrimPrefix(r.Err.Error(), fmt.Sprintf("event %q: ", r.Label()))
}

// String returns the change as a phrase.
func (c Change) String() string {
	name := cmp.Or(c.Field, "text") // it may name constants
	field := func(what string) string { return fmt.Sprintf("%s: %s %s, was %s", name, what, c.New, c.Old) }
	switch c.Kind {
	case EventAdded:
		return "the event is new"
	case EventRemoved:
		return "the event is gone"
	case ID:
		return fmt.Sprintf("id %s, was %s", c.New, c.Old)
	case Text:
		if c.Old == "" && c.New == "" {
			return "the text is another"
		}
		return fmt.Sprintf("text %s\n\twas  %s", oneLine(c.New), oneLine(c.Old))
	case Places:
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

// oneLine returns a text with each run of white space replaced by one space.
func oneLine(text string) string {
	return strings.Join(strings.Fields(text), " ")
}

// numbers collects numbers with their units.
type numbers []string

func (n *numbers) add(count int, what string) {
	if count > 0 {
		*n = append(*n, fmt.Sprintf("%d %s", count, what))
	}
}

// Decoded returns the numbers of the classes of the old side's events in a line.
func (d *Diff) Decoded() string { return d.line(d.decoded()) }

func (d *Diff) decoded() (n numbers) {
	n.add(d.Count(Binds), "bind as they are")
	n.add(d.Count(Relocates), "relocate")
	n.add(d.Count(Loses), "lose fields")
	n.add(d.Count(Unbound), "do not bind")
	n.add(d.Count(Misreads), "are misread")
	n.add(d.Count(Absent), "absent")
	return n
}

func (d *Diff) line(n numbers) string {
	text := events(len(d.Results) - d.Count(Added))
	if len(n) > 0 {
		text += ": " + strings.Join(n, ", ")
	}
	return text
}

// Summary returns the numbers of all events in a line.
func (d *Diff) Summary() string {
	n := d.decoded()
	n.add(d.Count(Added), "added")
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
	n.add(ids, "with another id")
	n.add(changed, "changed")
	return d.line(n)
}

// Findings returns the events that a decoder of the old side cannot read as generated, with the
// codes of classes. They are errors if it does not bind, warnings if it relocates. The position is
// where the old side describes the event, or the side.
func (d *Diff) Findings() diag.List {
	places := map[key]Place{}
	for i := range d.Old.Events {
		e := &d.Old.Events[i]
		places[keyOf(&e.Layout)] = e.Place
	}
	var list diag.List
	for i := range d.Results {
		r := &d.Results[i]
		severity := diag.Error
		switch r.Class {
		case Added, Absent, Binds:
			continue
		case Relocates:
			severity = diag.Warning
		}
		p := places[key{r.Group, r.Name, r.Exit}]
		at := diag.Position{Filename: cmp.Or(p.File, d.Old.Name), Line: p.Line, Column: p.Col}
		list = append(list, diag.Diagnostic{
			Pos: at, Severity: severity, Code: r.Class.String(), Msg: r.message(d.New.Name),
		})
	}
	return list
}

// message describes in a line the effect on the event in recordings of a side.
func (r *Result) message(side string) string {
	var what []string
	for _, c := range r.Changes {
		switch c.Kind {
		case EventRemoved, ID, Text, FieldAdded, EnumAdded, EnumRemoved, EnumChanged: // not needed, or reported by Bind
		default:
			what = append(what, c.String())
		}
	}
	if r.Err != nil {
		what = append(what, r.why())
	}
	msg := fmt.Sprintf("%s, in %s: %s", r.Label(), side, r.Class)
	if len(what) > 0 {
		msg += ": " + strings.Join(what, "; ")
	}
	return msg
}
