package gen

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/tracec/tracec/runtime/bind"
)

var kindNames = map[bind.Kind]string{
	bind.Int: "Int", bind.Array: "Array", bind.Dynamic: "Dynamic", bind.Tail: "Tail", bind.Bytes: "Bytes",
	bind.Float:   "Float",
	bind.Counted: "Counted", bind.Terminated: "Terminated", bind.Struct: "Struct", bind.List: "List",
	bind.Variant: "Variant",
}

// table writes the compiled layout of every slot, for bind.
func (p *pkg) table(out *page.Page) {
	var text []byte
	for i, c := range p.commons {
		text = fmt.Appendf(text, "// %[1]s are fields that events begin with.\nvar %[1]s = []%[2]s.Field{",
			commonName(out, i), out.Import(expr.BindPath))
		if len(c.fields) > 0 {
			text = append(text, '\n')
		}
		text = append(appendLayouts(text, layouts(c.fields), false, "\t", out), "}\n\n"...)
	}
	text = append(text, tableHead(out)...)
	for _, e := range p.events {
		text = appendEvent(text, e.layout(), commonName(out, e.commons), out)
	}
	out.Formatted(append(text, "}\n"...))
}

func tableHead(out *page.Page) []byte {
	return fmt.Appendf(nil, "// %[1]s has the layout of every event.\nvar %[1]s = [...]%[2]s.Event{\n",
		out.Name("events"), out.Import(expr.BindPath))
}

func commonName(out *page.Page, i int) string { return out.Name("common" + strconv.Itoa(i)) }

// appendEvent appends the row of an event. common is the variable that holds its common fields.
func appendEvent(text []byte, e bind.Event, common string, out *page.Page) []byte {
	text = append(text, "\t{"...)
	if e.Group != "" || !e.Sequential {
		text = fmt.Appendf(text, "Group: %q, ", e.Group)
	}
	text = fmt.Appendf(text, "Name: %q, ", e.Name)
	if e.Type != "" {
		text = fmt.Appendf(text, "Type: %q, ", e.Type)
	}
	if e.Sequential {
		if e.Exit {
			text = append(text, "Exit: true, "...)
		}
		if e.BigEndian {
			text = append(text, "BigEndian: true, "...)
		}
		text = append(text, "Sequential: true"...)
	} else {
		text = fmt.Appendf(text, "Size: %d, Struct: %d", e.Size, e.Struct)
	}
	if len(e.Common) > 0 {
		text = append(append(text, ", Common: "...), common...)
	}
	if len(e.Fields) == 0 {
		return append(text, "},\n"...)
	}
	text = append(text, fmt.Sprintf(", Fields: []%s.Field{\n", out.Import(expr.BindPath))...)
	text = append(appendLayouts(text, e.Fields, e.Sequential, "\t\t", out), "\t}"...)
	return append(text, "},\n"...)
}

// appendLayouts appends a line for each field.
func appendLayouts(text []byte, fields []bind.Field, sequential bool, indent string, out *page.Page) []byte {
	for i := range fields {
		f := &fields[i]
		text = append(append(text, indent...), '{')
		if f.Name != "" {
			text = fmt.Appendf(text, "Name: %q, ", f.Name)
		}
		if !sequential {
			text = fmt.Appendf(text, "Offset: %d, ", f.Offset)
		}
		if f.Size > 0 || !sequential {
			text = fmt.Appendf(text, "Size: %d, ", f.Size)
		}
		if f.Kind != bind.Int {
			text = fmt.Appendf(text, "Kind: %s.%s, ", out.Import(expr.BindPath), kindNames[f.Kind])
		}
		for _, n := range []struct {
			name  string
			value int
			least int
		}{
			{"Elem", f.Elem, 1}, {"Align", f.Align, 2}, {"PadAfter", f.PadAfter, 2}, {"Count", f.Count, 1},
			{"Slot", f.Slot, 1}, {"From", f.From, 1},
		} {
			if n.value >= n.least {
				text = fmt.Appendf(text, "%s: %d, ", n.name, n.value)
			}
		}
		for _, flag := range []struct {
			name string
			on   bool
		}{{"Signed", f.Signed}, {"Rel", f.Rel}, {"Text", f.Text}, {"Optional", f.Optional}, {"Skip", f.Skip}} {
			if flag.on {
				text = fmt.Appendf(text, "%s: true, ", flag.name)
			}
		}
		if f.Order != bind.AsEvent {
			text = fmt.Appendf(text, "Order: %s.%s, ", out.Import(expr.BindPath), orderNames[f.Order])
		}
		if b := f.Bits; b != (bind.BitField{}) {
			text = fmt.Appendf(text, "Bits: %s.BitField{Count: %d, At: %d, Overlap: %d}, ",
				out.Import(expr.BindPath), b.Count, b.At, b.Overlap)
		}
		if f.When != nil {
			text = fmt.Appendf(text, "When: []%s.Range{", out.Import(expr.BindPath))
			for _, r := range f.When {
				text = fmt.Appendf(text, "{Low: %#x, High: %#x}, ", r.Low, r.High)
			}
			text = append(bytes.TrimSuffix(text, []byte(", ")), "}, "...)
		}
		if f.Fields != nil {
			text = fmt.Appendf(text, "Fields: []%s.Field{\n", out.Import(expr.BindPath))
			text = append(append(appendLayouts(text, f.Fields, sequential, indent+"\t", out), indent...), "}, "...)
		}
		text = append(bytes.TrimSuffix(text, []byte(", ")), "},\n"...)
	}
	return text
}

var orderNames = map[bind.Order]string{bind.LittleEndian: "LittleEndian", bind.BigEndian: "BigEndian"}
