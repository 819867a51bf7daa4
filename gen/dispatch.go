package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"
)

// dispatchUnsafe writes dispatch over pointers into the record.
func (p *pkg) dispatchUnsafe(out *piece) {
	out.Line()
	comments(out.Group, "scratch is what decoding into structs needs.")
	out.Type().Id("scratch").Struct()
	view := func(e *event, _ int) *jen.Statement {
		return jen.Parens(jen.Op("*").Id(e.goName)).Parens(jen.Id("p"))
	}
	pointer := jen.Id("p").Op(":=").Qual("unsafe", "Pointer").Call(jen.Qual("unsafe", "SliceData").Call(data()))
	p.eventMethod(out, pointer, view)
	p.textMethod(out, pointer, view)
}

// dispatchPure writes dispatch over structs of the Decoder.
func (p *pkg) dispatchPure(out *piece) {
	out.Line()
	comments(out.Group, "scratch holds the events that callbacks are handed.")
	out.Type().Id("scratch").StructFunc(func(g *jen.Group) {
		for i, e := range p.events {
			g.Id(scratchName(i)).Id(e.goName)
		}
	})
	decoded := func(_ *event, i int) *jen.Statement {
		return jen.Id("d").Dot("scratch").Dot(scratchName(i)).Dot("decode").Call(data())
	}
	p.eventMethod(out, nil, decoded)
	p.textMethod(out, nil, decoded)
	for _, e := range p.events {
		e.decode(out)
	}
}

func scratchName(i int) string { return "e" + strconv.Itoa(i) }

// eventMethod writes the flat switch over the slots.
func (p *pkg) eventMethod(out *piece, first jen.Code, view func(*event, int) *jen.Statement) {
	out.Line()
	comments(out.Group, "Event implements bind.Target.")
	out.Func().Params(jen.Id("d").Op("*").Id("dispatch")).Id("Event").Params(jen.Id("slot").Int(), recordParam()).BlockFunc(func(g *jen.Group) {
		if first != nil {
			g.Add(first)
		}
		g.Switch(jen.Id("slot")).BlockFunc(func(g *jen.Group) {
			for i, e := range p.events {
				g.Case(number(i)).Block(jen.Id("d").Dot(e.goName).Call(jen.Id("r"), view(e, i)))
			}
		})
	})
}

// textMethod makes dispatch a bind.Renderer; without text it is none. Whether the package has text is a
// property of its Decoder, so that texts (in a file of its own) cannot decide it.
func (p *pkg) textMethod(out *piece, first jen.Code, view func(*event, int) *jen.Statement) {
	if !p.text {
		return
	}
	some := false
	for _, e := range p.events {
		some = some || e.HasText
	}
	out.Line()
	comments(out.Group, "Text implements bind.Renderer.")
	out.Func().Params(jen.Id("d").Op("*").Id("dispatch")).Id("Text").
		Params(jen.Id("slot").Int(), jen.Id("dst").Index().Byte(), recordParam(), envParam()).
		Params(jen.Index().Byte(), jen.Bool()).BlockFunc(func(g *jen.Group) {
		if first != nil && some {
			g.Add(first)
		}
		if some {
			g.Switch(jen.Id("slot")).BlockFunc(func(g *jen.Group) {
				for i, e := range p.events {
					if e.HasText {
						g.Case(number(i)).Block(jen.Return(
							view(e, i).Dot("AppendText").Call(jen.Id("dst"), jen.Id("r"), jen.Id("env")), jen.True()))
					}
				}
			})
		}
		g.Return(jen.Id("dst"), jen.False())
	})
}

// decode writes the method that fills the struct from a record in the compiled layout, which is long enough.
func (e *event) decode(out *piece) {
	out.Line()
	out.Func().Params(jen.Id("e").Op("*").Id(e.goName)).Id("decode").Params(jen.Id("b").Index().Byte()).
		Op("*").Id(e.goName).BlockFunc(func(g *jen.Group) {
		if e.Size > 0 && len(e.members) > 0 {
			g.Id("_").Op("=").Id("b").Index(number(e.Size - 1))
		}
		for _, f := range e.members {
			f.decode(g)
		}
		g.Return(jen.Id("e"))
	})
}

func (f *field) decode(g *jen.Group) {
	t := f.goType()
	member := func() *jen.Statement { return jen.Id("e").Dot(f.memberName()) }
	switch {
	case t.count == 0 && t.packed, t.count > 0 && t.size == 1:
		g.Copy(member().Index(jen.Empty(), jen.Empty()), jen.Id("b").Index(number(f.Offset), jen.Empty()))
	case t.count > 0:
		at := jen.Id("b").Index(number(f.Offset).Op("+").Id("i").Op("*").Add(number(t.size)), jen.Empty())
		g.For(jen.Id("i").Op(":=").Range().Add(member())).BlockFunc(func(g *jen.Group) {
			if t.packed {
				g.Copy(member().Index(jen.Id("i")).Index(jen.Empty(), jen.Empty()), at)
			} else {
				g.Add(member().Index(jen.Id("i"))).Op("=").Add(t.loaded(at))
			}
		})
	case t.size == 1:
		v := jen.Id("b").Index(number(f.Offset))
		if t.signed {
			v = jen.Int8().Call(v)
		}
		g.Add(member()).Op("=").Add(v)
	default:
		g.Add(member()).Op("=").Add(t.loaded(jen.Id("b").Index(number(f.Offset), jen.Empty())))
	}
}

// loaded is an integer read from b.
func (t goType) loaded(b jen.Code) *jen.Statement {
	bits := strconv.Itoa(8 * t.size)
	v := jen.Qual(binaryPath, "NativeEndian").Dot("Uint" + bits).Call(b)
	if t.signed {
		return jen.Id("int" + bits).Call(v)
	}
	return v
}
