package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// callback is one callback of a Decoder of sequential payloads.
type callback struct {
	goName  string   // of the callback
	payload *payload // nil: without values
}

// callbacks are those of a package, in the order of its table.
type callbacks struct {
	list   []*callback
	entry  string // import path of the runtime package that has the Entry
	target ir.Target
}

// entryParam is what a record comes with.
func (s *callbacks) entryParam() *jen.Statement { return jen.Id("x").Op("*").Qual(s.entry, "Entry") }

// signature is the type of a callback.
func (s *callbacks) signature(c *callback) *jen.Statement {
	params := []jen.Code{recordParam(), s.entryParam()}
	if c.payload != nil {
		params = append(params, jen.Id("v").Op("*").Id(c.payload.goName))
	}
	return jen.Func().Params(params...)
}

// members writes the first fields of a Decoder.
func (s *callbacks) members(g *jen.Group) {
	for _, c := range s.list {
		g.Id(c.goName).Add(s.signature(c))
	}
}

// values writes the field of a Decoder that holds the structs that callbacks get.
func (s *callbacks) values(g *jen.Group) {
	g.Id("values").StructFunc(func(g *jen.Group) {
		for i, c := range s.list {
			if c.payload != nil {
				g.Id(scratchName(i)).Id(c.payload.goName)
			}
		}
	})
}

// dispatch writes the switch over callbacks.
func (s *callbacks) dispatch(out *piece) {
	out.Line()
	comments(out.Group, "dispatch is a Decoder as its binding sees it.")
	out.Type().Id("dispatch").Id("Decoder")
	out.Line()
	comments(out.Group, "Call implements sequence.Target.")
	out.Func().Params(jen.Id("d").Op("*").Id("dispatch")).Id("Call").Params(jen.Id("slot").Int(), recordParam(), s.entryParam()).Bool().Block(
		jen.Switch(jen.Id("slot")).BlockFunc(func(g *jen.Group) {
			for i, c := range s.list {
				call := jen.Id("d").Dot(c.goName)
				if c.payload == nil {
					g.Case(number(i)).Block(call.Call(jen.Id("r"), jen.Id("x")))
					continue
				}
				value := func() *jen.Statement { return jen.Id("d").Dot("values").Dot(scratchName(i)) }
				g.Case(number(i)).Block(
					jen.If(jen.Op("!").Add(value()).Dot("Decode").Call(data())).Block(jen.Return(jen.False())),
					call.Call(jen.Id("r"), jen.Id("x"), jen.Op("&").Add(value())))
			}
		}),
		jen.Return(jen.True()))
}

// structs writes the types of the values.
func (s *callbacks) structs(out *piece) {
	out.apart = "X" // the texts have tables, too
	for _, c := range s.list {
		if c.payload != nil {
			c.payload.declare(out, s.target)
			out.ended()
		}
	}
}

// texts writes the functions that render values.
func (s *callbacks) texts(out *piece) {
	out.Line()
	comments(out.Group, "Text implements sequence.Renderer.")
	out.Func().Params(jen.Id("d").Op("*").Id("dispatch")).Id("Text").
		Params(jen.Id("slot").Int(), jen.List(jen.Id("dst"), jen.Id("data")).Index().Byte(), envParam()).Index().Byte().Block(
		jen.Switch(jen.Id("slot")).BlockFunc(func(g *jen.Group) {
			for i, c := range s.list {
				if c.payload != nil {
					g.Case(number(i)).Block(jen.Return(jen.Id("append"+c.payload.goName).Call(dst(), jen.Id("data"), jen.Id("env"))))
				}
			}
		}),
		jen.Return(dst()))
	for _, c := range s.list {
		if c.payload != nil {
			c.payload.text(out, s.target)
			out.ended()
		}
	}
}

// layoutPart is the layout of a callback's payload in a table, nothing without values.
func (c *callback) layoutPart() []jen.Code {
	if c.payload == nil {
		return nil
	}
	return []jen.Code{jen.Id("Layout").Op(":").Add(layoutCode(&c.payload.layout))}
}
