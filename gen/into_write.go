package gen

import (
	"bytes"
	"fmt"
	"go/types"
	"slices"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/bind"
)

// file plans the one generated file. It has no variant without unsafe, because it does not use
// unsafe.
func (p *intoPkg) file(opts Options) *source {
	names := make([]eventName, len(p.events))
	for i, e := range p.events {
		names[i] = nameEvent(e.goName, e.goName, e.into.Event, func(name, _ string) string { return name })
	}
	pieces := []func(*piece){
		handshake,
		func(out *piece) { (&api{system: p.system}).write(out, names) },
		p.dispatch,
		p.table,
		constants,
	}
	return &source{name: opts.Base + ".go", pkg: opts.Package, tag: p.constraints(), imports: p.imports, pieces: pieces}
}

func (e *intoEvent) varies() bool { return e.values != nil && e.values.varies() && e.wantsValues() }

// wantsValues reports whether the struct has a field for a value in the data of a record.
func (e *intoEvent) wantsValues() bool {
	return slices.ContainsFunc(e.fills, func(f *fill) bool { return f.from.member == "" })
}

// dispatch writes the code that fills the structs.
func (p *intoPkg) dispatch(out *piece) {
	out.Line()
	comments(out.Group, "dispatch decodes records into structs, which are the same every time. []byte are parts of a record.",
		"Other slices belong to dispatch. Strings stay.")
	out.Type().Id("dispatch").StructFunc(func(g *jen.Group) {
		texts := false
		for i, e := range p.events {
			g.Id(scratchName(i)).Id(e.goName)
			texts = texts || slices.ContainsFunc(e.fills, func(f *fill) bool { return f.goal.kind == toString || f.goal.kind == toStrings })
		}
		if texts {
			g.Id("strings").Qual(gencodePath, "Strings")
		}
	})
	var text []byte
	var uses decodeUses
	for i, e := range p.events {
		text = p.appendCase(text, out, e, i, i, &uses)
	}
	for i, e := range p.events {
		if e.wide != nil {
			text = p.appendCase(text, out, e.wide, len(p.events)+i, i, &uses)
		}
	}
	p.writeDecode(out, uses, text)
	for _, e := range p.events {
		if e.values != nil && e.wantsValues() {
			p.decodeFunc(out, e)
			out.ended()
		}
		if e.wide != nil && e.wide.values != nil {
			p.decodeFunc(out, e.wide)
			out.ended()
		}
	}
}

// appendCase appends the case of slot for the event at i.
func (p *intoPkg) appendCase(text []byte, out *piece, e *intoEvent, slot, i int, uses *decodeUses) []byte {
	uses.record = uses.record || slices.ContainsFunc(e.fills, func(f *fill) bool { return f.from.member != "" })
	text = fmt.Appendf(text, "case %d:\nh := &d.%s\n", slot, scratchName(i))
	if e.payload != nil {
		return p.appendSequential(text, out, e, uses)
	}
	return p.appendFixed(text, out, e)
}

// statements renders statements and adds their imports.
func (p *piece) statements(f func(*jen.Group)) []byte {
	var buf bytes.Buffer
	g := jen.NewFile("").Group
	f(g)
	if err := g.RenderWithFile(&buf, p.file); err != nil && p.err == nil {
		p.err = err
	}
	if text := bytes.TrimSpace(buf.Bytes()); len(text) > 0 {
		return append(text, '\n')
	}
	return nil
}

func addAll(g *jen.Group, list []jen.Code) {
	for _, c := range list {
		g.Add(c)
	}
}

// recordFills are the statements for values that every record has.
func (e *intoEvent) recordFills(g *jen.Group) {
	for _, f := range e.fills {
		if f.from.member != "" {
			addAll(g, f.assign(jen.Id("r").Dot(f.from.member), intName(f.from.typ)))
		}
	}
}

// appendFixed appends the case of an event whose fields have offsets.
func (p *intoPkg) appendFixed(text []byte, out *piece, e *intoEvent) []byte {
	body := out.statements(func(g *jen.Group) {
		if n := e.layOut().size; n > 0 {
			g.Id("_").Op("=").Add(data()).Index(number(n - 1)) // one check for all
		}
		e.recordFills(g)
		for _, f := range e.fills {
			if f.from.field != nil {
				addAll(g, f.assign(f.from.load(data()), intName(f.from.typ)))
			}
		}
	})
	return append(append(text, body...), "return h\n"...)
}

// appendSequential appends the case of an event that is read from front to back.
func (p *intoPkg) appendSequential(text []byte, out *piece, e *intoEvent, uses *decodeUses) []byte {
	body := out.statements(e.recordFills)
	if e.values == nil || !e.wantsValues() {
		return append(append(text, body...), "return h\n"...)
	}
	args := "h, data"
	if e.varies() {
		args += ", x, env"
		uses.entry, uses.env = true, true
	}
	text = fmt.Appendf(text, "if d.%s(%s) {\n", e.reader(), args)
	return append(append(text, body...), "return h\n}\n"...)
}

// load is the value of a field at an offset of a record. The record is long enough for all fields
// at fixed offsets.
func (g *given) load(src *jen.Statement) *jen.Statement {
	f := g.field
	from := func() *jen.Statement { return src.Clone().Index(number(f.Offset), jen.Empty()) }
	word := func() *jen.Statement { return jen.Qual(binaryPath, "NativeEndian").Dot("Uint32").Call(from()) }
	switch {
	case f.Kind == ir.Int && f.Size == 1:
		return signedOf(g.typ, src.Clone().Index(number(f.Offset)))
	case f.Kind == ir.Int:
		return signedOf(g.typ, jen.Qual(binaryPath, "NativeEndian").Dot(fmt.Sprintf("Uint%d", 8*f.Size)).Call(from()))
	}
	var region *jen.Statement
	switch {
	case f.Kind == ir.Dynamic && f.Rel:
		region = codeFn("DynRel").Call(src.Clone(), word(), number(f.Offset+f.Size))
	case f.Kind == ir.Dynamic:
		region = codeFn("Dyn").Call(src.Clone(), word())
	case f.Kind == ir.Tail:
		region = codeFn("Rest").Call(src.Clone(), number(f.Offset))
	default:
		region = src.Clone().Index(number(f.Offset), number(f.Offset+f.Size))
	}
	if f.Fault {
		region = codeFn("Read").Call(region)
	}
	if g.shape == ofText {
		return renderFn("CString").Call(region)
	}
	return region
}

// signedOf converts an unsigned integer of t's size.
func signedOf(t ir.Type, code *jen.Statement) *jen.Statement {
	if t.Signed {
		return typeCode(t).Call(code)
	}
	return code
}

// code is the Go code of a type of the user's, as the files of his package name it.
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
		return jen.Index(number(int(t.Len()))).Add(g.code(t.Elem()))
	default:
		return jen.Id(t.String())
	}
}

// convert converts code of type from to a type of the user's, unless it is of that already.
func (g *goal) convert(t types.Type, from string, code *jen.Statement) *jen.Statement {
	if b, ok := types.Unalias(t).(*types.Basic); ok && (b.Name() == from || from == "uint8" && b.Name() == "byte") {
		return code
	}
	return g.code(t).Call(code)
}

// target is the field that is filled.
func (f *fill) target() *jen.Statement { return jen.Id("h." + f.to.path) }

// assign returns the statements that set the field to a value: an integer of type from, a float,
// bytes.
func (f *fill) assign(value *jen.Statement, from string) []jen.Code {
	field, g := f.target, f.goal
	set := func(code *jen.Statement) []jen.Code { return []jen.Code{field().Op("=").Add(code)} }
	if f.to.tag.ok { // for values of a payload, keepInto has done it
		return set(value.Op("!=").Nil())
	}
	switch g.kind {
	case toInt:
		return set(g.convert(g.typ, from, value))
	case toBool:
		return set(g.convert(g.typ, "bool", jen.Parens(value).Op("!=").Lit(0)))
	case toFloat:
		return set(g.convert(g.typ, f.from.kindOf(), value))
	case toDuration:
		unit := f.to.tag.unit
		if f.from.time {
			unit = time.Nanosecond
		}
		code := codeFn("Duration").Call(value, jen.Qual("time", unitNames[unit]))
		if !isTimeDuration(types.Unalias(g.typ)) { // declared as it
			code = g.code(g.typ).Call(code)
		}
		return set(code)
	case toString:
		return set(g.convert(g.typ, "string", intern(value)))
	case toBytes:
		return set(value)
	case toChars:
		return []jen.Code{jen.Id("clear").Call(field().Index(jen.Id("copy").Call(field().Index(jen.Empty(), jen.Empty()), value), jen.Empty()))}
	case toList:
		return append(set(field().Index(jen.Empty(), number(0))),
			f.from.each(value, jen.Id("list").Dot("Len").Call(), field().Op("=").Append(field(), g.convert(g.elem, from, listItem()))))
	}
	return []jen.Code{f.from.each(value, number(min(g.n, f.from.size)), field().Index(jen.Id("i")).Op("=").Add(g.convert(g.elem, from, listItem())))}
}

func listItem() *jen.Statement { return jen.Id("list").Dot("At").Call(jen.Id("i")) }

// each is a loop over n integers of a list.
func (g *given) each(bytes *jen.Statement, n *jen.Statement, do jen.Code) jen.Code {
	return jen.For(jen.Id("list").Op(",").Id("i").Op(":=").Add(g.elements(bytes)).Op(",").Lit(0), jen.Id("i").Op("<").Add(n), jen.Id("i").Op("++")).Block(do)
}

var unitNames = map[time.Duration]string{
	time.Nanosecond: "Nanosecond", time.Microsecond: "Microsecond", time.Millisecond: "Millisecond", time.Second: "Second",
}

func intern(bytes *jen.Statement) *jen.Statement {
	return jen.Id("d").Dot("strings").Dot("Of").Call(bytes)
}

// elements are the bytes of a list as its integers.
func (g *given) elements(bytes *jen.Statement) *jen.Statement {
	name := "Uint"
	if g.typ.Signed {
		name = "Int"
	}
	return bindFn(fmt.Sprintf("%s%ds", name, 8*g.typ.Size)).Call(bytes)
}

// table writes the layouts that are compared with recordings. Of events with fields at offsets it
// has the used fields. Of other events it has all fields, because the decoder passes over them.
func (p *intoPkg) table(out *piece) {
	text := []byte(tableHead)
	for _, e := range p.events {
		row := p.row(e)
		if e.wide != nil {
			wide := p.row(e.wide)
			row.Wide = &wide
		}
		text = appendEvent(text, row, "")
	}
	out.write(append(text, "}\n"...), bindPath)
}

// row is the row of an event in the table.
func (p *intoPkg) row(e *intoEvent) bind.Event {
	if e.payload == nil {
		row := e.layOut().layout()
		row.Type = e.goName
		return row
	}
	return e.payload.layout(p.target, e.wanted)
}
