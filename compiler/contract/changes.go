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
func changes(e, n *Event) []Change {
	var list []Change
	d := differ{e, n, func(k Kind, field, old, new string) { list = append(list, Change{k, field, old, new}) }}
	found := map[*bind.Field]bool{}
	for i, f := range bind.FitFields(&e.Layout, &n.Layout, true) {
		if f.Recorded == nil {
			if !f.Field.Skip && !common(&n.Layout, f.Field) {
				d.add(FieldRemoved, f.Field.Name, describe(e, f.Field), "")
			}
			continue
		}
		found[f.Recorded] = true
		d.field(f, i)
	}
	for i := range n.Layout.Fields {
		if f := &n.Layout.Fields[i]; !found[f] && !f.Skip && !common(&e.Layout, f) {
			d.add(FieldAdded, f.Name, "", describe(n, f))
		}
	}
	return append(list, texts(e, n)...)
}

// common reports whether a field is one of the common fields of all events. Tables of packages keep
// them apart or leave them out.
func common(e *bind.Event, f *bind.Field) bool {
	return slices.ContainsFunc(e.Common, func(c bind.Field) bool { return c.Name == f.Name }) ||
		strings.HasPrefix(f.Name, "common_") && !slices.ContainsFunc(e.Fields,
			func(x bind.Field) bool { return strings.HasPrefix(x.Name, "common_") })
}

// differ finds the changes of an event.
type differ struct {
	e, n *Event
	add  func(k Kind, field, old, new string)
}

// field adds the changes of a field on both sides. It is field i of the old side.
func (d *differ) field(f bind.FieldFit, i int) {
	w, h := f.Field, f.Recorded
	if w.Skip || h.Skip {
		return
	}
	j := slices.IndexFunc(d.n.Layout.Fields, func(x bind.Field) bool {
		return x.Name == h.Name && x.Kind == h.Kind && x.Offset == h.Offset
	})
	switch {
	case w.Offset != h.Offset:
		d.add(Moved, w.Name, number(w.Offset), number(h.Offset))
	case d.e.Layout.Sequential && i != j:
		d.add(Moved, w.Name, number(i+1), number(j+1))
	}
	d.value(w, h, w.Name, typeOf(d.e, w), typeOf(d.n, h))
}

// value adds the changes of a value, and of its members or element. old and new are the C types
// that the descriptions give to the value, or empty.
func (d *differ) value(w, h *bind.Field, path, old, new string) {
	was, is := w.Size, h.Size
	if was == is && w.Kind == h.Kind && w.Elem > 0 && h.Elem > 0 { // lists have elements but no length
		was, is = w.Elem, h.Elem
	}
	switch {
	case was < is:
		d.add(Widened, path, number(was), number(is))
	case was > is:
		d.add(Narrowed, path, number(was), number(is))
	}
	if w.Signed != h.Signed {
		d.add(Sign, path, sign(w), sign(h))
	}
	// The changes of its parts explain a change of its C type.
	inside := w.Kind == h.Kind && w.Fields != nil && h.Fields != nil
	shape := d.shape(w, h)
	if shape || !inside && old != "" && new != "" && old != new {
		d.add(Type, path, cmp.Or(old, shapeOf(w)), cmp.Or(new, shapeOf(h)))
	}
	if inside {
		d.parts(w, h, path)
	}
}

// shape reports whether the shape of a value changed. Members and elements do not count.
func (d *differ) shape(w, h *bind.Field) bool {
	return w.Kind != h.Kind || w.Rel != h.Rel || w.Text != h.Text || w.Order != h.Order || w.Count != h.Count ||
		w.Bits != h.Bits || (w.From == 0) != (h.From == 0) || w.Optional != h.Optional ||
		!slices.Equal(w.When, h.When) ||
		(w.Fields == nil) != (h.Fields == nil) ||
		d.e.Layout.Sequential && (max(w.Align, 1) != max(h.Align, 1) || max(w.PadAfter, 1) != max(h.PadAfter, 1))
}

// parts adds the changes of the members of a structure, the arms of a variant, or the element of a
// list.
func (d *differ) parts(w, h *bind.Field, path string) {
	if w.Kind == bind.List {
		e, f := &w.Fields[0], &h.Fields[0]
		if e.Fields == nil || f.Fields == nil {
			path += "[]"
		}
		d.value(e, f, path, "", "")
		return
	}
	place := func(list []bind.Field, name string) int {
		return slices.IndexFunc(list, func(x bind.Field) bool { return x.Name == name })
	}
	for i := range w.Fields {
		m := &w.Fields[i]
		j := place(h.Fields, m.Name)
		if j < 0 {
			d.add(FieldRemoved, path+"."+m.Name, shapeOf(m), "")
			continue
		}
		if i != j && w.Kind == bind.Struct {
			d.add(Moved, path+"."+m.Name, number(i+1), number(j+1))
		}
		d.value(m, &h.Fields[j], path+"."+m.Name, "", "")
	}
	for i := range h.Fields {
		if m := &h.Fields[i]; place(w.Fields, m.Name) < 0 {
			d.add(FieldAdded, path+"."+m.Name, "", shapeOf(m))
		}
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
	case bind.Struct, bind.Variant:
		parts := make([]string, len(f.Fields))
		for i := range f.Fields {
			parts[i] = f.Fields[i].Name + ": " + shapeOf(&f.Fields[i])
		}
		fmt.Fprintf(&b, "%v {%s}", f.Kind, strings.Join(parts, "; "))
	case bind.List:
		switch {
		case f.From > 0:
			fmt.Fprintf(&b, "%v with its length in another field", f.Kind)
		case f.Size > 0:
			fmt.Fprintf(&b, "%v with a length of %d bytes", f.Kind, f.Size)
		default:
			fmt.Fprintf(&b, "%v of %d elements", f.Kind, f.Count)
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
		{f.When != nil, "selected by " + ranges(f.When)},
		{f.Bits.Count > 0, fmt.Sprintf("%d bits from bit %d on", f.Bits.Count, f.Bits.At)},
	} {
		if flag.on {
			b.WriteString(", " + flag.word)
		}
	}
	return b.String()
}

// ranges describes the numbers that select an arm.
func ranges(list []bind.Range) string {
	text := make([]string, len(list))
	for i, r := range list {
		if text[i] = strconv.FormatUint(r.Low, 10); r.High != r.Low {
			text[i] += " to " + strconv.FormatUint(r.High, 10)
		}
	}
	return strings.Join(text, ", ")
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
		case len(ev.Variants) > 0: // the fields of other events have offsets, or follow one another
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
