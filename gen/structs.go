package gen

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// structs writes the types of all events.
func (p *pkg) structs(out *piece) {
	for _, e := range p.events {
		e.structType(out)
		for _, f := range e.fields {
			e.accessor(out, f)
		}
	}
}

// structType writes the struct. All padding is explicit, also that behind the last field, so that its size is
// the same on 32-bit machines.
func (e *event) structType(out *piece) {
	out.Line()
	comments(out.Group, fmt.Sprintf("%s is %s.", e.goName, eventLabel(e.Group, e.Name)))
	out.Type().Id(e.goName).StructFunc(func(g *jen.Group) {
		at := 0
		for _, f := range e.members {
			pad(g, f.Offset-at)
			g.Id(f.memberName()).Add(f.goType().code()).Comment(quoted(f.CType))
			at = f.Offset + f.Size
		}
		pad(g, e.size-at)
	})
}

func pad(g *jen.Group, n int) {
	if n > 0 {
		g.Id("_").Index(number(n)).Byte()
	}
}

// memberName is the field's Go name; the word of a dynamic field is not exported, its data has a method.
func (f *field) memberName() string {
	if f.Kind == ir.Dynamic {
		return f.word
	}
	return f.goName
}

// code is the Go type.
func (t goType) code() *jen.Statement {
	s := &jen.Statement{}
	if t.count > 0 {
		s.Index(number(t.count))
	}
	bits := strconv.Itoa(8 * t.size)
	switch {
	case t.packed && t.signed:
		return s.Qual(bindPath, "I"+bits)
	case t.packed:
		return s.Qual(bindPath, "U"+bits)
	case t.count > 0 && t.size == 1:
		return s.Byte()
	case t.signed:
		return s.Id("int" + bits)
	}
	return s.Id("uint" + bits)
}

// accessor writes the method of a field whose data is elsewhere in the record.
func (e *event) accessor(out *piece, f *field) {
	if f.Kind != ir.Dynamic && f.Kind != ir.Tail {
		return
	}
	body, result := e.regionOf(f), jen.Index().Byte()
	doc := fmt.Sprintf("%s returns the bytes of %s, a part of r.Data.", f.goName, plain(f.Name))
	switch {
	case f.Text:
		doc = fmt.Sprintf("%s returns the text of %s up to its NUL, a part of r.Data.", f.goName, plain(f.Name))
		body = renderFn("CString").Call(body)
	case f.elem > 1:
		name := "Uint"
		if f.Signed {
			name = "Int"
		}
		result = bindFn(name + strconv.Itoa(8*f.elem) + "s")
		doc = fmt.Sprintf("%s returns the elements of %s, a part of r.Data.", f.goName, plain(f.Name))
		body = result.Clone().Call(body)
	}
	comments(out.Group, doc)
	out.Func().Params(jen.Id("e").Op("*").Id(e.goName)).Id(f.goName).Params(recordParam()).Add(result).
		Block(jen.Return(body))
}

// regionOf is the data of a field that is not in the struct itself.
func (e *event) regionOf(f *field) *jen.Statement {
	switch f.Kind {
	case ir.Dynamic:
		if f.Rel {
			return bindFn("DynRel").Call(data(), e.word(f), number(f.Offset+f.Size))
		}
		return bindFn("Dyn").Call(data(), e.word(f))
	case ir.Tail:
		return bindFn("Rest").Call(data(), number(f.Offset))
	}
	return data().Index(number(f.Offset), number(f.Offset+f.Size))
}

// word is the length-and-offset word of a dynamic field.
func (e *event) word(f *field) *jen.Statement {
	if !f.member {
		return bindFn("Load32").Call(data(), number(f.Offset))
	}
	s := jen.Id("e").Dot(f.memberName())
	if f.goType().packed {
		s.Dot("Get").Call()
	}
	return s
}

// checks writes what stops compiling when a struct is not laid out as planned. Padding being explicit, a
// struct can only be too long: then its size or the offset of its last member is.
func (p *pkg) checks(out *piece) {
	out.Line()
	comments(out.Group, "The layouts that the records have: a constant that is not 0 does not compile.")
	out.Const().DefsFunc(func(g *jen.Group) {
		for _, e := range p.events {
			g.Id("_").Op("=").Op("-").Parens(jen.Qual("unsafe", "Sizeof").Call(jen.Id(e.goName).Values()).Op("^").Add(number(e.size)))
			if n := len(e.members); n > 0 {
				last := e.members[n-1]
				g.Id("_").Op("=").Op("-").Parens(jen.Qual("unsafe", "Offsetof").
					Call(jen.Id(e.goName).Values().Dot(last.memberName())).Op("^").Add(number(last.Offset)))
			}
		}
	})
}
