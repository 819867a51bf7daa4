package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/gen/internal/expr"
)

// envParam is the parameter env *render.Env.
func envParam() *jen.Statement { return jen.Id("env").Op("*").Qual(expr.RenderPath, "Env") }

// comments appends one // line for each.
func comments(g *jen.Group, lines ...string) {
	for _, l := range lines {
		g.Comment(l)
	}
}
