package gen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"
)

// dispatchUnsafe writes dispatch over pointers into the record.
func (p *pkg) dispatchUnsafe(out *piece) {
	out.Line()
	comments(out.Group, "scratch is what decoding into structs needs.")
	out.Type().Id("scratch").Struct()
	view := func(e *event, _ int) string { return "(*" + e.goName + ")(p)" }
	const pointer = "\tp := unsafe.Pointer(unsafe.SliceData(r.Data))\n"
	out.flush()
	out.need("unsafe")
	p.eventMethod(out, pointer, view)
	p.textMethod(out, pointer, view)
}

// dispatchPure writes dispatch over structs of the Decoder.
func (p *pkg) dispatchPure(out *piece) {
	out.Line()
	comments(out.Group, "scratch holds the events that callbacks are handed.")
	out.Type().Id("scratch").StructFunc(func(g *jen.Group) {
		for i, e := range p.events {
			g.Id(scratchName(i)).Id(e.goName)
		}
	})
	decoded := func(_ *event, i int) string { return "d.scratch." + scratchName(i) + ".decode(r.Data)" }
	p.eventMethod(out, "", decoded)
	p.textMethod(out, "", decoded)
	var text []byte
	loads := false
	for _, e := range p.events {
		text = e.appendDecode(text)
		loads = loads || slices.ContainsFunc(e.members, func(f *field) bool {
			t := f.goType()
			return !t.packed && t.size > 1
		})
	}
	out.write(text)
	if loads {
		out.need(binaryPath)
	}
}

func scratchName(i int) string { return "e" + strconv.Itoa(i) }

// eventMethod writes the flat switch over the slots; first is the first line of a method, empty for none.
func (p *pkg) eventMethod(out *piece, first string, view func(*event, int) string) {
	text := []byte("// Event implements bind.Target.\nfunc (d *dispatch) Event(slot int, r *record.Record) {\n" + first + "\tswitch slot {\n")
	for i, e := range p.events {
		text = fmt.Appendf(text, "\tcase %d:\n\t\td.%s(r, %s)\n", i, e.goName, view(e, i))
	}
	out.write(append(text, "\t}\n}\n"...), recordPath)
}

// textMethod makes dispatch a bind.Renderer; without text it is none. Whether the package has text is a
// property of its Decoder, so that texts (in a file of its own) cannot decide it.
func (p *pkg) textMethod(out *piece, first string, view func(*event, int) string) {
	if !p.text {
		return
	}
	text := []byte("// Text implements bind.Renderer.\n" +
		"func (d *dispatch) Text(slot int, dst []byte, r *record.Record, env *render.Env) ([]byte, bool) {\n")
	begin := "\tswitch slot {\n"
	if first != "" {
		begin = first + begin
	}
	for i, e := range p.events {
		if !e.HasText {
			continue
		}
		text = append(text, begin...)
		begin = ""
		text = fmt.Appendf(text, "\tcase %d:\n\t\treturn %s.AppendText(dst, r, env), true\n", i, view(e, i))
	}
	if begin == "" {
		text = append(text, "\t}\n"...)
	}
	out.write(append(text, "\treturn dst, false\n}\n"...), recordPath, renderPath)
}

// appendDecode appends the method that fills the struct from a record in the compiled layout, which is long enough.
func (e *event) appendDecode(text []byte) []byte {
	text = fmt.Appendf(text, "\nfunc (e *%s) decode(b []byte) *%s {\n", e.goName, e.goName)
	if e.Size > 0 && len(e.members) > 0 {
		text = fmt.Appendf(text, "\t_ = b[%d]\n", e.Size-1)
	}
	for _, f := range e.members {
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
		return fmt.Appendf(text, "\tfor i := range e.%s {\n\t\tcopy(e.%s[i][:], b[%d+i*%d:])\n\t}\n", name, name, f.Offset, t.size)
	case t.count > 0:
		return fmt.Appendf(text, "\tfor i := range e.%s {\n\t\te.%s[i] = %s\n\t}\n", name, name, t.loaded(fmt.Sprintf("b[%d+i*%d:]", f.Offset, t.size)))
	case t.size == 1 && t.signed:
		return fmt.Appendf(text, "\te.%s = int8(b[%d])\n", name, f.Offset)
	case t.size == 1:
		return fmt.Appendf(text, "\te.%s = b[%d]\n", name, f.Offset)
	}
	return fmt.Appendf(text, "\te.%s = %s\n", name, t.loaded(fmt.Sprintf("b[%d:]", f.Offset)))
}

// loaded is an integer read from b.
func (t goType) loaded(b string) string {
	v := fmt.Sprintf("binary.NativeEndian.Uint%d(%s)", 8*t.size, b)
	if t.signed {
		return fmt.Sprintf("int%d(%s)", 8*t.size, v)
	}
	return v
}
