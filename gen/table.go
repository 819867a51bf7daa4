package gen

import (
	"fmt"
	"strconv"

	"github.com/tracec/tracec/compiler/ir"
)

var kindNames = map[ir.Kind]string{
	ir.Int: "Int", ir.Array: "Array", ir.Dynamic: "Dynamic", ir.Tail: "Tail", ir.Bytes: "Bytes", ir.Float: "Float", ir.Counted: "Counted",
	ir.Terminated: "Terminated",
}

// table writes the compiled layout of every slot, for bind.
func (p *pkg) table(out *piece) {
	var text []byte
	for i, c := range p.commons {
		text = fmt.Appendf(text, "// %s are fields that events begin with.\nvar %s = []bind.Field{", commonName(i), commonName(i))
		if len(c.fields) > 0 {
			text = append(text, '\n')
		}
		text = append(appendFields(text, c.fields, "\t"), "}\n\n"...)
	}
	text = append(text, tableHead...)
	for _, e := range p.events {
		text = e.appendRow(text)
	}
	out.write(append(text, "}\n"...), bindPath)
}

const tableHead = "// events has the layout of every event, in the order of the callbacks of Decoder.\nvar events = []bind.Event{\n"

func commonName(i int) string { return "common" + strconv.Itoa(i) }

func (e *event) appendRow(text []byte) []byte {
	text = fmt.Appendf(text, "\t{Group: %q, Name: %q, Size: %d, Struct: %d", e.Group, e.Name, e.Size, e.size)
	if len(e.common) > 0 {
		text = append(append(text, ", Common: "...), commonName(e.commons)...)
	}
	return appendRowFields(text, e.fields)
}

// appendRowFields ends a row with its fields.
func appendRowFields(text []byte, fields []*field) []byte {
	if len(fields) == 0 {
		return append(text, "},\n"...)
	}
	text = append(text, ", Fields: []bind.Field{\n"...)
	return append(appendFields(text, fields, "\t\t"), "\t}},\n"...)
}

// appendFields appends a line for each field.
func appendFields(text []byte, fields []*field, indent string) []byte {
	for _, f := range fields {
		text = fmt.Appendf(text, "%s{Name: %q", indent, f.Name)
		if f.Offset != ir.Sequential {
			text = fmt.Appendf(text, ", Offset: %d", f.Offset)
		}
		if f.Size > 0 || f.Offset != ir.Sequential {
			text = fmt.Appendf(text, ", Size: %d", f.Size)
		}
		if f.Kind != ir.Int {
			text = append(append(text, ", Kind: bind."...), kindNames[f.Kind]...)
		}
		if f.elem > 0 && (f.Kind == ir.Array || f.Kind == ir.Dynamic || f.Kind == ir.Tail) {
			text = fmt.Appendf(text, ", Elem: %d", f.elem)
		}
		for _, n := range []struct {
			name  string
			bytes int
		}{{"Align", f.Align}, {"PadAfter", f.PadAfter}} {
			if n.bytes > 1 {
				text = fmt.Appendf(text, ", %s: %d", n.name, n.bytes)
			}
		}
		for _, flag := range []struct {
			name string
			on   bool
		}{{"Signed", f.Signed}, {"Rel", f.Rel}, {"Text", f.Text}, {"Network", f.Network}, {"Skip", f.skip}} {
			if flag.on {
				text = append(append(append(text, ", "...), flag.name...), ": true"...)
			}
		}
		text = append(text, "},\n"...)
	}
	return text
}
