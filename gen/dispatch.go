package gen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"
)

// unaligned is the build constraint of machines that load unaligned words: records are only 4-byte
// aligned.
const unaligned = "(386 || amd64 || arm64 || loong64 || ppc64 || ppc64le || s390x || wasm)"

// dispatchUnsafe writes dispatch over pointers into the record.
func (p *pkg) dispatchUnsafe(out *page.Page) {
	out.Line()
	holds := "holds events with data outside of their struct."
	if !slices.ContainsFunc(p.events, func(e *event) bool { return e.apart }) {
		holds = "has nothing to do: all events are the record itself."
	}
	comments(out.Group, out.Name("dispatch")+" decodes records. It "+holds)
	out.Type().Id(out.Name("dispatch")).StructFunc(func(g *jen.Group) {
		for i, e := range p.events {
			if e.apart {
				g.Id(scratchName(i)).Id(e.goName)
			}
		}
	})
	p.inPlace(out)
	p.decodeMethod(out, func(e *event, _ int) string { return "new(" + e.structName + ").decode(data)" },
		func(e *event) bool { return e.apart })
	var text []byte
	for _, e := range p.events {
		if e.apart || p.text && e.HasText {
			body := "{ return %[2]s.View(e, b) }"
			if len(e.structName) > 31 { // the line would exceed 120 columns
				body = "{\nreturn %[2]s.View(e, b)\n}\n"
			}
			text = fmt.Appendf(text, "func (e *%[1]s) decode(b []byte) *%[1]s "+body+"\n", e.structName,
				out.Import(expr.GencodePath))
		}
	}
	if text != nil {
		out.Text(append([]byte("// decode returns the record as an event.\n"), text...))
	}
}

// dispatchPure writes dispatch over separate structs.
func (p *pkg) dispatchPure(out *page.Page) {
	out.Line()
	comments(out.Group, out.Name("inPlace")+" is empty: all events are decoded into structs.")
	out.Var().Id(out.Name("inPlace")).Index().Any()
	out.Line()
	comments(out.Group, out.Name("dispatch")+" decodes records. It holds their events.")
	out.Type().Id(out.Name("dispatch")).StructFunc(func(g *jen.Group) {
		for i, e := range p.events {
			if e.apart {
				g.Id(scratchName(i)).Id(e.goName)
				g.Id(fixedName(i)).Id(e.structName)
			} else {
				g.Id(scratchName(i)).Id(e.structName)
			}
		}
	})
	p.decodeMethod(out, func(e *event, i int) string {
		if e.apart {
			return "d." + fixedName(i) + ".decode(data)"
		}
		return "d." + scratchName(i) + ".decode(data)"
	}, func(*event) bool { return true })
	var text []byte
	loads := false
	for _, c := range p.commons {
		if slices.ContainsFunc(p.events, func(e *event) bool { return e.head == c }) {
			text = c.appendDecode(text)
		}
	}
	for _, e := range p.events {
		text = e.appendDecode(text)
		loads = loads || slices.ContainsFunc(e.members, func(f *field) bool {
			t := f.goType()
			return !t.packed && t.size > 1
		})
	}
	out.Formatted(text)
	if loads {
		out.Import(expr.BinaryPath)
	}
	p.importOutside(out)
}

func scratchName(i int) string { return "e" + strconv.Itoa(i) }

func fixedName(i int) string { return "f" + strconv.Itoa(i) }

// inPlace writes the types of the events that are in place.
func (p *pkg) inPlace(out *page.Page) {
	text := fmt.Appendf(nil, "// %[1]s has the type of every event that is the record itself.\nvar %[1]s = []any{\n",
		out.Name("inPlace"))
	for i, e := range p.events {
		if !e.apart {
			text = fmt.Appendf(text, "\t%d: (*%s)(nil),\n", i, e.structName)
		}
	}
	out.Text(append(text, "}\n"...))
}

// decodeMethod writes the switch over the slots of some events. view is the struct of an event over
// data.
func (p *pkg) decodeMethod(out *page.Page, view func(*event, int) string, some func(*event) bool) {
	var text []byte
	for i, e := range p.events {
		if !some(e) {
			continue
		}
		if !e.apart {
			text = fmt.Appendf(text, "\tcase %d:\n\t\treturn %s\n", i, view(e, i))
			continue
		}
		scratch := "d." + scratchName(i)
		text = fmt.Appendf(text, "\tcase %d:\n\t\t%s = %s{%s, data}\n\t\treturn &%[2]s\n", i, scratch, e.goName,
			view(e, i))
	}
	p.writeDecode(out, decodeUses{}, text)
}

// appendDecode appends the method that fills the struct from a record. The record has the compiled
// layout and is long enough.
func (e *event) appendDecode(text []byte) []byte {
	text = fmt.Appendf(text, "\nfunc (e *%s) decode(b []byte) *%s {\n", e.structName, e.structName)
	if e.Size > 0 && len(e.members) > 0 {
		text = fmt.Appendf(text, "\t_ = b[%d]\n", e.Size-1)
	}
	members := e.members
	if e.head != nil {
		text = fmt.Appendf(text, "\te.%s.decode(b)\n", e.head.structName)
		members = members[len(e.head.members):]
	}
	for _, f := range members {
		text = f.appendDecode(text)
	}
	return append(text, "\treturn e\n}\n"...)
}

func (f *field) appendDecode(text []byte) []byte {
	t, name := f.goType(), f.memberName()
	switch {
	case t.count == 0 && t.packed, t.count > 0 && t.size == 1:
		return fmt.Appendf(text, "\tcopy(e.%s[:], b[%d:])\n", name, f.Offset)
	case t.count > 0 && t.packed:
		return fmt.Appendf(text, "\tfor i := range e.%s {\n\t\tcopy(e.%s[i][:], b[%d+i*%d:])\n\t}\n", name, name,
			f.Offset, t.size)
	case t.count > 0:
		return fmt.Appendf(text, "\tfor i := range e.%s {\n\t\te.%s[i] = %s\n\t}\n", name, name,
			t.loaded(fmt.Sprintf("b[%d+i*%d:]", f.Offset, t.size)))
	case f.symbols != nil, f.outside() != "":
		return fmt.Appendf(text, "\te.%s = %s(%s)\n", name, f.typeName(), t.whole(f.Offset))
	}
	return fmt.Appendf(text, "\te.%s = %s\n", name, t.whole(f.Offset))
}

// whole returns the code of an integer at an offset of b.
func (t goType) whole(at int) string {
	switch {
	case t.size == 1 && t.signed:
		return fmt.Sprintf("int8(b[%d])", at)
	case t.size == 1:
		return fmt.Sprintf("b[%d]", at)
	}
	return t.loaded(fmt.Sprintf("b[%d:]", at))
}

// loaded returns the code of an integer read from b.
func (t goType) loaded(b string) string {
	v := fmt.Sprintf("binary.NativeEndian.Uint%d(%s)", 8*t.size, b)
	if t.signed {
		return fmt.Sprintf("int%d(%s)", 8*t.size, v)
	}
	return v
}

// files plans the files of the package.
func (p *pkg) files(opts Options, base string) []*page.File {
	file := func(suffix, tag string, pieces ...func(*page.Page)) *page.File {
		return &page.File{Name: base + suffix + ".go", Package: p.name, Tag: tag, Imports: p.imports,
			Rename: opts.rename(), Parts: pieces}
	}
	main := file("", "", handshake, p.structs, func(out *page.Page) {
		(&api{system: p.system, text: opts.Text, inPlace: true}).write(out, p.names)
	}, p.table)
	main.Doc = opts.doc(fmt.Sprintf("Package %s decodes %s.", p.name, p.subject()))
	files := []*page.File{
		main,
		file(unsafeSuffix, "!purego && "+unaligned, p.dispatchUnsafe, p.checks),
		file(puregoSuffix, "purego || !"+unaligned, p.dispatchPure),
	}
	if opts.Text {
		files = append(files, file(textSuffix, "", p.texts))
	}
	return files
}

func (p *pkg) subject() string {
	if p.group != "" {
		return "the events of " + page.Plain(p.group)
	}
	if len(p.events) == 1 {
		return "the event " + eventLabel(p.events[0].Group, p.events[0].Name)
	}
	return plural(len(p.events))
}
