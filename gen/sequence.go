package gen

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind/sequence"
)

// payload is what one kind of record holds when its values lie one after another, with its Go side: a struct with a Decode method.
type payload struct {
	goName string
	doc    string // of the struct
	layout sequence.Layout
	fields []*hookField
	event  *event // folded
}

// planPayload gives the values of ev their fields; what is the record in messages. An event without values has no payload.
func planPayload(ev *ir.Event, target ir.Target, goName, what, doc string) (*payload, error) {
	if len(ev.Values) == 0 {
		return nil, nil
	}
	if !isSequence(ev) {
		return nil, fmt.Errorf("gen: %s: it has other fields than its payload and what follows one another there", what)
	}
	y := &payload{goName: goName, doc: doc, layout: layoutOf(ev, target), event: streamEvent(ev)}
	var names []string
	for _, d := range ev.Values {
		i := slices.IndexFunc(y.layout.Fields, func(f sequence.Field) bool { return f.Name == d.Name })
		if i < 0 || !fits(&y.layout.Fields[i], d) {
			return nil, fmt.Errorf("gen: %s: no field has the value %q", what, d.Name)
		}
		if d.Optional || d.Repeated {
			return nil, fmt.Errorf("gen: %s: %q is not in every record", what, d.Name)
		}
		names = append(names, d.Name)
		y.fields = append(y.fields, &hookField{
			name: d.Name, source: d.Source, typ: d.Type, bytes: d.Type == ir.Type{}, float: d.Float, certain: true,
		})
	}
	for i, n := range fieldNames(names, decodeReserved) {
		y.fields[i].goName = n
	}
	return y, nil
}

// isSequence reports whether all fields after the first, which is the payload, follow one another in it.
func isSequence(ev *ir.Event) bool {
	return isStream(ev.Fields[:min(1, len(ev.Fields))]) &&
		!slices.ContainsFunc(ev.Fields[1:], func(f *ir.Field) bool { return f.Offset != ir.Sequential })
}

// isStream reports whether fields are one that is the whole record.
func isStream(fields []*ir.Field) bool {
	return len(fields) == 1 && fields[0].Kind == ir.Tail && fields[0].Offset == 0
}

// sequenceKind are the kinds of sequential fields as runtime/bind/sequence has them.
var sequenceKind = map[ir.Kind]sequence.Kind{
	ir.Int: sequence.Int, ir.Float: sequence.Float, ir.Bytes: sequence.Bytes, ir.Counted: sequence.Counted, ir.Terminated: sequence.CString,
}

// layoutOf is the layout of a payload for bindings, which compare it with that of a recording.
func layoutOf(ev *ir.Event, target ir.Target) sequence.Layout {
	l := sequence.Layout{BigEndian: target.BigEndian, Fields: make([]sequence.Field, 0, len(ev.Fields))}
	for _, f := range ev.Fields[1:] {
		l.Fields = append(l.Fields, sequence.Field{
			Name: f.Name, Kind: sequenceKind[f.Kind], Size: f.Size, Align: f.Align, Signed: f.Signed, Network: f.Network, PadAfter: f.PadAfter,
		})
	}
	return l
}

// fits reports whether a value is what the layout says.
func fits(f *sequence.Field, d *ir.Datum) bool {
	switch f.Kind {
	case sequence.Int:
		return !d.Float && int(d.Type.Size) == f.Size
	case sequence.Float:
		return d.Float && int(d.Type.Size) == f.Size
	}
	return d.Type == ir.Type{}
}

// declare writes the struct and its Decode method.
func (y *payload) declare(out *piece, target ir.Target) {
	out.Line()
	comments(out.Group, y.doc)
	out.Type().Id(y.goName).StructFunc(func(g *jen.Group) {
		for _, f := range y.fields {
			g.Id(f.goName).Add(f.code()).Comment(quoted(f.source))
		}
	})
	out.Line()
	comments(out.Group, "Decode reads a payload in the layout that was compiled in. It returns false, and h is of no use, when data ends",
		"before the values do. Bytes are parts of data.")
	out.Func().Params(jen.Id("h").Op("*").Id(y.goName)).Id("Decode").Params(jen.Id("data").Index().Byte()).Bool().
		Block(decodeBody(out, y.event, target, y.fields)...)
}

// text writes the function that renders a payload.
func (y *payload) text(out *piece, target ir.Target) {
	out.Line()
	out.Func().Id("append"+y.goName).Params(jen.List(jen.Id("dst"), jen.Id("data")).Index().Byte(), envParam()).Index().Byte().
		Block(textBody(out, y.event, target)...)
}

// sequencePath is the package of the layouts.
const sequencePath = bindPath + "/sequence"

var sequenceKinds = map[sequence.Kind]string{
	sequence.Int: "Int", sequence.Float: "Float", sequence.Bytes: "Bytes", sequence.Counted: "Counted", sequence.CString: "CString",
}

// layoutCode is a layout as a composite literal.
func layoutCode(l *sequence.Layout) *jen.Statement {
	id := func(name string) *jen.Statement { return jen.Id(name).Op(":") }
	fields := jen.Index().Qual(sequencePath, "Field").ValuesFunc(func(g *jen.Group) {
		for _, f := range l.Fields {
			parts := []jen.Code{id("Name").Lit(f.Name), id("Kind").Qual(sequencePath, sequenceKinds[f.Kind])}
			if f.Size != 0 {
				parts = append(parts, id("Size").Lit(f.Size))
			}
			if f.Align > 1 {
				parts = append(parts, id("Align").Lit(f.Align))
			}
			if f.Signed {
				parts = append(parts, id("Signed").True())
			}
			if f.Network {
				parts = append(parts, id("Network").True())
			}
			if f.PadAfter > 1 {
				parts = append(parts, id("PadAfter").Lit(f.PadAfter))
			}
			g.Line().Values(parts...)
		}
		g.Line()
	})
	var parts []jen.Code
	if l.BigEndian {
		parts = append(parts, id("BigEndian").True())
	}
	if len(l.Fields) > 0 {
		parts = append(parts, id("Fields").Add(fields))
	}
	return jen.Qual(sequencePath, "Layout").Values(parts...)
}
