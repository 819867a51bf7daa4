package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

func number(n int) string { return strconv.Itoa(n) }

// changes returns how the description of an event changed.
func (c *comparison) changes(e, n *Event) []Change {
	var list []Change
	add := func(k Kind, field, old, new string) { list = append(list, Change{k, field, old, new}) }
	found := map[*bind.Field]bool{}
	for i, f := range bind.FitFields(&e.Layout, &n.Layout, true) {
		if f.Recorded == nil {
			if !f.Field.Skip && !common(&n.Layout, f.Field) {
				add(FieldRemoved, f.Field.Name, describe(e, f.Field), "")
			}
			continue
		}
		found[f.Recorded] = true
		c.field(add, e, n, f, i)
	}
	for i := range n.Layout.Fields {
		if f := &n.Layout.Fields[i]; !found[f] && !f.Skip && !common(&e.Layout, f) {
			add(FieldAdded, f.Name, "", describe(n, f))
		}
	}
	return append(list, texts(e, n)...)
}

// common reports whether a field is one of the common fields of all events. Tables of packages keep
// them apart or leave them out.
func common(e *bind.Event, f *bind.Field) bool {
	return slices.ContainsFunc(e.Common, func(c bind.Field) bool { return c.Name == f.Name }) ||
		strings.HasPrefix(f.Name, "common_") && !slices.ContainsFunc(e.Fields, func(x bind.Field) bool { return strings.HasPrefix(x.Name, "common_") })
}

// field adds the changes of a field on both sides. It is field i of the old side.
func (c *comparison) field(add func(k Kind, field, old, new string), e, n *Event, f bind.FieldFit, i int) {
	w, h := f.Field, f.Recorded
	if w.Skip || h.Skip {
		return
	}
	j := slices.IndexFunc(n.Layout.Fields, func(x bind.Field) bool { return x.Name == h.Name && x.Kind == h.Kind && x.Offset == h.Offset })
	switch {
	case w.Offset != h.Offset:
		add(Moved, w.Name, number(w.Offset), number(h.Offset))
	case e.Layout.Sequential && i != j:
		add(Moved, w.Name, number(i+1), number(j+1))
	}
	was, is := w.Size, h.Size
	if was == is && w.Kind == h.Kind && w.Elem > 0 && h.Elem > 0 { // lists have elements but no length
		was, is = w.Elem, h.Elem
	}
	switch {
	case was < is:
		add(Widened, w.Name, number(was), number(is))
	case was > is:
		add(Narrowed, w.Name, number(was), number(is))
	}
	if w.Signed != h.Signed {
		add(Sign, w.Name, sign(w), sign(h))
	}
	shape := w.Kind != h.Kind || w.Rel != h.Rel || w.Text != h.Text || w.Order != h.Order ||
		w.Count != h.Count || !bind.EqualFields(w.Fields, h.Fields) ||
		e.Layout.Sequential && (max(w.Align, 1) != max(h.Align, 1) || max(w.PadAfter, 1) != max(h.PadAfter, 1))
	if old, new := typeOf(e, w), typeOf(n, h); shape || old != "" && new != "" && old != new {
		add(Type, w.Name, cmp.Or(old, shapeOf(w)), cmp.Or(new, shapeOf(h)))
	}
}

func sign(f *bind.Field) string {
	if f.Signed {
		return "signed"
	}
	return "unsigned"
}

func typeOf(e *Event, f *bind.Field) string {
	if e.Type == nil {
		return ""
	}
	return e.Type(f.Name)
}

// describe returns a short description of a field.
func describe(e *Event, f *bind.Field) string { return cmp.Or(typeOf(e, f), shapeOf(f)) }

// shapeOf describes a field without a type of C.
func shapeOf(f *bind.Field) string {
	var b strings.Builder
	switch f.Kind {
	case bind.Int:
		fmt.Fprintf(&b, "%s, %d bytes", sign(f), f.Size)
	case bind.Array, bind.Dynamic, bind.Tail:
		fmt.Fprintf(&b, "%v of elements of %d bytes", f.Kind, f.Elem)
	case bind.Struct:
		parts := make([]string, len(f.Fields))
		for i := range f.Fields {
			parts[i] = f.Fields[i].Name + ": " + shapeOf(&f.Fields[i])
		}
		fmt.Fprintf(&b, "%v {%s}", f.Kind, strings.Join(parts, "; "))
	case bind.List:
		if f.Count > 0 {
			fmt.Fprintf(&b, "%v of %d elements", f.Kind, f.Count)
		} else {
			fmt.Fprintf(&b, "%v with a length of %d bytes", f.Kind, f.Size)
		}
		for i := range f.Fields {
			fmt.Fprintf(&b, " {%s}", shapeOf(&f.Fields[i]))
		}
	default:
		fmt.Fprintf(&b, "%v, %d bytes", f.Kind, f.Size)
	}
	for _, flag := range []struct {
		on   bool
		word string
	}{
		{f.Text, "text"},
		{f.Rel, "relative"},
		{f.Order == bind.BigEndian, "big-endian"},
		{f.Order == bind.LittleEndian, "little-endian"},
		{f.Align > 1, "aligned to " + number(f.Align)},
	} {
		if flag.on {
			b.WriteString(", " + flag.word)
		}
	}
	return b.String()
}

// texts returns the changes of the print text and of the names of values.
func texts(e, n *Event) []Change {
	if e.Compile == nil || n.Compile == nil || e.Text != "" && e.Text == n.Text {
		return nil
	}
	var list []Change
	var a, b *ir.Event
	if !e.Plain || !n.Plain {
		a, b = e.compile(), n.compile()
	}
	if a == nil || b == nil {
		a, b = &ir.Event{}, &ir.Event{}
	}
	switch {
	case e.Text == "" || n.Text == "":
		if program(a, false) != program(b, false) {
			list = append(list, Change{Kind: Text})
		}
	case oneLine(e.Text) != oneLine(n.Text):
		list = append(list, Change{Kind: Text, Old: e.Text, New: n.Text})
	}
	if program(a, true) != program(b, true) {
		list = append(list, Change{Kind: Places})
	}
	return append(list, enumerators(a, b)...)
}

// program returns a program of an event in all its variants: the program that prints it or, for a
// hook, the program that finds its values.
func program(ev *ir.Event, values bool) string {
	var b strings.Builder
	for _, v := range variants(ev) {
		switch {
		case !values:
			only := ir.Event{Text: v.Text, HasText: v.HasText, Why: v.Why}
			_ = only.Dump(&b) // a Builder does not fail
		case len(ev.Variants) > 0: // fields of others have offsets, or follow one another
			b.WriteString(v.DumpDecode())
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func variants(ev *ir.Event) []*ir.Event {
	if len(ev.Variants) > 0 {
		return ev.Variants
	}
	return []*ir.Event{ev}
}
