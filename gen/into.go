package gen

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/own"
	"github.com/tracec/tracec/gen/internal/page"
	"github.com/tracec/tracec/grammar/diag"
)

// IntoName is the base name of the file that GenerateInto writes when Options.Base is empty.
const IntoName = "tracec_gen"

// Structs are the structs of a package that a decoder fills. They have a directive //tracec:event.
type Structs = own.Structs

// ReadStructs reads the package that pattern names, a directory or an import path. base is the name
// of the decoder's file, without .go. A file of an earlier run is ignored, and so are type errors
// that it causes.
//
// The error is about the package as a whole: it does not exist, or it does not parse. GenerateInto
// reports mistakes in directives and tags, so that users see all of them at once.
func ReadStructs(ctx context.Context, pattern, base string) (*Structs, error) {
	return own.Read(ctx, pattern, base)
}

// GenerateInto writes a decoder of events of u into the package of s. The decoder fills the structs
// of s. known are the names of all events of the input, for messages. They may include events that
// are not in u.
//
// Mistakes in the structs are in messages, with their places in the user's source. They include the
// mistakes that s found when it read the package. If a message is an error, there are no files. The
// error is about opts and u. Options.Package, Text, Split, ImportPath and Shared are not used.
func GenerateInto(u *ir.Unit, s *Structs, known []string, opts Options) (files []File, messages diag.List, err error) {
	opts.Package, opts.Base, opts.Shared = s.Package, cmp.Or(opts.Base, IntoName), true
	opts.Text, opts.Split = false, false
	if err := opts.check(); err != nil {
		return nil, nil, err
	}
	if err := ir.Check(u); err != nil {
		return nil, nil, err
	}
	system, err := systemOf(u)
	if err != nil {
		return nil, nil, err
	}
	p := &intoPkg{system: system, structs: s, target: u.Target, sequential: u.Sequential,
		values: map[*ir.Event]*values{}}
	p.targets, messages, err = s.Targets(u, known, p.valuesOf)
	if err != nil || messages != nil {
		return nil, messages, err
	}
	p.plan()
	list, err := page.Write([]*page.File{p.file(opts)}, page.Header{Version: opts.Version, Source: u.Source})
	if err != nil {
		return nil, nil, err
	}
	if messages = s.Clashes(p.targets, slices.Concat(list[0].Declared,
		p.variables(s.Rename(opts.Stem)))); len(messages) > 0 {
		return nil, own.Sorted(messages), nil
	}
	return []File{{list[0].Name, list[0].Text}}, nil, nil
}

// intoPkg is a decoder that fills structs of the package into which it is generated.
type intoPkg struct {
	system
	structs    *own.Structs
	target     ir.Target
	sequential bool // events are read from front to back
	targets    []*own.Target
	values     map[*ir.Event]*values // of sequential events
	events     []*intoEvent
}

// intoEvent is an event and the struct that it fills.
type intoEvent struct {
	*own.Target
	values *values // nil if its fields have offsets, or if it has no values
	layout *event  // layout of the used fields, at offsets; nil for sequential events
}

// valuesOf returns the values of an event, for the fields of a struct.
func (p *intoPkg) valuesOf(s *own.Struct, ev *ir.Event) (has []*own.Value, err error) {
	if !p.sequential {
		for _, f := range ev.Fields {
			has = append(has, own.FieldValue(f))
		}
		return has, nil
	}
	v, err := planValues(ev, p.target, s.Name, payloadLabel(ev))
	if v == nil || err != nil {
		return nil, err
	}
	p.values[ev] = v
	for i, f := range v.leaves() {
		has = append(has, v.given(i, f))
	}
	return has, nil
}

// given describes a value to package own.
func (v *values) given(i int, f *valueField) *own.Value {
	g := &own.Value{Name: f.path(), CType: f.source, Type: f.typ, Index: i, Maybe: f.optional, Many: f.repeated}
	var value, field *ir.Field
	for _, form := range v.forms {
		for _, x := range form.AllValues() {
			if v.of[x] != f {
				continue
			}
			for _, label := range x.Labels {
				if !slices.Contains(g.Also, label) {
					g.Also = append(g.Also, label)
				}
			}
			switch {
			case x.Kind == ir.Bytes && x.Offset == ir.Sequential:
				value, field = x, x
			case x.Fields == nil:
				value = x
			}
		}
	}
	switch {
	case f.bytes && value.Text:
		g.Shape = own.OfText
	case f.bytes:
		g.Shape = own.OfBlob
		if field != nil {
			g.Size = field.Size
		}
	case f.float:
		g.Shape = own.OfFloat
	case value.Enum.OfC():
		g.Type = ir.I32 // the upper half of the register may hold other bits
	}
	return g
}

// plan gives each value the fields that take it. An event with fields at offsets also gets a layout
// of its used fields.
func (p *intoPkg) plan() {
	for _, t := range p.targets {
		e := &intoEvent{Target: t, values: p.values[t.Event]}
		if e.values != nil {
			e.values.taken = true
		}
		if !p.sequential {
			e.layout = layoutOf(t)
		}
		for _, f := range t.Fills {
			if e.values != nil && f.From.Member == "" {
				v := e.values.leaves()[f.From.Index]
				v.into, v.typ = append(v.into, f), f.From.Type
			}
		}
		p.events = append(p.events, e)
	}
}

// layoutOf returns the layout of the used fields, for the table.
func layoutOf(t *own.Target) *event {
	ev := *t.Event
	ev.Size = 0
	x := &event{Event: &ev, align: 1, goName: t.Struct.Name}
	var fields []*ir.Field
	for _, f := range t.Fills {
		if f.From.Field != nil && !slices.Contains(fields, f.From.Field) {
			fields = append(fields, f.From.Field)
		}
	}
	slices.SortStableFunc(fields, func(a, b *ir.Field) int { return a.Offset - b.Offset })
	for _, f := range fields {
		x.fields = append(x.fields, &field{Field: f, elem: f.Elem})
		if f.Kind != ir.Tail {
			ev.Size = max(ev.Size, f.Offset+f.Size)
		}
	}
	x.size = ev.Size
	return x
}
