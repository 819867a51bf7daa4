package ctf

import (
	"fmt"
	"strings"

	"github.com/tracec/tracec"
)

// tsdlForm writes metadata of version 1.8 (docs/spec/ctf.md 2).
type tsdlForm struct{ strings.Builder }

func (f *tsdlForm) bytes() []byte { return []byte(f.String()) }

// quoted returns a TSDL string.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// uint returns an unsigned integer with further attributes.
func uint(bits int, attributes string) string {
	return fmt.Sprintf("integer { size = %d; align = 8; signed = false;%s }", bits, attributes)
}

const toClock = " map = clock.clock.value;"

func (f *tsdlForm) trace(w *writer) {
	fmt.Fprintf(f, "/* CTF 1.8 */\n\ntrace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = %q;\n\tbyte_order = le;\n\tpacket.header := struct {\n"+
		"\t\t%s magic;\n\t\t%s uuid[16];\n\t\t%[2]s stream_id;\n\t\t%[4]s stream_instance_id;\n\t};\n};\n\nenv {\n",
		w.uuidText(), uint(32, ""), uint(8, ""), uint(64, ""))
	for _, v := range w.environment() {
		fmt.Fprintf(f, "\t%s = %s;\n", v.name, quoted(v.value))
	}
	f.WriteString("};\n\n")
}

func (f *tsdlForm) clock(w *writer) {
	seconds, ns, known := w.origin()
	fmt.Fprintf(f, "clock {\n\tname = clock;\n\tdescription = %s;\n\tfreq = 1000000000;\n\toffset_s = %d;\n\toffset = %d;\n\tabsolute = %t;\n};\n\n",
		quoted(w.clockText()), seconds, ns, known)
}

func (f *tsdlForm) stream(class int, context bool) {
	plain, time := uint(64, ""), uint(64, toClock)
	fmt.Fprintf(f, "stream {\n\tid = %d;\n\tpacket.context := struct {\n\t\t%s timestamp_begin;\n\t\t%[2]s timestamp_end;\n"+
		"\t\t%s content_size;\n\t\t%[3]s packet_size;\n\t\t%[3]s packet_seq_num;\n\t\t%[3]s events_discarded;\n",
		class, time, plain)
	if class == cpuStreams {
		fmt.Fprintf(f, "\t\t%s cpu_id;\n", uint(32, ""))
	}
	fmt.Fprintf(f, "\t};\n\tevent.header := struct {\n\t\t%s id;\n\t\t%s timestamp;\n\t};\n", uint(32, ""), time)
	if context {
		id := strings.Replace(uint(32, ""), "false", "true", 1)
		fmt.Fprintf(f, "\tevent.context := struct {\n\t\t%s _vpid;\n\t\t%[1]s _vtid;\n\t\tstring _procname;\n\t};\n",
			id)
	}
	f.WriteString("};\n\n")
}

func (f *tsdlForm) event(e *event, class int) {
	fmt.Fprintf(f, "event {\n\tname = %s;\n\tid = %d;\n\tstream_id = %d;\n\tfields := struct {\n", quoted(e.name),
		e.id, class)
	f.members(e.fields, "\t\t")
	f.WriteString("\t};\n};\n\n")
}

func (f *tsdlForm) members(list []*class, indent string) {
	names := names(list, true)
	for i, name := range names {
		c := list[i]
		if c.kind != tracec.List {
			fmt.Fprintf(f, "%s%s %s;\n", indent, f.typeOf(c, indent), name)
			continue
		}
		length, counted := lengthBefore(list, names, i)
		if !counted {
			fmt.Fprintf(f, "%s%s %s;\n", indent, uint(32, ""), length)
		}
		fmt.Fprintf(f, "%s%s %s[%s];\n", indent, f.typeOf(listed(c), indent), name, length)
	}
}

// typeOf returns a type. A list is in a structure of its own, with its length.
func (f *tsdlForm) typeOf(c *class, indent string) string {
	switch c.kind {
	case tracec.Float:
		digits := map[int]string{4: "exp_dig = 8; mant_dig = 24;", 8: "exp_dig = 11; mant_dig = 53;"}[c.size]
		return "floating_point { " + digits + " align = 8; }"
	case tracec.Text:
		return "string"
	case tracec.Struct:
		s := &tsdlForm{}
		s.members(c.members, indent+"\t")
		return "struct {\n" + s.String() + indent + "}"
	}
	base := ""
	if c.hex {
		base = " base = 16;"
	}
	t := uint(8*c.size, base)
	if c.kind == tracec.Int {
		t = strings.Replace(t, "false", "true", 1)
	}
	labels := c.mappings()
	if len(labels) == 0 {
		return t
	}
	var b strings.Builder
	for _, m := range labels {
		for _, v := range m.values {
			fmt.Fprintf(&b, " %s = %s,", quoted(m.name), c.number(v))
		}
	}
	return "enum : " + t + " {" + b.String() + " }"
}

// listed returns the class of the elements of a list. A list in a list is in a structure.
func listed(c *class) *class {
	if c.element.kind != tracec.List {
		return c.element
	}
	inner := *c.element
	inner.name = "items"
	return &class{kind: tracec.Struct, members: []*class{&inner}}
}
