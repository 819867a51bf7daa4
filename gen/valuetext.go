package gen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// text writes the function that renders an event, and one for each environment that it has.
func (v *values) text(out *piece, s system) {
	name := "append" + v.goName
	params := func() *jen.Statement { return jen.List(jen.Id("dst"), jen.Id("data")).Index().Byte() }
	out.Line()
	comments(out.Group, fmt.Sprintf("%s renders %s.", name, plain(v.label)))
	if !v.varies() {
		out.Func().Id(name).Params(params(), envParam()).Index().Byte().Block(textBody(out, v.forms[0])...)
		return
	}
	same := v.same(func(e *form) []ir.Stmt { return e.Text })
	out.Func().Id(name).Params(params(), s.entryParam(), envParam()).Index().Byte().BlockFunc(func(g *jen.Group) {
		v.choose(g, s, same, func(e *form) jen.Code {
			return jen.Return(jen.Id(name+e.suffix()).Call(dst(), jen.Id("data"), jen.Id("env")))
		})
		g.Return(dst())
	})
	for i, e := range v.forms {
		if same[i] != i {
			continue
		}
		out.Line()
		out.Func().Id(name+e.suffix()).Params(params(), envParam()).Index().Byte().Block(textBody(out, e)...)
	}
}

// appendText calls the function that text writes.
func (v *values) appendText() *jen.Statement {
	args := []jen.Code{dst(), jen.Op("*").Add(data())}
	if v.varies() {
		args = append(args, jen.Id("x"))
	}
	return jen.Id("append" + v.goName).Call(append(args, jen.Id("env"))...)
}

// textBody is the body of a function with parameters dst, data and env that renders an event.
func textBody(out *piece, e *form) []jen.Code {
	w := newStreamWriter(out, e)
	body, ends := w.ending(func() { w.stmts(e.Text) })
	if !ends {
		body = append(body, jen.Return(dst()))
	}
	head := w.declarations()
	if e.Size > 0 {
		short := renderFn("Short").Call(dst(), jen.Len(jen.Id("data")), number(e.Size))
		head = append(head, jen.If(jen.Len(jen.Id("data")).Op("<").Lit(e.Size)).Block(jen.Return(short)))
	}
	return append(head, body...)
}

// newStreamWriter returns a writer of code over the variable data, which holds at least e.Size bytes.
func newStreamWriter(out *piece, e *form) *writer {
	return &writer{
		out: out, event: e.event, target: e.target, consts: make(map[ir.Value]constant), sure: e.Size,
	}
}
