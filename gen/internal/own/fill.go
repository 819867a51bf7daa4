package own

import (
	"fmt"
	"go/types"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
)

// Fill describes how a field of a struct is filled. In the generated code, the variable h is the
// struct, and d.strings are strings of earlier records.
type Fill struct {
	From *Value
	to   *Field
	goal *goal
}

// Presence reports whether the field is a bool that reports whether the record has the value.
func (f *Fill) Presence() bool { return f.to.tag.ok }

// Strings reports whether the field has strings.
func (f *Fill) Strings() bool { return f.goal.kind == toString || f.goal.kind == toStrings }

// AnyWidth reports whether the field has integers whose width depends on the machine.
func (f *Fill) AnyWidth() bool { return f.goal.word }

// Cut returns the type of the field's integers if a number is converted to it before Go sees the
// number. Go refuses constants that do not fit.
func (f *Fill) Cut() (t ir.Type, ok bool) {
	return f.goal.num, (f.goal.kind == toInt || f.goal.kind == toList) && !f.goal.word && f.From.Shape == OfNumber
}

// numberName returns the Go type of a number that is given to Set.
func (f *Fill) numberName() string {
	if t, ok := f.Cut(); ok {
		return expr.TypeName(t)
	}
	return expr.TypeName(f.From.Type)
}

// target returns the code of the field.
func (f *Fill) target() *jen.Statement { return jen.Id("h." + f.to.path) }

func (f *Fill) set(code *jen.Statement) []jen.Code {
	return []jen.Code{f.target().Op("=").Add(code)}
}

// Reset empties the field. A slice of repeated values keeps its memory.
func (f *Fill) Reset(repeated bool) jen.Code {
	switch {
	case f.Presence():
		return f.target().Op("=").False()
	case repeated:
		return f.target().Op("=").Add(f.target()).Index(jen.Empty(), expr.Number(0))
	case f.goal.kind == toBytes:
		return f.target().Op("=").Nil()
	case f.goal.kind == toString:
		return f.target().Op("=").Lit("")
	case f.goal.kind == toBool:
		return f.target().Op("=").False()
	case f.goal.kind == toChars:
		return jen.Id("clear").Call(f.target().Index(jen.Empty(), jen.Empty()))
	}
	return f.target().Op("=").Lit(0)
}

// Found sets a field of Presence to true.
func (f *Fill) Found() jen.Code { return f.target().Op("=").True() }

// Append appends one of several values to the field.
func (f *Fill) Append(code *jen.Statement) jen.Code {
	from := f.numberName()
	switch f.goal.kind {
	case toStrings:
		from, code = "string", intern(code)
	case toFloats:
		from = f.From.kindOf()
	case toBlobs:
		from = "[]byte"
	}
	return f.target().Op("=").Append(f.target(), f.goal.convert(f.goal.elem, from, code))
}

// Set sets the field to a value in the generated code: an integer of the type that Cut returns, a
// float, or bytes.
func (f *Fill) Set(value *jen.Statement) []jen.Code { return f.assign(value, f.numberName()) }

// SetRecord sets the field to a value of the record r.
func (f *Fill) SetRecord() []jen.Code {
	return f.assign(jen.Id("r").Dot(f.From.Member), expr.TypeName(f.From.Type))
}

// SetField sets the field to a field at an offset of the data, which are long enough for all fields
// at fixed offsets.
func (f *Fill) SetField() []jen.Code {
	return f.assign(f.From.load(expr.Data()), expr.TypeName(f.From.Type))
}

// assign returns the statements that set the field to a value: an integer of type from, a float,
// bytes.
func (f *Fill) assign(value *jen.Statement, from string) []jen.Code {
	field, g := f.target, f.goal
	if f.Presence() { // for values of a payload, Found has set it
		return f.set(value.Op("!=").Nil())
	}
	switch g.kind {
	case toInt:
		return f.set(g.convert(g.typ, from, value))
	case toBool:
		return f.set(g.convert(g.typ, "bool", jen.Parens(value).Op("!=").Lit(0)))
	case toFloat:
		return f.set(g.convert(g.typ, f.From.kindOf(), value))
	case toDuration:
		return f.set(f.duration(value))
	case toString:
		return f.set(g.convert(g.typ, "string", intern(value)))
	case toBytes:
		return f.set(value)
	case toChars:
		return []jen.Code{jen.Id("clear").Call(field().Index(jen.Id("copy").Call(field().Index(jen.Empty(),
			jen.Empty()), value), jen.Empty()))}
	case toList:
		return append(f.set(field().Index(jen.Empty(), expr.Number(0))),
			f.From.each(value, jen.Id("list").Dot("Len").Call(),
				field().Op("=").Append(field(), g.convert(g.elem, from, listItem()))))
	}
	return []jen.Code{f.From.each(value, expr.Number(min(g.n, f.From.Size)),
		field().Index(jen.Id("i")).Op("=").Add(g.convert(g.elem, from, listItem())))}
}

// duration returns the code of a number with a unit.
func (f *Fill) duration(value *jen.Statement) *jen.Statement {
	unit := f.to.tag.unit
	if f.From.time {
		unit = time.Nanosecond
	}
	code := expr.Gencode("Duration").Call(value, jen.Qual("time", unitNames[unit]))
	if !isTimeDuration(types.Unalias(f.goal.typ)) { // declared as time.Duration
		code = f.goal.code(f.goal.typ).Call(code)
	}
	return code
}

var unitNames = map[time.Duration]string{
	time.Nanosecond: "Nanosecond", time.Microsecond: "Microsecond", time.Millisecond: "Millisecond",
	time.Second: "Second",
}

func intern(bytes *jen.Statement) *jen.Statement {
	return jen.Id("d").Dot("strings").Dot("Of").Call(bytes)
}

func listItem() *jen.Statement { return jen.Id("list").Dot("At").Call(jen.Id("i")) }

// each returns a loop over n integers of a list.
func (g *Value) each(bytes *jen.Statement, n *jen.Statement, do jen.Code) jen.Code {
	name := "Uint"
	if g.Type.Signed {
		name = "Int"
	}
	list := expr.Bind(fmt.Sprintf("%s%ds", name, 8*g.Type.Size)).Call(bytes)
	return jen.For(jen.Id("list").Op(",").Id("i").Op(":=").Add(list).Op(",").Lit(0), jen.Id("i").Op("<").Add(n),
		jen.Id("i").Op("++")).Block(do)
}

// load returns the code of the value of a field at an offset of a record.
func (g *Value) load(src *jen.Statement) *jen.Statement {
	f := g.Field
	from := func() *jen.Statement { return src.Clone().Index(expr.Number(f.Offset), jen.Empty()) }
	word := func(bits int) *jen.Statement {
		return jen.Qual(expr.BinaryPath, "NativeEndian").Dot(fmt.Sprintf("Uint%d", bits)).Call(from())
	}
	switch {
	case f.Kind == ir.Int && f.Size == 1:
		return expr.Signed(g.Type, src.Clone().Index(expr.Number(f.Offset)))
	case f.Kind == ir.Int:
		return expr.Signed(g.Type, word(8*f.Size))
	}
	var region *jen.Statement
	switch {
	case f.Kind == ir.Dynamic && f.Rel:
		region = expr.Gencode("DynRel").Call(src.Clone(), word(32), expr.Number(f.Offset+f.Size))
	case f.Kind == ir.Dynamic:
		region = expr.Gencode("Dyn").Call(src.Clone(), word(32))
	case f.Kind == ir.Tail:
		region = expr.Gencode("Rest").Call(src.Clone(), expr.Number(f.Offset))
	default:
		region = src.Clone().Index(expr.Number(f.Offset), expr.Number(f.Offset+f.Size))
	}
	if f.Fault {
		region = expr.Gencode("Read").Call(region)
	}
	if g.Shape == OfText {
		return expr.Render("Text").Call(region)
	}
	return region
}

// code returns the code of a type of the user's package, in the form that the package uses.
func (g *goal) code(t types.Type) *jen.Statement {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if pkg := t.Obj().Pkg(); pkg != nil && pkg != g.own {
			return jen.Qual(pkg.Path(), t.Obj().Name())
		}
		return jen.Id(t.Obj().Name())
	case *types.Slice:
		return jen.Index().Add(g.code(t.Elem()))
	case *types.Array:
		return jen.Index(expr.Number(int(t.Len()))).Add(g.code(t.Elem()))
	default:
		return jen.Id(t.String())
	}
}

// convert converts code of type from to a type of the user's package. It does nothing if the code
// already has this type.
func (g *goal) convert(t types.Type, from string, code *jen.Statement) *jen.Statement {
	if b, ok := types.Unalias(t).(*types.Basic); ok && (b.Name() == from || from == "uint8" && b.Name() == "byte") {
		return code
	}
	return g.code(t).Call(code)
}
