package gen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"
)

// code returns the Go type.
func (f *valueField) code() *jen.Statement {
	s := &jen.Statement{}
	if f.repeated {
		s.Index()
	}
	switch {
	case f.elem != nil:
		return s.Add(f.elem.code())
	case f.parts:
		return s.Id(f.typeName)
	case f.enum != nil:
		return s.Add(f.enum.code())
	case f.bytes:
		return s.Index().Byte()
	case f.float && f.typ.Size == 4:
		return s.Float32()
	case f.float:
		return s.Float64()
	}
	return s.Add(typeCode(f.typ))
}

// declare writes the struct and the methods that fill it.
func (v *values) declare(out *page.Page, s system) {
	declareStruct(out, v.goName, fmt.Sprintf("%s holds the values of %s.", v.goName, page.Plain(v.label)), v.fields)
	for _, f := range v.structs() {
		one := "is"
		if f.repeated {
			one = "is one of"
		}
		doc := fmt.Sprintf("%s %s %s of %s.", f.typeName, one, f.goName, page.Plain(v.label))
		declareStruct(out, f.typeName, doc, f.members)
	}
	if v.varies() {
		v.decodeVariants(out, s)
		return
	}
	out.Line()
	out.Func().Params(v.receiver()).Id("decode").Params(jen.Id("data").Index().Byte()).Bool().
		Block(decodeBody(out, group{forms: v.forms}, s, v)...)
}

func declareStruct(out *page.Page, name, doc string, fields []*valueField) {
	out.Line()
	comments(out.Group, doc)
	out.Type().Id(name).StructFunc(func(g *jen.Group) {
		for _, f := range fields {
			g.Id(f.goName).Add(f.code()).Comment(page.Quoted(f.source))
		}
		for _, f := range fields {
			if f.optional {
				g.Id("Has" + f.goName).Bool()
			}
		}
	})
}

// varies reports whether records of several environments have the event.
func (v *values) varies() bool { return v.forms[0].Variant != "" }

func (v *values) receiver() *jen.Statement { return jen.Id("h").Op("*").Id(v.goName) }

// decodeVariants writes Decode of an event with environments.
func (v *values) decodeVariants(out *page.Page, s system) {
	out.Line()
	v.inEnvironments(out, func(e *form) []ir.Stmt { return e.Decode }, environments{
		system: s,
		begin: func(suffix string) *jen.Statement {
			return out.Func().Params(v.receiver()).Id("decode" + suffix)
		},
		params: []jen.Code{expr.Data().Index().Byte()},
		result: jen.Bool(),
		first:  v.reset,
		body:   func(g group) []jen.Code { return decodeBody(out, g, s, v) },
		call: func(suffix string, more ...jen.Code) *jen.Statement {
			return jen.Id("h").Dot("decode" + suffix).Call(append([]jen.Code{expr.Data()}, more...)...)
		},
		none: jen.False(),
	})
}

// decodeBody returns the body of a function with a parameter data that fills the fields of h. The
// function returns false if data is too short.
func decodeBody(out *page.Page, g group, s system, v *values) []jen.Code {
	w := newGroupWriter(out, g, s)
	w.keeps = v
	stmts := g.body
	if stmts == nil {
		stmts = g.forms[0].Decode
	}
	alone := w.startsWithCheck(g, stmts)
	body, ends := w.ending(func() { w.stmts(stmts) })
	if !ends {
		body = append(body, jen.Return(jen.True()))
	}
	if g.forms[0].Size > 0 && !alone && !s.checksHead {
		body = slices.Insert(body, 0, jen.Code(jen.If(jen.Len(jen.Id("data")).Op("<").Add(w.headSize(g))).Block(jen.Return(jen.False()))))
	}
	return slices.Concat(w.declarations(), w.places(), w.askSizes(), body)
}

// startsWithCheck reports whether the program begins with its own check of the length, and whether
// this check covers the check of the event. If so, no bytes are known to be present before it.
func (w *writer) startsWithCheck(g group, stmts []ir.Stmt) bool {
	if len(stmts) == 0 {
		return false
	}
	r, ok := stmts[0].(*ir.Require)
	if !ok || !isWhole(r.Of) {
		return false
	}
	for i, e := range g.forms {
		n := int64(-1)
		switch k := r.Bytes.(type) {
		case *ir.Const:
			n = int64(k.V)
		case *varied:
			n = k.values[i]
		}
		if n < int64(e.Size) || n >= 1<<30 {
			return false
		}
	}
	w.sure = 0
	if w.merged != nil {
		clear(w.merged.sure)
	}
	return true
}

// reset empties the fields that some records do not set. Slices keep their memory.
func (v *values) reset(g *jen.Group) {
	for _, f := range v.fields {
		if !f.certain {
			f.reset(g.Add, jen.Id("h"))
		}
	}
}

// reset writes statements that empty a field of the struct in. Slices keep their memory.
func (f *valueField) reset(emit func(...jen.Code) *jen.Statement, in *jen.Statement) {
	member := func() *jen.Statement { return in.Clone().Dot(f.goName) }
	switch {
	case f.repeated:
		emit(member().Op("=").Add(member()).Index(jen.Empty(), jen.Lit(0)))
	case f.parts:
		for _, m := range f.members {
			m.reset(emit, member())
		}
	default:
		zero := jen.Lit(0)
		if f.bytes {
			zero = jen.Nil()
		}
		emit(f.assign(in, zero, jen.False()))
		return
	}
	if f.optional {
		emit(in.Clone().Dot("Has" + f.goName).Op("=").False())
	}
}

// assign sets a field of the struct in. It also sets the field that reports whether the event has
// the value.
func (f *valueField) assign(in, v, has *jen.Statement) *jen.Statement {
	member := in.Clone().Dot(f.goName)
	if f.optional {
		return jen.List(member, in.Clone().Dot("Has"+f.goName)).Op("=").List(v, has)
	}
	return member.Op("=").Add(v)
}

// keep sets a field of the struct.
func (w *writer) keep(s *ir.Keep) {
	if w.keeps == nil { // the program renders text
		return
	}
	f := w.keeps.of[s.Field]
	begins := s.V == nil && s.Of == nil
	switch {
	case s.Field.Kind == ir.List && !begins:
		w.keepNumbers(f, s)
	case w.keeps.taken && begins:
		w.forgetInto(f)
	case w.keeps.taken:
		w.keepInto(f, s)
	case begins:
		w.beginParts(f, s.Field)
	case f.repeated:
		w.emit(w.fieldOf(f).Op("=").Append(w.fieldOf(f), w.kept(f, s)))
	case f.optional:
		w.emit(f.assign(w.around(f), w.kept(f, s), jen.True()))
	default:
		w.emit(w.fieldOf(f).Op("=").Add(w.kept(f, s)))
	}
}

// kept returns the code of the value for a field.
func (w *writer) kept(f *valueField, s *ir.Keep) *jen.Statement {
	var v *jen.Statement
	switch {
	case f.bytes && s.Field.Text:
		v = w.keptText(s)
	case f.bytes:
		v = w.region(s.Of)
	case f.float && f.typ.Size == 4:
		v = jen.Qual("math", "Float32frombits").Call(w.value(&ir.Convert{T: ir.U32, X: s.V}))
	case f.float:
		v = jen.Qual("math", "Float64frombits").Call(w.value(&ir.Convert{T: ir.U64, X: s.V}))
	default:
		v = w.value(convert(f.typ, s.V))
	}
	if f.enum != nil {
		v = f.enum.code().Call(v)
	}
	return v
}

// keptText returns the code of a text up to its NUL. The bytes of a Terminated field end there.
func (w *writer) keptText(s *ir.Keep) *jen.Statement {
	if s.Field.Kind == ir.Terminated {
		return w.region(s.Of)
	}
	return expr.Render("Text").Call(w.region(s.Of))
}

func (w *writer) keepHas(f *valueField) {
	if f.optional {
		w.emit(w.around(f).Dot("Has" + f.goName).Op("=").True())
	}
}

// beginParts begins a list, a structure, or a structure or list inside a list.
func (w *writer) beginParts(f *valueField, field *ir.Field) {
	emit := func(c ...jen.Code) *jen.Statement { w.emit(c[0]); return nil }
	switch {
	case f.repeated && field.Kind != ir.List && f.isEmpty(): // a structure without values
		w.emit(expr.Gencode("Append").Call(jen.Op("&").Add(w.fieldOf(f))))
	case f.repeated && field.Kind != ir.List: // a structure in it
		e := w.place(f, false)
		w.emit(e.Clone().Op("=").Add(expr.Gencode("Append")).Call(jen.Op("&").Add(w.fieldOf(f))))
		for _, m := range f.members {
			m.reset(emit, e)
		}
	case f.isElement():
		e := w.place(f, true)
		w.emit(e.Clone().Op("=").Add(expr.Gencode("Append")).Call(jen.Op("&").Add(w.fieldOf(f.in))))
		w.emit(jen.Op("*").Add(e).Op("=").Parens(jen.Op("*").Add(e)).Index(jen.Empty(), jen.Lit(0)))
	default:
		f.reset(emit, w.around(f))
		w.keepHas(f)
	}
}

// isEmpty reports whether the structure of f has no values.
func (f *valueField) isEmpty() bool {
	return !slices.ContainsFunc(f.members, func(m *valueField) bool {
		return m.repeated || m.optional || !m.parts || !m.isEmpty()
	})
}

// isElement reports whether f is the inner list of a list of lists.
func (f *valueField) isElement() bool { return f.in != nil && f.in.elem == f }

// element is a variable that points to the current element of a list. The element is a structure,
// or the inner list of a list of lists.
type element struct {
	of   *valueField
	list bool
}

// place returns the variable of the current structure in the list f, or of the current inner list
// f.
func (w *writer) place(f *valueField, list bool) *jen.Statement {
	e := element{f, list}
	i := slices.Index(w.elements, e)
	if i < 0 {
		i = len(w.elements)
		w.elements = append(w.elements, e)
	}
	return jen.Id("e" + strconv.Itoa(i))
}

// places declares the variables of elements.
func (w *writer) places() (out []jen.Code) {
	for i, e := range w.elements {
		typ := jen.Id(e.of.typeName)
		if e.list {
			typ = e.of.code()
		}
		out = append(out, jen.Var().Id("e"+strconv.Itoa(i)).Op("*").Add(typ))
	}
	return out
}

// around returns the struct that has f as a field.
func (w *writer) around(f *valueField) *jen.Statement {
	switch {
	case f.in == nil:
		return jen.Id("h")
	case f.in.repeated:
		return w.place(f.in, false)
	}
	return w.fieldOf(f.in)
}

// fieldOf returns the field f, or the inner list of a list of lists.
func (w *writer) fieldOf(f *valueField) *jen.Statement {
	if f.isElement() {
		return jen.Parens(jen.Op("*").Add(w.place(f, true)))
	}
	return w.around(f).Dot(f.goName)
}

func convert(t ir.Type, v ir.Value) ir.Value {
	if v.Type() == t {
		return v
	}
	return &ir.Convert{T: t, X: v}
}
