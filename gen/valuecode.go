package gen

import (
	"fmt"
	"slices"

	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// code is the Go type.
func (f *valueField) code() *jen.Statement {
	s := &jen.Statement{}
	if f.repeated {
		s.Index()
	}
	switch {
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
	out.Line()
	comments(out.Group, fmt.Sprintf("%s holds the values of %s.", v.goName, page.Plain(v.label)))
	out.Type().Id(v.goName).StructFunc(func(g *jen.Group) {
		for _, f := range v.fields {
			g.Id(f.goName).Add(f.code()).Comment(page.Quoted(f.source))
		}
		for _, f := range v.fields {
			if f.optional {
				g.Id("Has" + f.goName).Bool()
			}
		}
	})
	if v.varies() {
		v.decodeVariants(out, s)
		return
	}
	out.Line()
	out.Func().Params(v.receiver()).Id("decode").Params(jen.Id("data").Index().Byte()).Bool().
		Block(decodeBody(out, group{forms: v.forms}, s, v.fields)...)
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
		params: []jen.Code{data().Index().Byte()},
		result: jen.Bool(),
		first:  v.reset,
		body:   func(g group) []jen.Code { return decodeBody(out, g, s, v.fieldsOf(g.forms[0])) },
		call: func(suffix string, more ...jen.Code) *jen.Statement {
			return jen.Id("h").Dot("decode" + suffix).Call(append([]jen.Code{data()}, more...)...)
		},
		none: jen.False(),
	})
}

// decodeBody is the body of a function with a parameter data that fills the fields of h. It returns
// false if data is too short.
func decodeBody(out *page.Page, g group, s system, fields []*valueField) []jen.Code {
	w := newGroupWriter(out, g, s)
	w.keeps = fields
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
	return slices.Concat(w.declarations(), w.askSizes(), body)
}

// startsWithCheck reports whether the program begins with its own check of the length and this
// check covers the check of the event. Then no bytes are known to be present before it.
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
		member := func() *jen.Statement { return jen.Id("h").Dot(f.goName) }
		switch {
		case f.certain:
		case f.repeated:
			g.Add(member()).Op("=").Add(member()).Index(jen.Empty(), jen.Lit(0))
		case f.bytes:
			g.Add(f.assign(jen.Nil(), jen.False()))
		default:
			g.Add(f.assign(jen.Lit(0), jen.False()))
		}
	}
}

// keep sets a field of the struct.
func (w *writer) keep(s *ir.Keep) {
	if w.keeps == nil { // text is wanted
		return
	}
	f := w.keeps[s.Datum]
	if f == nil { // nothing uses it
		return
	}
	if f.into != nil {
		w.keepInto(f, s)
		return
	}
	var v *jen.Statement
	switch d := w.event.Values[s.Datum]; {
	case f.bytes && d.Text:
		v = renderFn("CString").Call(w.region(s.Of))
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
	member := func() *jen.Statement { return jen.Id("h").Dot(f.goName) }
	if f.repeated {
		w.emit(member().Op("=").Append(member(), v))
		return
	}
	w.emit(f.assign(v, jen.True()))
}

// assign sets the field, and whether the event has it.
func (f *valueField) assign(v, has *jen.Statement) *jen.Statement {
	member := jen.Id("h").Dot(f.goName)
	if f.optional {
		return jen.List(member, jen.Id("h").Dot("Has"+f.goName)).Op("=").List(v, has)
	}
	return member.Op("=").Add(v)
}

func convert(t ir.Type, v ir.Value) ir.Value {
	if v.Type() == t {
		return v
	}
	return &ir.Convert{T: t, X: v}
}
