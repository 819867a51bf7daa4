package lttng

import (
	"fmt"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	grammar "github.com/tracec/tracec/grammar/lttng"
)

// Marker is one kind of event as a trace describes it.
type Marker struct {
	Channel, Name, Format string
	// Sizes of the C types in the marker's program in bytes, and what fields are aligned to; 0 packs them.
	Int, Long, Pointer, SizeT, Alignment int
}

// Era is the reader whose text is wanted.
type Era uint8

// The eras.
const (
	Era2  Era = iota // 2.x: conversions as the format says
	Era1             // 1.0: decimal numbers
	Era08            // 0.x: as 1.0, without the names of fields
)

// Rules are what a dialect says beside the format.
type Rules struct {
	Era       Era
	Natural   bool // 2.4, 2.5: fields are aligned to their size
	BigEndian bool // of the trace; ir.Target says it to the back ends
	// Note names what is asked for a note after the number of a field; "" is none. Texts then call render.HookCall1 with
	// that name and the number. It may be nil.
	Note      func(m Marker, field string) string
	StringPad int // 0.x: the place after a string is a multiple of it; 0 and 1 are none
}

// Compile returns the event of a marker: its fields in Values, by their names, and its text, which is ` { pid = 5, name = "x" }` with the
// blank in front or nothing for a marker without fields. The error says what of the format cannot be; the event has then neither.
func Compile(m Marker, r Rules) (*ir.Event, error) {
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev := &ir.Event{Group: m.Channel, Name: m.Name, Fields: []*ir.Field{data}, Slots: sequence.Slots}
	tree, err := grammar.Parse(m.Channel+"."+m.Name, m.Format)
	if err != nil {
		ev.Why = err.Error()
		return ev, err
	}
	fields := fieldsOf(tree, m)
	for _, x := range fields {
		if x.align = x.alignment(m, r); !valid(x.size) {
			err := fmt.Errorf("%s.%s: a field of %d bytes", m.Channel, m.Name, x.size)
			ev.Why = err.Error()
			return ev, err
		}
	}
	ev.HasText = true
	if r.Note != nil {
		for _, x := range fields {
			x.note = r.Note(m, x.name)
		}
	}
	ev.Text = text(fields, r, data)
	decode(ev, fields, r, data)
	return ev, nil
}

// field is one conversion of a format.
type field struct {
	name    string
	format  string // as written, for people: #2u%u
	size    int    // bytes; 0 is a string
	align   int    // its offset is a multiple of it
	signed  bool
	pointer bool
	network bool
	before  string // characters between the last blank and the conversion: 0x
	spec    ir.Spec
	note    string // see Rules.Note
}

// fieldsOf finds the fields of a format and their sizes.
func fieldsOf(f *grammar.Format, m Marker) []*field {
	var out []*field
	var trace *grammar.Trace
	var literal, named, written string
	for _, item := range f.Items {
		switch c := item.Conversion; {
		case item.Trace != nil:
			trace = item.Trace
			if written == "" {
				named = literal
			}
			written += trace.Hash + trace.Attributes + trace.Qualifier + trace.Letter + trace.Swallowed
			if trace.Swallowed != "" { // what was begun came to nothing
				trace = nil
			}
		case c != nil:
			if written == "" {
				named = literal
			}
			x := m.field(trace, c)
			x.name = name(named, len(out))
			x.format = written + c.Percent + c.Flags + c.Qualifier + c.Letter
			x.before = literal[strings.LastIndexByte(literal, ' ')+1:]
			out = append(out, x)
			trace, literal, written = nil, "", ""
		default:
			literal += item.Text
		}
	}
	return out
}

// name returns the first word of the text in front of a conversion that ends with a blank, the number of the field when there is none.
// One blank ends the conversion before; another leaves the name empty.
func name(literal string, before int) string {
	if before > 0 {
		literal = strings.TrimPrefix(literal, " ")
	}
	if word, _, ok := strings.Cut(literal, " "); ok {
		return word
	}
	return fmt.Sprintf("field %d", before+1)
}

// field returns the field that a conversion makes. A trace type says how the value is stored, the conversion how it prints.
func (m Marker) field(t *grammar.Trace, c *grammar.Conversion) *field {
	x := &field{spec: ir.Spec{Verb: c.Letter[0], Prec: -1}}
	for _, flag := range c.Flags {
		switch flag {
		case '-':
			x.spec.Minus = true
		case '+':
			x.spec.Plus = true
		case ' ':
			x.spec.Space = true
		case '#':
			x.spec.Sharp = true
		case '0':
			x.spec.Zero = true
		}
	}
	letter, qualifier := c.Letter, c.Qualifier
	if t != nil {
		x.network = strings.Contains(t.Attributes, "n")
		if t.Letter != "" && letter != "s" {
			letter, qualifier = t.Letter, t.Qualifier
		}
	}
	x.size = m.size(qualifier, letter[0])
	x.signed = letter == "d" || letter == "i"
	x.pointer = letter == "p"
	return x
}

// size returns the number of bytes of a conversion; 0 is a string.
func (m Marker) size(qualifier string, letter byte) int {
	switch letter {
	case 's':
		return 0
	case 'p':
		return m.Pointer
	case 'c':
		return 1
	}
	switch qualifier {
	case "h", "2":
		return 2
	case "l":
		return m.Long
	case "ll", "L", "8":
		return 8
	case "z", "Z":
		return m.SizeT
	case "t":
		return m.Pointer
	case "1":
		return 1
	case "4":
		return 4
	}
	return m.Int
}

func valid(size int) bool { return size == 0 || size == 1 || size == 2 || size == 4 || size == 8 }

// alignment returns what the offset of a field is a multiple of (lttng.md 5.3).
func (x *field) alignment(m Marker, r Rules) int {
	switch {
	case m.Alignment <= 1 || x.size <= 1:
		return 1
	case r.Natural:
		return x.size
	}
	return min(m.Alignment, x.size)
}

// typ returns the type of the value as it is stored.
func (x *field) typ() ir.Type { return ir.Type{Size: int8(x.size), Signed: x.signed} }

// field returns the field of a payload.
func (x *field) field(name string, r Rules) *ir.Field {
	f := &ir.Field{Name: name, CType: x.format, Offset: ir.Sequential, Kind: ir.Int, Size: x.size, Align: x.align, Signed: x.signed, Network: x.network && x.size > 1}
	if x.size == 0 {
		f.Kind, f.Align, f.PadAfter = ir.Terminated, 1, r.StringPad
	}
	return f
}

// decode writes the fields and the program that yields their values.
func decode(ev *ir.Event, fields []*field, r Rules, data *ir.Field) {
	taken := map[string]bool{}
	for i, x := range fields {
		n := x.name
		if n == "" {
			n = fmt.Sprintf("field %d", i+1)
		}
		for k := 2; taken[n]; k++ {
			n = fmt.Sprintf("%s %d", x.name, k)
		}
		taken[n] = true
		d := &ir.Datum{Name: n, Source: x.format, Text: x.size == 0}
		if x.size > 0 {
			d.Type = x.typ()
		}
		ev.Values = append(ev.Values, d)
		ev.Fields = append(ev.Fields, x.field(n, r))
	}
	l := newLayout(data, r)
	l.walk(fields, func(p place) []ir.Stmt {
		if p.size == 0 {
			return []ir.Stmt{&ir.Keep{Datum: p.index, Of: p.text()}}
		}
		return []ir.Stmt{&ir.Keep{Datum: p.index, V: p.number()}}
	})
	ev.Decode = l.Out
}
