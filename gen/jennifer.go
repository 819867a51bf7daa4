package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"
)

// The packages that generated code imports.
const (
	runtimePath = "github.com/tracec/tracec/runtime/"
	bindPath    = runtimePath + "bind"
	hooksPath   = runtimePath + "bind/hooks"
	formatsPath = runtimePath + "bind/formats"
	ftracePath  = runtimePath + "ftrace"
	recordPath  = runtimePath + "record"
	renderPath  = runtimePath + "render"
	binaryPath  = "encoding/binary"
)

// importNames tells jennifer the names, which it would otherwise guess.
var importNames = []struct{ path, name string }{
	{bindPath, "bind"}, {callsPath, "calls"}, {sequencePath, "sequence"}, {uftracePath, "uftrace"},
	{markersPath, "markers"}, {lttngPath, "lttng"}, {formatsPath, "formats"}, {hooksPath, "hooks"}, {ftracePath, "ftrace"}, {recordPath, "record"},
	{renderPath, "render"}, {aixPath, "aix"}, {binaryPath, "binary"}, {"unsafe", "unsafe"},
}

func bindFn(name string) *jen.Statement { return jen.Qual(bindPath, name) }

func renderFn(name string) *jen.Statement { return jen.Qual(renderPath, name) }

// recordParam is the parameter r *record.Record.
func recordParam() *jen.Statement { return jen.Id("r").Op("*").Qual(recordPath, "Record") }

// envParam is the parameter env *render.Env.
func envParam() *jen.Statement { return jen.Id("env").Op("*").Qual(renderPath, "Env") }

// data is r.Data.
func data() *jen.Statement { return jen.Id("r").Dot("Data") }

// number is an untyped constant.
func number(n int) *jen.Statement { return jen.Lit(n) }

// hexNumber is an untyped constant in hexadecimal, which jen.Lit cannot write.
func hexNumber(v uint64) *jen.Statement { return jen.Id("0x" + strconv.FormatUint(v, 16)) }

// comments appends one // line for each.
func comments(g *jen.Group, lines ...string) {
	for _, l := range lines {
		g.Comment(l)
	}
}
