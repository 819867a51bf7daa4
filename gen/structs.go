package gen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// structs writes the types of all events.
func (p *pkg) structs(out *piece) {
	var text []byte
	for _, e := range p.events {
		text = e.appendStruct(append(text, '\n'))
		if !slices.ContainsFunc(e.fields, (*field).apart) {
			continue
		}
		out.write(text)
		text = text[:0]
		for _, f := range e.fields {
			e.accessor(out, f)
		}
	}
	out.write(text)
	if slices.ContainsFunc(p.events, func(e *event) bool {
		return slices.ContainsFunc(e.members, func(f *field) bool { return f.goType().packed })
	}) {
		out.need(bindPath)
	}
}

// appendStruct appends the struct as gofmt lays it out: its columns are as wide as they must be, the types in runs of lines
// with comments. All padding is explicit, also that after the last field, so that its size is the same on 32-bit machines.
func (e *event) appendStruct(text []byte) []byte {
	text = fmt.Appendf(text, "// %s is %s.\ntype %s struct {", e.goName, eventLabel(e.Group, e.Name), e.goName)
	lines := e.structLines()
	if len(lines) == 0 {
		return append(text, "}\n"...)
	}
	text = append(text, '\n')
	names, types := 0, 0
	for _, l := range lines {
		names = max(names, len(l.name))
	}
	for i, l := range lines {
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

// structLine is a field, or padding without a comment.
type structLine struct{ name, typ, comment string }

func (e *event) structLines() (lines []structLine) {
	pad := func(n int) {
		if n > 0 {
			lines = append(lines, structLine{name: "_", typ: fmt.Sprintf("[%d]byte", n)})
		}
	}
	at := 0
	for _, f := range e.members {
		pad(f.Offset - at)
		lines = append(lines, structLine{f.memberName(), f.goType().code(), quoted(f.CType)})
		at = f.Offset + f.Size
	}
	pad(e.size - at)
	return lines
}

// memberName is the field's Go name; the word of a dynamic field is not exported, its data has a method.
func (f *field) memberName() string {
	if f.Kind == ir.Dynamic {
		return f.word
	}
	return f.goName
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
func (e *event) accessor(out *piece, f *field) {
	if !f.apart() {
		return
	}
	body, result := e.regionOf(f), jen.Index().Byte()
	doc := fmt.Sprintf("%s returns the bytes of %s, a part of r.Data.", f.goName, plain(f.Name))
	switch {
	case f.Text:
		doc = fmt.Sprintf("%s returns the text of %s up to its NUL, a part of r.Data.", f.goName, plain(f.Name))
		body = renderFn("CString").Call(body)
	case f.elem > 1:
		name := "Uint"
		if f.Signed {
			name = "Int"
		}
		result = bindFn(name + strconv.Itoa(8*f.elem) + "s")
		doc = fmt.Sprintf("%s returns the elements of %s, a part of r.Data.", f.goName, plain(f.Name))
		body = result.Clone().Call(body)
	}
	comments(out.Group, doc)
	out.Func().Params(jen.Id("e").Op("*").Id(e.goName)).Id(f.goName).Params(recordParam()).Add(result).
		Block(jen.Return(body))
}

// regionOf is the data of a field that is not in the struct itself.
func (e *event) regionOf(f *field) *jen.Statement {
	switch f.Kind {
	case ir.Dynamic:
		if f.Rel {
			return bindFn("DynRel").Call(data(), e.word(f), number(f.Offset+f.Size))
		}
		return bindFn("Dyn").Call(data(), e.word(f))
	case ir.Tail:
		return bindFn("Rest").Call(data(), number(f.Offset))
	}
	return data().Index(number(f.Offset), number(f.Offset+f.Size))
}

// word is the length-and-offset word of a dynamic field.
func (e *event) word(f *field) *jen.Statement {
	if !f.member {
		return bindFn("Load32").Call(data(), number(f.Offset))
	}
	s := jen.Id("e").Dot(f.memberName())
	if f.goType().packed {
		s.Dot("Get").Call()
	}
	return s
}

// checks writes what stops compiling when a struct is not laid out as planned. Padding being explicit, a
// struct can only be too long: then its size or the offset of its last member is.
func (p *pkg) checks(out *piece) {
	text := []byte("// The layouts that the records have: a constant that is not 0 does not compile.\nconst (\n")
	for _, e := range p.events {
		text = fmt.Appendf(text, "\t_ = -(unsafe.Sizeof(%s{}) ^ %d)\n", e.goName, e.size)
		if n := len(e.members); n > 0 {
			last := e.members[n-1]
			text = fmt.Appendf(text, "\t_ = -(unsafe.Offsetof(%s{}.%s) ^ %d)\n", e.goName, last.memberName(), last.Offset)
		}
	}
	out.write(append(text, ")\n"...), "unsafe")
}
