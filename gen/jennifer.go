package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"
)

// The packages that generated code imports.
const (
	runtimePath = "github.com/tracec/tracec/runtime/"
	bindPath    = runtimePath + "bind"
	gencodePath = runtimePath + "gencode"
	recordPath  = runtimePath + "record"
	renderPath  = runtimePath + "render"
	binaryPath  = "encoding/binary"
)

// importNames lists the package names for jennifer, which would otherwise guess them.
var importNames = []struct{ path, name string }{
	{bindPath, "bind"}, {gencodePath, "gencode"}, {recordPath, "record"}, {renderPath, "render"}, {binaryPath, "binary"}, {"unsafe", "unsafe"}, {"context", "context"},
}

func bindFn(name string) *jen.Statement { return jen.Qual(bindPath, name) }

// codeFn is a function of package gencode.
func codeFn(name string) *jen.Statement { return jen.Qual(gencodePath, name) }

func renderFn(name string) *jen.Statement { return jen.Qual(renderPath, name) }

// envParam is the parameter env *render.Env.
func envParam() *jen.Statement { return jen.Id("env").Op("*").Qual(renderPath, "Env") }

// data is the data of the record.
func data() *jen.Statement { return jen.Id("data") }

// number is an untyped constant.
func number(n int) *jen.Statement { return jen.Lit(n) }

// hexNumber is an untyped constant in hexadecimal. jen.Lit cannot write it.
func hexNumber(v uint64) *jen.Statement { return jen.Id("0x" + strconv.FormatUint(v, 16)) }

// comments appends one // line for each.
func comments(g *jen.Group, lines ...string) {
	for _, l := range lines {
		g.Comment(l)
	}
}
