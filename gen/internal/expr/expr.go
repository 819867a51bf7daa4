// Package expr writes small expressions of generated code.
package expr

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// The packages that generated code imports.
const (
	runtimePath = "github.com/tracec/tracec/runtime/"
	BindPath    = runtimePath + "bind"
	GencodePath = runtimePath + "gencode"
	RecordPath  = runtimePath + "record"
	RenderPath  = runtimePath + "render"
	BinaryPath  = "encoding/binary"
)

// Packages are the names of the packages that generated code imports, by path. Without them,
// jennifer would guess the names.
var Packages = map[string]string{
	BindPath: "bind", GencodePath: "gencode", RecordPath: "record", RenderPath: "render", BinaryPath: "binary",
	"math": "math", "time": "time", "unsafe": "unsafe",
	runtimePath + "aix/errno": "errno", runtimePath + "ftrace/errno": "errno",
}

// Bind returns the code of a name of package bind.
func Bind(name string) *jen.Statement { return jen.Qual(BindPath, name) }

// Gencode returns the code of a name of package gencode.
func Gencode(name string) *jen.Statement { return jen.Qual(GencodePath, name) }

// Render returns the code of a name of package render.
func Render(name string) *jen.Statement { return jen.Qual(RenderPath, name) }

// Data returns the code of the data of the record.
func Data() *jen.Statement { return jen.Id("data") }

// Number returns an untyped constant.
func Number(n int) *jen.Statement { return jen.Lit(n) }

// Hex returns an untyped constant in hexadecimal. jen.Lit cannot write it.
func Hex(v uint64) *jen.Statement { return jen.Id("0x" + strconv.FormatUint(v, 16)) }

// TypeName returns the Go type of t.
func TypeName(t ir.Type) string {
	bits := strconv.Itoa(8 * int(t.Size))
	if t.Signed {
		return "int" + bits
	}
	return "uint" + bits
}

// Signed converts code, an unsigned integer of t's size, to t.
func Signed(t ir.Type, code *jen.Statement) *jen.Statement {
	if t.Signed {
		return jen.Id(TypeName(t)).Call(code)
	}
	return code
}
