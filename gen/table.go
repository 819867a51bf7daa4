package gen

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/tracec/tracec/runtime/bind"
)

var kindNames = map[bind.Kind]string{
	bind.Int: "Int", bind.Array: "Array", bind.Dynamic: "Dynamic", bind.Tail: "Tail", bind.Bytes: "Bytes", bind.Float: "Float",
	bind.Counted: "Counted", bind.Terminated: "Terminated", bind.Struct: "Struct", bind.List: "List",
}

// table writes the compiled layout of every slot, for bind.
func (p *pkg) table(out *piece) {
	var text []byte
	for i, c := range p.commons {
		text = fmt.Appendf(text, "// %s are fields that events begin with.\nvar %s = []bind.Field{", commonName(i), commonName(i))
		if len(c.fields) > 0 {
			text = append(text, '\n')
		}
		text = append(appendLayouts(text, layouts(c.fields), false, "\t"), "}\n\n"...)
	}
	text = append(text, tableHead...)
	for _, e := range p.events {
		text = appendEvent(text, e.layout(), commonName(e.commons))
	}
	out.write(append(text, "}\n"...), bindPath)
}

const tableHead = "// events has the layout of every event.\nvar events = [...]bind.Event{\n"

func commonName(i int) string { return "common" + strconv.Itoa(i) }

// appendEvent appends the row of an event. common is the variable that holds its common fields.
func appendEvent(text []byte, e bind.Event, common string) []byte {
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
	text = append(text, ", Fields: []bind.Field{\n"...)
	text = append(appendLayouts(text, e.Fields, e.Sequential, "\t\t"), "\t}"...)
	if e.Wide != nil {
		wide := bytes.TrimSuffix(bytes.TrimPrefix(appendEvent(nil, *e.Wide, ""), []byte("\t")), []byte(",\n"))
		text = append(append(text, ", Wide: &bind.Event"...), wide...)
	}
	return append(text, "},\n"...)
}

// appendLayouts appends a line for each field.
func appendLayouts(text []byte, fields []bind.Field, sequential bool, indent string) []byte {
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
			text = fmt.Appendf(text, "Kind: bind.%s, ", kindNames[f.Kind])
		}
		for _, n := range []struct {
			name  string
			value int
			least int
		}{{"Elem", f.Elem, 1}, {"Align", f.Align, 2}, {"PadAfter", f.PadAfter, 2}, {"Count", f.Count, 1}} {
			if n.value >= n.least {
				text = fmt.Appendf(text, "%s: %d, ", n.name, n.value)
			}
		}
		for _, flag := range []struct {
			name string
			on   bool
		}{{"Signed", f.Signed}, {"Rel", f.Rel}, {"Text", f.Text}, {"Skip", f.Skip}} {
			if flag.on {
				text = fmt.Appendf(text, "%s: true, ", flag.name)
			}
		}
		if f.Order != bind.AsEvent {
			text = fmt.Appendf(text, "Order: bind.%s, ", orderNames[f.Order])
		}
		if f.Fields != nil {
			text = append(text, "Fields: []bind.Field{\n"...)
			text = append(append(appendLayouts(text, f.Fields, sequential, indent+"\t"), indent...), "}, "...)
		}
		text = append(bytes.TrimSuffix(text, []byte(", ")), "},\n"...)
	}
	return text
}

var orderNames = map[bind.Order]string{bind.LittleEndian: "LittleEndian", bind.BigEndian: "BigEndian"}
