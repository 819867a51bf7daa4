package gen

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// wanted reports whether the struct has a field for a value.
func (e *intoEvent) wanted(name string) bool {
	return slices.ContainsFunc(e.fills, func(f *fill) bool { return f.from.member == "" && f.from.name == name })
}

// layOut is the layout of the used fields, for the table.
func (e *intoEvent) layOut() *event {
	own := *e.Event
	own.Size = 0
	x := &event{Event: &own, align: 1}
	var fields []*ir.Field
	for _, f := range e.fills {
		if f.from.field != nil && !slices.Contains(fields, f.from.field) {
			fields = append(fields, f.from.field)
		}
	}
	slices.SortStableFunc(fields, func(a, b *ir.Field) int { return a.Offset - b.Offset })
	for _, f := range fields {
		x.fields = append(x.fields, &field{Field: f, elem: f.Elem})
		if f.Kind != ir.Tail {
			own.Size = max(own.Size, f.Offset+f.Size)
		}
	}
	x.size = own.Size
	return x
}

// takers gives each value of the event the fields that take it. Values that are not used get no
// fields.
func (e *intoEvent) takers() {
	e.values.taken = true
	for i, v := range e.values.leaves() {
		v.into = nil
		for _, f := range e.fills {
			if f.from.member == "" && f.from.value == i {
				v.into, v.typ = append(v.into, f), f.from.typ
			}
		}
	}
}

// reader is the name of the function that fills the struct.
func (e *intoEvent) reader() string {
	if e.isWide {
		return "wide" + e.goName
	}
	return "read" + e.goName
}

// decodeFunc writes the function that fills a struct from data. If the environments of a record
// differ, it writes a function for each of them.
func (p *intoPkg) decodeFunc(out *piece, e *intoEvent) {
	e.takers()
	name := e.reader()
	begin := func(name string, params ...jen.Code) *jen.Statement {
		params = append([]jen.Code{jen.Id("h").Op("*").Id(e.goName)}, params...)
		return out.Func().Params(jen.Id("d").Op("*").Id("dispatch")).Id(name).Params(params...)
	}
	out.Line()
	comments(out.Group, fmt.Sprintf("%s fills h with values of %s. It reports whether data was long enough.", name, plain(payloadLabel(e.payload.Event))))
	if !e.values.varies() {
		body := decodeBody(out, group{forms: e.values.forms}, p.system, e.values)
		begin(name, data().Index().Byte()).Bool().BlockFunc(func(g *jen.Group) {
			e.reset(g)
			for _, c := range body {
				g.Add(c)
			}
		})
		return
	}
	e.values.inEnvironments(out, func(f *form) []ir.Stmt { return f.Decode }, environments{
		system: p.system,
		begin: func(suffix string) *jen.Statement {
			return out.Func().Params(jen.Id("d").Op("*").Id("dispatch")).Id(name + suffix)
		},
		params: []jen.Code{jen.Id("h").Op("*").Id(e.goName), data().Index().Byte()},
		result: jen.Bool(),
		first:  e.reset,
		body:   func(g group) []jen.Code { return decodeBody(out, g, p.system, e.values) },
		call: func(suffix string, more ...jen.Code) *jen.Statement {
			return jen.Id("d").Dot(name + suffix).Call(append([]jen.Code{jen.Id("h"), data()}, more...)...)
		},
		none: jen.False(),
	})
}

// reset empties the fields that some records do not set. Slices keep their memory.
func (e *intoEvent) reset(g *jen.Group) {
	for _, v := range e.values.leaves() {
		if v.certain {
			continue
		}
		for _, f := range v.into {
			switch {
			case f.to.tag.ok:
				g.Add(f.target()).Op("=").False()
			case v.repeated:
				g.Add(f.target()).Op("=").Add(f.target()).Index(jen.Empty(), number(0))
			case f.goal.kind == toBytes:
				g.Add(f.target()).Op("=").Nil()
			case f.goal.kind == toString:
				g.Add(f.target()).Op("=").Lit("")
			case f.goal.kind == toBool:
				g.Add(f.target()).Op("=").False()
			case f.goal.kind == toChars:
				g.Id("clear").Call(f.target().Index(jen.Empty(), jen.Empty()))
			default:
				g.Add(f.target()).Op("=").Lit(0)
			}
		}
	}
}

// keepInto sets the fields of the user's struct that take a value.
func (w *writer) keepInto(v *valueField, s *ir.Keep) {
	for _, f := range v.into {
		if f.to.tag.ok {
			w.emit(f.target().Op("=").True())
			continue
		}
		if s.V == nil && s.Of == nil { // a list begins
			w.emit(f.target().Op("=").Add(f.target()).Index(jen.Empty(), number(0)))
			continue
		}
		code := w.taken(v, f, s)
		if v.repeated {
			w.emit(f.target().Op("=").Append(f.target(), f.element(code)))
			continue
		}
		for _, c := range f.assign(code, f.numberName()) {
			w.emit(c)
		}
	}
}

// taken is the code of a value as f takes it: an integer of the type of f.from, a float of its
// size, bytes.
func (w *writer) taken(v *valueField, f *fill, s *ir.Keep) *jen.Statement {
	switch {
	case f.from.shape == ofText:
		return renderFn("CString").Call(w.region(s.Of))
	case f.from.shape == ofBlob:
		return w.region(s.Of)
	case f.from.shape == ofFloat && v.typ.Size == 4:
		return jen.Qual("math", "Float32frombits").Call(w.value(&ir.Convert{T: ir.U32, X: s.V}))
	case f.from.shape == ofFloat:
		return jen.Qual("math", "Float64frombits").Call(w.value(&ir.Convert{T: ir.U64, X: s.V}))
	case f.cut():
		return w.value(convert(f.goal.num, convert(v.typ, s.V))) // not by Go: it refuses constants that do not fit
	}
	code := w.value(convert(v.typ, s.V))
	if _, known := w.constant(s.V); known && f.goal.word { // the same, for the width of int is not known here
		code = codeFn("Pick").Call(jen.True(), code, code.Clone())
	}
	return code
}

// cut reports whether an integer is converted to the size of its field before Go sees it.
func (f *fill) cut() bool {
	return (f.goal.kind == toInt || f.goal.kind == toList) && !f.goal.word && f.from.shape == ofNumber
}

// element converts one of several values to the element type of the field's slice.
func (f *fill) element(code *jen.Statement) *jen.Statement {
	switch f.goal.kind {
	case toStrings:
		return f.goal.convert(f.goal.elem, "string", intern(code))
	case toFloats:
		return f.goal.convert(f.goal.elem, f.from.kindOf(), code)
	case toBlobs:
		return f.goal.convert(f.goal.elem, "[]byte", code)
	}
	return f.goal.convert(f.goal.elem, f.numberName(), code)
}

// numberName is the Go type of an integer that taken has made.
func (f *fill) numberName() string {
	if f.cut() {
		return intName(f.goal.num)
	}
	return intName(f.from.typ)
}
