package gen

import (
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// structs writes the types of all events.
func (p *pkg) structs(out *page.Page) {
	var text []byte
	for _, c := range p.commons {
		if c.structName != "" {
			text = fmt.Appendf(text, "\n// %s holds the fields that events begin with.\n", c.structName)
			text = c.appendLines(text)
		}
	}
	for _, e := range p.events {
		if !e.apart {
			text = e.appendStruct(append(text, '\n'))
			continue
		}
		out.Formatted(e.appendFields(e.appendView(append(text, '\n'))))
		text = text[:0]
		for _, f := range e.fields {
			e.accessor(out, f)
		}
	}
	out.Formatted(text)
	if slices.ContainsFunc(p.events, func(e *event) bool {
		return slices.ContainsFunc(e.members, func(f *field) bool { return f.goType().packed })
	}) {
		out.Import(expr.BindPath)
	}
	p.importOutside(out)
	p.charTypes(out)
	p.symbolTypes(out)
}

// appendStruct appends the struct of an event.
func (e *event) appendStruct(text []byte) []byte {
	text = fmt.Appendf(text, "// %s is %s.\n", e.goName, eventLabel(e.Group, e.Name))
	return e.appendLines(text)
}

// appendView appends the type of an event with data apart from its struct.
func (e *event) appendView(text []byte) []byte {
	return fmt.Appendf(text, "// %s is %s.\ntype %[1]s struct {\n\t*%[3]s\n\tdata []byte\n}\n\n", e.goName,
		eventLabel(e.Group, e.Name), e.structName)
}

// appendFields appends the struct inside that type, with the fields at fixed offsets.
func (e *event) appendFields(text []byte) []byte {
	text = fmt.Appendf(text, "// %s holds the fields of %s at fixed offsets.\n", e.structName, e.goName)
	return e.appendLines(text)
}

// appendLines appends a struct in the layout of gofmt. Columns are as narrow as possible, and types
// are aligned in runs of lines with comments. All padding is explicit, including the padding after
// the last field. So the size of the struct is the same on 32-bit machines.
func (e *event) appendLines(text []byte) []byte {
	text = fmt.Appendf(text, "type %s struct {", e.structName)
	lines := e.structLines()
	if len(lines) == 0 {
		return append(text, "}\n"...)
	}
	text = append(text, '\n')
	names, types := 0, 0
	for _, l := range lines {
		if l.typ != "" {
			names = max(names, len(l.name))
		}
	}
	for i, l := range lines {
		if l.typ == "" {
			text = fmt.Appendf(text, "\t%s\n", l.name)
			continue
		}
		if l.comment == "" {
			text = fmt.Appendf(text, "\t%-*s %s\n", names, l.name, l.typ)
			continue
		}
		if i == 0 || lines[i-1].comment == "" {
			types = 0
			for _, other := range lines[i:] {
				if other.comment == "" {
					break
				}
				types = max(types, len(other.typ))
			}
		}
		text = fmt.Appendf(text, "\t%-*s %-*s // %s\n", names, l.name, types, l.typ, l.comment)
	}
	return append(text, "}\n"...)
}

// structLine is a field, padding without a comment, or an embedded struct without a type.
type structLine struct{ name, typ, comment string }

func (e *event) structLines() (lines []structLine) {
	pad := func(n int) {
		if n > 0 {
			lines = append(lines, structLine{name: "_", typ: fmt.Sprintf("[%d]byte", n)})
		}
	}
	at, members := 0, e.members
	if e.head != nil {
		lines = append(lines, structLine{name: e.head.structName})
		at, members = e.head.size, members[len(e.head.members):]
	}
	for _, f := range members {
		pad(f.Offset - at)
		lines = append(lines, structLine{f.memberName(), f.typeName(), page.Quoted(f.CType)})
		at = f.Offset + f.Size
	}
	pad(e.size - at)
	return lines
}

// memberName returns the field's Go name. The word of a dynamic field is not exported, and a method
// returns its data.
func (f *field) memberName() string {
	if f.Kind == ir.Dynamic {
		return f.word
	}
	return f.goName
}

// typeName returns the Go type of a member.
func (f *field) typeName() string {
	switch {
	case f.chars != "":
		return f.chars
	case f.symbols != nil:
		return f.symbols.goName
	case f.outside() != "":
		return path.Base(f.outside())
	}
	return f.goType().code()
}

// code is the Go type.
func (t goType) code() string {
	array, kind := "", "uint"
	if t.count > 0 {
		array = fmt.Sprintf("[%d]", t.count)
	}
	switch {
	case t.packed && t.signed:
		kind = "bind.I"
	case t.packed:
		kind = "bind.U"
	case t.count > 0 && t.size == 1:
		return array + "byte"
	case t.signed:
		kind = "int"
	}
	return array + kind + strconv.Itoa(8*t.size)
}

// apart reports whether the data of a field is elsewhere in the record.
func (f *field) apart() bool { return f.Kind == ir.Dynamic || f.Kind == ir.Tail }

// accessor writes the method of a field whose data is elsewhere in the record.
func (e *event) accessor(out *page.Page, f *field) {
	if !f.apart() {
		return
	}
	body, result := e.regionOf(f, jen.Id("e").Dot("data")), jen.Index().Byte()
	doc := fmt.Sprintf("%s returns the bytes of %s, a part of the record.", f.goName, page.Plain(f.Name))
	switch {
	case f.Text:
		doc = fmt.Sprintf("%s returns the text of %s up to its NUL, a part of the record.", f.goName,
			page.Plain(f.Name))
		if f.Fault {
			doc += " It is nil for a text that the kernel could not read."
			body = expr.Gencode("Read").Call(body)
		}
		body = expr.Render("Text").Call(body)
	case f.elem > 1:
		name := "Uint"
		if f.Signed {
			name = "Int"
		}
		result = expr.Bind(name + strconv.Itoa(8*f.elem) + "s")
		doc = fmt.Sprintf("%s returns the elements of %s, a part of the record.", f.goName, page.Plain(f.Name))
		body = result.Clone().Call(body)
	}
	comments(out.Group, doc)
	out.Func().Params(jen.Id("e").Op("*").Id(e.goName)).Id(f.goName).Params().Add(result).
		Block(jen.Return(body))
}

// regionOf returns the code of the data of a field that is not in the struct itself. data is the
// record.
func (e *event) regionOf(f *field, data *jen.Statement) *jen.Statement {
	switch f.Kind {
	case ir.Dynamic:
		if f.Rel {
			return expr.Gencode("DynRel").Call(data, e.word(f, data), expr.Number(f.Offset+f.Size))
		}
		return expr.Gencode("Dyn").Call(data, e.word(f, data))
	case ir.Tail:
		return expr.Gencode("Rest").Call(data, expr.Number(f.Offset))
	}
	return data.Index(expr.Number(f.Offset), expr.Number(f.Offset+f.Size))
}

// word returns the code of the length-and-offset word of a dynamic field.
func (e *event) word(f *field, data *jen.Statement) *jen.Statement {
	if !f.member {
		return expr.Gencode("Load32").Call(data.Clone(), expr.Number(f.Offset))
	}
	s := jen.Id("e").Dot(f.memberName())
	if f.goType().packed {
		s.Dot("Get").Call()
	}
	return s
}

// checks writes code that stops the compiler if a struct is not laid out as planned. All padding is
// explicit, so misplaced members make the struct longer.
func (p *pkg) checks(out *page.Page) {
	text := []byte("// The sizes of the records: a constant that is not 0 does not compile.\nconst (\n")
	for _, e := range p.events {
		text = fmt.Appendf(text, "\t_ = -(unsafe.Sizeof(%s{}) ^ %d)\n", e.structName, e.size)
	}
	out.Import("unsafe")
	out.Formatted(append(text, ")\n"...))
}

// nameChars names the types of text of a fixed size.
func (p *pkg) nameChars(pick func(name, key string) string) {
	p.chars = map[int]string{}
	for _, e := range p.events {
		for _, f := range e.members {
			if f.Kind != ir.Array || !f.Text || f.elem != 1 {
				continue
			}
			if p.chars[f.Size] == "" {
				name := "Chars" + strconv.Itoa(f.Size)
				p.chars[f.Size] = pick(name, name)
			}
			f.chars = p.chars[f.Size]
		}
	}
}

// charTypes writes the types of text of a fixed size.
func (p *pkg) charTypes(out *page.Page) {
	for _, size := range sortedKeys(p.chars) {
		name := p.chars[size]
		out.Line()
		comments(out.Group, fmt.Sprintf("%s is text of at most %d bytes, NUL-terminated if it is shorter.", name, size))
		out.Type().Id(name).Index(expr.Number(size)).Byte()
		out.Line()
		comments(out.Group, "Bytes returns the text up to its NUL, a part of c.")
		out.Func().Params(jen.Id("c").Op("*").Id(name)).Id("Bytes").Params().Index().Byte().
			Block(jen.Return(expr.Render("Text").Call(jen.Id("c").Index(jen.Empty(), jen.Empty()))))
		out.Line()
		comments(out.Group, "String returns the text up to its NUL.")
		out.Func().Params(jen.Id("c").Id(name)).Id("String").Params().String().
			Block(jen.Return(jen.String().Call(jen.Id("c").Dot("Bytes").Call())))
	}
}
