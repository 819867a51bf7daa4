package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

var kindNames = map[ir.Kind]string{
	ir.Int: "Int", ir.Array: "Array", ir.Dynamic: "Dynamic", ir.Tail: "Tail", ir.Bytes: "Bytes",
}

// table writes the compiled layout of every slot, for bind.
func (p *pkg) table(out *piece) {
	for i, c := range p.commons {
		out.Line()
		comments(out.Group, commonName(i)+" are fields that events begin with.")
		out.Var().Id(commonName(i)).Op("=").Add(fieldList(c))
	}
	out.Line()
	comments(out.Group, "events has the layout of every event, in the order of the callbacks of Decoder.")
	out.Var().Id("events").Op("=").Index().Qual(bindPath, "Event").ValuesFunc(func(g *jen.Group) {
		for _, e := range p.events {
			g.Line().ValuesFunc(func(g *jen.Group) {
				g.Id("Group").Op(":").Lit(e.Group)
				g.Id("Name").Op(":").Lit(e.Name)
				g.Id("Size").Op(":").Lit(e.Size)
				g.Id("Struct").Op(":").Lit(e.size)
				if len(e.common) > 0 {
					g.Id("Common").Op(":").Id(commonName(e.commons))
				}
				if len(e.fields) > 0 {
					g.Id("Fields").Op(":").Add(fieldList(e.fields))
				}
			})
		}
		g.Line()
	})
}

func commonName(i int) string { return "common" + strconv.Itoa(i) }

func fieldList(fields []*field) *jen.Statement {
	return jen.Index().Qual(bindPath, "Field").ValuesFunc(func(g *jen.Group) {
		for _, f := range fields {
			g.Line().ValuesFunc(func(g *jen.Group) {
				g.Id("Name").Op(":").Lit(f.Name)
				g.Id("Offset").Op(":").Lit(f.Offset)
				g.Id("Size").Op(":").Lit(f.Size)
				if f.Kind != ir.Int {
					g.Id("Kind").Op(":").Qual(bindPath, kindNames[f.Kind])
				}
				if f.elem > 0 && f.Kind != ir.Int && f.Kind != ir.Bytes {
					g.Id("Elem").Op(":").Lit(f.elem)
				}
				flag(g, "Signed", f.Signed)
				flag(g, "Rel", f.Rel)
				flag(g, "Text", f.Text)
			})
		}
		g.Line()
	})
}

func flag(g *jen.Group, name string, on bool) {
	if on {
		g.Id(name).Op(":").True()
	}
}
