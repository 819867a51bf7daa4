package gen

import (
	"slices"

	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// environments describes a function that has to look at the environment of a record.
type environments struct {
	system
	begin  func(suffix string) *jen.Statement // of the declaration, up to the parameters
	params []jen.Code
	result jen.Code
	first  func(*jen.Group) // the first statements, in every environment; may be nil
	body   func(group) []jen.Code
	call   func(suffix string, more ...jen.Code) *jen.Statement
	none   jen.Code // the result in no environment
}

// inEnvironments writes a function, and another one for each group of environments that cannot
// share its code.
func (v *values) inEnvironments(out *page.Page, part func(*form) []ir.Stmt, e environments) {
	groups := v.groups(part)
	main := func(block func(*jen.Group)) {
		params := append(slices.Clone(e.params), e.entryParam(), envParam())
		e.begin("").Params(params...).Add(e.result).BlockFunc(func(g *jen.Group) {
			if e.first != nil {
				e.first(g)
			}
			block(g)
		})
	}
	if len(groups) == 1 && groups[0].body != nil {
		body := e.body(groups[0])
		main(func(g *jen.Group) {
			for _, c := range body {
				g.Add(c)
			}
		})
		return
	}
	main(func(g *jen.Group) {
		g.Switch(jen.Id("x").Dot("Env").Call()).BlockFunc(func(g *jen.Group) {
			for _, gr := range groups {
				var cases []jen.Code
				for _, f := range gr.forms {
					cases = append(cases, jen.Qual(e.path, f.Variant))
				}
				g.Case(cases...).Block(jen.Return(e.call(gr.suffix(), gr.args()...)))
			}
		})
		g.Return(e.none)
	})
	for _, gr := range groups {
		body := e.body(gr)
		params := slices.Clone(e.params)
		if gr.body != nil {
			params = append(params, e.entryParam())
		}
		out.Line()
		e.begin(gr.suffix()).Params(append(params, envParam())...).Add(e.result).Block(body...)
	}
}

// suffix ends the names of the functions of a group.
func (g group) suffix() string { return g.forms[0].suffix() }

// args are the arguments of its functions after data.
func (g group) args() []jen.Code {
	if g.body != nil {
		return []jen.Code{jen.Id("x"), jen.Id("env")}
	}
	return []jen.Code{jen.Id("env")}
}

// newGroupWriter returns a writer of code that reads the variable data, which has at least the head
// of an event.
func newGroupWriter(out *page.Page, g group, s system) *writer {
	e := g.forms[0]
	w := newWriter(out, e.event, e.target)
	w.sure = e.Size
	if g.body == nil {
		return w
	}
	w.merged = &merged{container: s.path}
	for _, e := range g.forms {
		w.merged.sure = append(w.merged.sure, e.Size)
	}
	w.sure = slices.Min(w.merged.sure)
	return w
}

// headSize is the size of the head that every event of the group has.
func (w *writer) headSize(g group) *jen.Statement {
	if g.body != nil {
		return w.amountCode(amount{head: 1})
	}
	return jen.Lit(g.forms[0].Size)
}

// askSizes declares the sizes that the code names.
func (w *writer) askSizes() []jen.Code {
	if w.merged == nil {
		return nil
	}
	return w.merged.begin()
}
