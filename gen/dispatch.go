package gen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/dave/jennifer/jen"
)

// unaligned is the build constraint of machines that load unaligned words: records are only 4-byte aligned.
const unaligned = "(386 || amd64 || arm64 || loong64 || ppc64 || ppc64le || s390x || wasm)"

// dispatchUnsafe writes dispatch over pointers into the record.
func (p *pkg) dispatchUnsafe(out *piece) {
	out.Line()
	comments(out.Group, "scratch holds events with data outside of their struct, as callbacks receive them.")
	out.Type().Id("scratch").StructFunc(func(g *jen.Group) {
		for i, e := range p.events {
			if e.apart {
				g.Id(scratchName(i)).Id(e.goName)
			}
		}
	})
	out.flush()
	out.need("unsafe")
	p.batchMethod(out, "", func(e *event, _ int) string {
		return "(*" + e.structName + ")(unsafe.Pointer(unsafe.SliceData(*data)))"
	})
	p.textMethod(out, "\tp := unsafe.Pointer(unsafe.SliceData(*data))\n", func(e *event, _ int) string { return "(*" + e.structName + ")(p)" })
}

// dispatchPure writes dispatch over structs of the Decoder.
func (p *pkg) dispatchPure(out *piece) {
	out.Line()
	comments(out.Group, "scratch holds the events that callbacks receive.")
	out.Type().Id("scratch").StructFunc(func(g *jen.Group) {
		for i, e := range p.events {
			if e.apart {
				g.Id(scratchName(i)).Id(e.goName)
				g.Id(fixedName(i)).Id(e.structName)
			} else {
				g.Id(scratchName(i)).Id(e.structName)
			}
		}
	})
	p.batchMethod(out, "", func(e *event, i int) string {
		if e.apart {
			return "d.scratch." + fixedName(i) + ".decode(*data)"
		}
		return "d.scratch." + scratchName(i) + ".decode(*data)"
	})
	p.textMethod(out, "", func(e *event, _ int) string { return "new(" + e.structName + ").decode(*data)" })
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

func fixedName(i int) string { return "f" + strconv.Itoa(i) }

// batchHead is the beginning of the loop over records, after which slot is that of r and data are in the compiled layout.
const batchHead = `	for i := range records {
		r, x := &records[i], &entries[i]
		slot, data, err := b.%s(r), &r.Data, error(nil)
		if slot < 0 {
			slot, data, err = b.Move(r, x)
		}
`

// batchHeadAhead is batchHead with the slot found one record ahead, so that the jump to its case waits for nothing. Hooks of a trace facility follow each
// other in no order that a processor foresees: with independently drawn ones it saves a tenth of typed decode. Where records alternate, as calls and
// returns do, it costs a fiftieth.
const batchHeadAhead = `	if len(records) == 0 {
		return nil
	}
	next := b.%[1]s(&records[0])
	for i := range records {
		r, x := &records[i], &entries[i]
		slot, data, err := next, &r.Data, error(nil)
		if i+1 < len(records) {
			next = b.%[1]s(&records[i+1])
		}
		if slot < 0 {
			slot, data, err = b.Move(r, x)
		}
`

// batchTail is its end.
const batchTail = `		}
		if err != nil {
			return err
		}
	}
	return nil
}
`

// appendBatch appends the method that implements bind.Target up to its cases: head, in which slot is the method that finds
// that of a record.
func (s system) appendBatch(text []byte, head, slot string) []byte {
	return fmt.Appendf(text, "// Batch implements bind.Target.\nfunc (d *dispatch) Batch(b *bind.Binding[%[1]s], records []record.Record, entries []%[1]s) error {\n%[2]s",
		s.entryCode(), fmt.Sprintf(head, slot))
}

// batchMethod writes the flat switch over the slots; first is a line before it, empty for none.
func (p *pkg) batchMethod(out *piece, first string, view func(*event, int) string) {
	args := "r"
	if p.entries {
		args = "r, x"
	}
	text := append(p.appendBatch(nil, batchHead, "Slot"), first+"\t\tswitch slot {\n"...)
	for i, e := range p.events {
		if !e.apart {
			text = fmt.Appendf(text, "\t\tcase %d:\n\t\t\terr = d.%s(%s, %s)\n", i, e.goName, args, view(e, i))
			continue
		}
		scratch := "d.scratch." + scratchName(i)
		text = fmt.Appendf(text, "\t\tcase %d:\n\t\t\t%s = %s{%s, *data}\n\t\t\terr = d.%s(%s, &%[2]s)\n", i, scratch, e.goName, view(e, i), e.goName, args)
	}
	out.write(append(text, batchTail...), recordPath, bindPath)
	p.need(out)
}

// textMethod makes dispatch a bind.Renderer; without text it is none. Whether the package has text is a
// property of its Decoder, so that texts (in a file of its own) cannot decide it.
func (p *pkg) textMethod(out *piece, first string, view func(*event, int) string) {
	if !p.text {
		return
	}
	text := []byte("// Text implements bind.Renderer.\n" +
		"func (d *dispatch) Text(slot int, dst []byte, data *[]byte, _ *" + p.entryCode() + ", env *render.Env) ([]byte, bool) {\n")
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
		text = fmt.Appendf(text, "\tcase %d:\n\t\treturn %s.appendText(dst, *data, env), true\n", i, view(e, i))
	}
	if begin == "" {
		text = append(text, "\t}\n"...)
	}
	out.write(append(text, "\treturn dst, false\n}\n"...), recordPath, renderPath)
	p.need(out)
}

// appendDecode appends the method that fills the struct from a record in the compiled layout, which is long enough.
func (e *event) appendDecode(text []byte) []byte {
	text = fmt.Appendf(text, "\nfunc (e *%s) decode(b []byte) *%s {\n", e.structName, e.structName)
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
	case f.symbols != nil:
		return fmt.Appendf(text, "\te.%s = %s(%s)\n", name, f.symbols.goName, t.whole(f.Offset))
	}
	return fmt.Appendf(text, "\te.%s = %s\n", name, t.whole(f.Offset))
}

// whole is an integer at an offset of b.
func (t goType) whole(at int) string {
	switch {
	case t.size == 1 && t.signed:
		return fmt.Sprintf("int8(b[%d])", at)
	case t.size == 1:
		return fmt.Sprintf("b[%d]", at)
	}
	return t.loaded(fmt.Sprintf("b[%d:]", at))
}

// loaded is an integer read from b.
func (t goType) loaded(b string) string {
	v := fmt.Sprintf("binary.NativeEndian.Uint%d(%s)", 8*t.size, b)
	if t.signed {
		return fmt.Sprintf("int%d(%s)", 8*t.size, v)
	}
	return v
}

// files plans the files of the package.
func (p *pkg) files(opts Options, base string) []*source {
	file := func(suffix, tag string, pieces ...func(*piece)) *source {
		return &source{name: base + suffix + ".go", pkg: p.name, tag: tag, imports: p.imports, pieces: pieces}
	}
	main := file("", "", handshake, p.structs, func(out *piece) { p.decoder(out, opts.Text) }, p.table, constants)
	main.doc = []string{fmt.Sprintf("Package %s decodes %s.", p.name, p.subject())}
	files := []*source{
		main,
		file(unsafeSuffix, "!purego && "+unaligned, p.dispatchUnsafe, p.checks),
		file(puregoSuffix, "purego || !"+unaligned, p.dispatchPure),
	}
	if opts.Text {
		files = append(files, file(textSuffix, "", p.texts, constants))
	}
	return files
}

func (p *pkg) subject() string {
	if p.group != "" {
		return "the events of " + plain(p.group)
	}
	if len(p.events) == 1 {
		return "the event " + eventLabel(p.events[0].Group, p.events[0].Name)
	}
	return plural(len(p.events))
}

// decoder writes the Decoder and its methods.
func (p *pkg) decoder(out *piece, text bool) {
	d := &decoder{system: p.system, text: text}
	callbacks := make([]callback, len(p.events))
	for i := range p.sequences {
		callbacks[i] = p.sequences[i].callback
	}
	d.declare(out, callbacks)
	d.methods(out, jen.Id("d").Dot("Part").Call())
	d.part(out)
	d.loops(out, p.sequences)
}
