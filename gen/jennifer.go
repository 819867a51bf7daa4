package gen

import (
	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/gen/internal/expr"
)

const (
	bindPath    = expr.BindPath
	gencodePath = expr.GencodePath
	recordPath  = expr.RecordPath
	renderPath  = expr.RenderPath
	binaryPath  = expr.BinaryPath
)

var (
	bindFn    = expr.Bind
	codeFn    = expr.Gencode
	renderFn  = expr.Render
	data      = expr.Data
	number    = expr.Number
	hexNumber = expr.Hex
)

// envParam is the parameter env *render.Env.
func envParam() *jen.Statement { return jen.Id("env").Op("*").Qual(renderPath, "Env") }

// comments appends one // line for each.
func comments(g *jen.Group, lines ...string) {
	for _, l := range lines {
		g.Comment(l)
	}
}
