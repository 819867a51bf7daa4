package gen

import (
	"slices"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// text writes the function that renders an event, and a function for each group of environments
// that cannot share it.
func (v *values) text(out *page.Page, s system, name string) {
	out.Line()
	begin := func(suffix string) *jen.Statement {
		if suffix == "" {
			return out.Func().Id(name)
		}
		return out.Func().Params(jen.Op("*").Id(v.goName)).Id("appendText" + suffix)
	}
	if !v.varies() {
		s.textFunc(begin(""), "data", "env").Block(textBody(out, group{forms: v.forms}, s)...)
		return
	}
	v.inEnvironments(out, func(e *form) []ir.Stmt { return e.Text }, environments{
		system: s,
		begin:  begin,
		params: []jen.Code{jen.List(dst(), expr.Data()).Index().Byte()},
		result: jen.Index().Byte(),
		body:   func(g group) []jen.Code { return textBody(out, g, s) },
		call: func(suffix string, more ...jen.Code) *jen.Statement {
			return v.nothing().Dot("appendText" + suffix).Call(append([]jen.Code{dst(), expr.Data()}, more...)...)
		},
		none: dst(),
	})
}

// nothing returns a receiver for methods that do not use it.
func (v *values) nothing() *jen.Statement {
	return jen.Parens(jen.Op("*").Id(v.goName)).Parens(jen.Nil())
}

// textBody returns the body of a function with parameters dst, data and env that renders an event.
func textBody(out *page.Page, g group, s system) []jen.Code {
	w := newGroupWriter(out, g, s)
	stmts := g.body
	if stmts == nil {
		stmts = g.forms[0].Text
	}
	body := w.textBody(stmts)
	var check []jen.Code
	if g.forms[0].Size > 0 && !s.checksHead {
		short := expr.Render("Short").Call(dst(), jen.Len(jen.Id("data")), w.headSize(g))
		check = append(check, jen.If(jen.Len(jen.Id("data")).Op("<").Add(w.headSize(g))).Block(jen.Return(short)))
	}
	return slices.Concat(w.declarations(), w.askSizes(), check, body)
}
