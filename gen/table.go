package gen

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

var kindNames = map[ir.Kind]string{
	ir.Int: "Int", ir.Array: "Array", ir.Dynamic: "Dynamic", ir.Tail: "Tail", ir.Bytes: "Bytes",
}

// table writes the compiled layout of every slot, for bind.
func (p *pkg) table(out *piece) {
	var text []byte
	for i, c := range p.commons {
		text = fmt.Appendf(text, "// %s are fields that events begin with.\nvar %s = []bind.Field{", commonName(i), commonName(i))
		if len(c) > 0 {
			text = append(text, '\n')
		}
		text = append(appendFields(text, c, "\t"), "}\n\n"...)
	}
	text = append(text, "// events has the layout of every event, in the order of the callbacks of Decoder.\nvar events = []bind.Event{\n"...)
	for _, e := range p.events {
		text = e.appendRow(text)
	}
	out.write(append(text, "}\n"...), bindPath)
}

func commonName(i int) string { return "common" + strconv.Itoa(i) }

func (e *event) appendRow(text []byte) []byte {
	text = fmt.Appendf(text, "\t{Group: %q, Name: %q, Size: %d, Struct: %d", e.Group, e.Name, e.Size, e.size)
	if len(e.common) > 0 {
		text = append(append(text, ", Common: "...), commonName(e.commons)...)
	}
	if len(e.fields) == 0 {
		return append(text, "},\n"...)
	}
	text = append(text, ", Fields: []bind.Field{\n"...)
	return append(appendFields(text, e.fields, "\t\t"), "\t}},\n"...)
}

// appendFields appends a line for each field.
func appendFields(text []byte, fields []*field, indent string) []byte {
	for _, f := range fields {
		text = fmt.Appendf(text, "%s{Name: %q, Offset: %d, Size: %d", indent, f.Name, f.Offset, f.Size)
		if f.Kind != ir.Int {
			text = append(append(text, ", Kind: bind."...), kindNames[f.Kind]...)
		}
		if f.elem > 0 && f.Kind != ir.Int && f.Kind != ir.Bytes {
			text = fmt.Appendf(text, ", Elem: %d", f.elem)
		}
		for _, flag := range []struct {
			name string
			on   bool
		}{{"Signed", f.Signed}, {"Rel", f.Rel}, {"Text", f.Text}} {
			if flag.on {
				text = append(append(append(text, ", "...), flag.name...), ": true"...)
			}
		}
		text = append(text, "},\n"...)
	}
	return text
}

// flag writes a field of a composite literal that is true.
func flag(g *jen.Group, name string, on bool) {
	if on {
		g.Id(name).Op(":").True()
	}
}
