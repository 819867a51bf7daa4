package lttng

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/lttng"
)

var plain = ir.Spec{Prec: -1}

// text writes the program that prints the fields (lttng.md 8.1). There is no known text of the 0.x
// readers with a structure, an array, a sequence, a union or a float. This program puts their
// members and elements in braces, and prints floats like C's %f.
func text(ev *ir.Event, m *lttng.Marker, r Rules) {
	ev.HasText = true
	if len(m.Fields) == 0 {
		return
	}
	v := newValues(r, true)
	fields := v.fields(m)
	w := &writer{marker: m, rules: r, of: v.of, head: "{ "}
	body, slots := sequence.Walk(ev.Fields[0], fields, r.BigEndian, w)
	ev.Text, ev.Slots = append(body, lit(" }")), max(ev.Slots, slots)
}

func lit(s string) *ir.Lit { return &ir.Lit{S: s} }

// writer prints the values of a payload.
type writer struct {
	marker *lttng.Marker
	rules  Rules
	of     map[*ir.Field]*lttng.Field
	head   string // the text before the first of the remaining fields
}

// Before writes the separator between a field and the field before it, and the name of the field.
func (w *writer) Before(f *ir.Field, i int) []ir.Stmt {
	head := ", "
	if i == 0 {
		head, w.head = w.head, ""
	}
	if w.rules.Era != Era08 {
		head += w.of[f].Name + " = "
	}
	if head == "" {
		return nil
	}
	return []ir.Stmt{lit(head)}
}

// Open begins a group of values.
// None is not called: markers have no variants.
func (w *writer) None(*ir.Field) []ir.Stmt { return nil }

func (w *writer) Open(*ir.Field) []ir.Stmt { return []ir.Stmt{lit("{ ")} }

// Close ends a group of values.
func (w *writer) Close(_ *ir.Field, rest ir.Value) []ir.Stmt {
	if rest == nil {
		return []ir.Stmt{lit(" }")}
	}
	return []ir.Stmt{&ir.If{Cond: rest, Then: []ir.Stmt{lit(", ...")}}, lit(" }")}
}

// Between separates elements.
func (w *writer) Between(turn ir.Value, _ *ir.Field) []ir.Stmt {
	return []ir.Stmt{&ir.If{Cond: turn, Then: []ir.Stmt{lit(", ")}}}
}

// Value prints one value and its note.
func (w *writer) Value(p sequence.Place) []ir.Stmt {
	f := w.of[p.Field]
	out := show(f, p, w.rules.Era)
	if w.rules.Note == nil || f.Kind != lttng.Integer {
		return out
	}
	if note := w.rules.Note(w.marker, f.Name); note != "" {
		call := &ir.Call{Name: "HookCall1", Args: []ir.Arg{ir.StrArg(note), number(f, p)}}
		out = append(out, &ir.PutText{T: call, Spec: plain})
	}
	return out
}

// number returns an integer with 64 bits.
func number(f *lttng.Field, p sequence.Place) ir.Value {
	return &ir.Convert{T: ir.Type{Size: 8, Signed: f.Signed}, X: p.Number()}
}

// show prints one value. Strings are quoted but not escaped. Numbers are extended to 64 bits before
// they are printed, by the sign of the stored type.
func show(f *lttng.Field, p sequence.Place, era Era) []ir.Stmt {
	switch f.Kind {
	case lttng.String:
		text := &ir.Call{Name: "Verbatim", Args: []ir.Arg{p.Bytes()}}
		return []ir.Stmt{lit(`"`), &ir.PutText{T: text, Spec: plain}, lit(`"`)}
	case lttng.Float:
		size := &ir.Const{T: ir.U64, V: uint64(f.Size)}
		return []ir.Stmt{&ir.PutText{T: &ir.Call{Name: "UftraceFloat", Args: []ir.Arg{p.Number(), size}}, Spec: plain}}
	}
	v := number(f, p)
	if f.Pointer {
		return []ir.Stmt{lit("0x"), &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Prec: -1}}}
	}
	if era != Era2 || f.Print.Verb == 0 {
		return []ir.Stmt{&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}}}
	}
	how := f.Print
	spec := ir.Spec{Verb: how.Verb, Minus: how.Minus, Plus: how.Plus, Space: how.Space, Sharp: how.Sharp,
		Zero: how.Zero, Prec: -1}
	switch spec.Verb {
	case 'i', 'd': // also for an unsigned value
		spec.Verb, v = 'd', &ir.Convert{T: ir.I64, X: v}
	case 'u':
		spec.Verb, v = 'd', &ir.Convert{T: ir.U64, X: v}
	case 'p':
		return []ir.Stmt{lit(how.Before + "0x"), &ir.PutInt{V: v, Spec: ir.Spec{Verb: 'x', Prec: -1}}}
	}
	out := []ir.Stmt{lit(how.Before)}
	// Readers print with the C library: 0 has no 0x.
	if spec.Sharp && (spec.Verb == 'x' || spec.Verb == 'X') {
		spec.Sharp = false
		prefix := &ir.CondText{If: v, Then: &ir.Program{Body: []ir.Stmt{lit("0" + string(spec.Verb))}},
			Else: &ir.Program{}}
		out = append(out, &ir.PutText{T: prefix, Spec: plain})
	}
	return append(out, &ir.PutInt{V: v, Spec: spec})
}
