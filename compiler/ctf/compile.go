// Package ctf lowers the events of the Common Trace Format to IR. The container has parsed the
// descriptions of the events. Package runtime/ctf/layout finds the values.
package ctf

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/layout"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// Target is the machine of all programs. Records are little-endian by default; numbers in the other
// byte order are marked as such.
var Target = ir.Target{WordSize: 8}

// Compile returns an event: its values by the names of its fields, and its text as babeltrace2
// prints it. An event with an error has no values and no text.
func Compile(e *ctf.Event, s Style) (*ir.Event, error) {
	c := e.Scopes()
	scopes := [3]scope{{c[0], "stream.event.context", s.Context}, {c[1], "event.context", s.Context},
		{c[2], "event.fields", s.Payload}}
	return compileEvent(e, s.writer(scopes))
}

// CompileDetails is Compile with the text of sink.text.details: a line for each value.
func CompileDetails(e *ctf.Event) (*ir.Event, error) {
	c := e.Scopes()
	return compileEvent(e, details([3]scope{{Class: c[0], name: "Common context"},
		{Class: c[1], name: "Specific context"}, {Class: c[2], name: "Payload"}}))
}

func compileEvent(e *ctf.Event, text visitor) (*ir.Event, error) {
	values, ends := layout.Fields(e)
	ev, err := compile(values, ends, text)
	ev.Group, ev.Name = e.Title()
	ir.NameResult(ev)
	return ev, err
}

// CompilePacket returns the context of the packets of an event, whose data is Entry.Packet. Fields
// that serve only decoding have no text. CompilePacket returns nil if packets have no other fields.
func CompilePacket(e *ctf.Event, s Style) (*ir.Event, error) {
	context := e.Stream.PacketContext
	return compilePacket(context, e.PacketForm(), s.writer([3]scope{{context, "stream.packet.context", s.Context}}))
}

// CompilePacketDetails is CompilePacket with the text of sink.text.details, for a context and its
// form.
func CompilePacketDetails(context *metadata.Class, form *ctf.Form) (*ir.Event, error) {
	return compilePacket(context, form, details([3]scope{{Class: context, name: "Context"}}))
}

func compilePacket(context *metadata.Class, form *ctf.Form, text visitor) (*ir.Event, error) {
	if form == nil {
		return nil, nil
	}
	values, ends := layout.Values(form, [3]*metadata.Class{context})
	ev, err := compile(values, ends, text)
	ev.Name = "packet"
	return ev, err
}

// visitor makes a visitor that prints fields and the text after them.
type visitor func(l *lowerer, fields []*ir.Field, ends [3]int) (v sequence.Visitor, tail string)

func compile(values []layout.Value, ends [3]int, text visitor) (*ir.Event, error) {
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev := &ir.Event{Fields: []*ir.Field{data}, Slots: sequence.Slots, HasText: true}
	l := &lowerer{of: map[*ir.Field]*metadata.Class{}, label: map[*ir.Field]string{}, referred: sequence.Referred{}}
	fields := l.fields(values)
	w, tail := text(l, fields, ends)
	body, slots := sequence.Walk(data, fields, Target.BigEndian, w)
	ev.Text, ev.Slots = append(body, lit(tail)), max(ev.Slots, slots)
	ev.Fields = append(ev.Fields, fields...)
	sequence.Decode(ev, Target.BigEndian)
	if err := ir.CheckEvent(ev); err != nil {
		return &ir.Event{Fields: ev.Fields[:1], Why: err.Error()}, err
	}
	return ev, nil
}

// lowerer makes fields of IR.
type lowerer struct {
	of       map[*ir.Field]*metadata.Class
	label    map[*ir.Field]string
	referred sequence.Referred
}

func (l *lowerer) fields(values []layout.Value) []*ir.Field {
	out := make([]*ir.Field, len(values))
	for i := range values {
		out[i] = l.field(&values[i])
	}
	return out
}

func (l *lowerer) field(v *layout.Value) *ir.Field {
	f := l.referred.Field(&v.Field)
	f.Text = v.IsText()
	if c := v.Class; c != nil {
		l.of[f], l.label[f] = c, v.Label
		f.CType = c.Describe()
		f.Hex = c.Base == 16
		f.Enum = labels(c)
	}
	if f.Kind.HasParts() {
		f.Fields = l.fields(v.Parts)
	}
	if f.Kind == ir.Variant {
		for _, a := range f.Fields {
			a.Optional = true
		}
	}
	return f
}

// labels are the names of the values of an enumeration, or of the flags of a bit map.
func labels(c *metadata.Class) *ir.Enum {
	e := &ir.Enum{Func: "RangeName", Table: &ir.Table{}}
	if c.Signed {
		e.Func = "SignedRangeName"
	}
	if c.Kind == metadata.BitMap {
		e.Func = "FlagNames"
	}
	for _, l := range c.Labels {
		for _, r := range l.Ranges {
			switch {
			case l.Name == "":
			case c.Kind == metadata.BitMap && (r.First != r.Last || r.First > 63 || len(l.Ranges) > 1):
				return nil // a flag with several bits, any of which sets it
			case c.Kind == metadata.BitMap:
				e.Table.Rows = append(e.Table.Rows, ir.Row{Value: 1 << r.First, Text: l.Name})
			default:
				e.Table.Rows = appendRange(e.Table.Rows, r, l.Name)
			}
		}
	}
	if len(e.Table.Rows) == 0 {
		return nil
	}
	return e
}

// appendRange appends the rows of a range: one for a single value, else two. The first of two rows
// has no text.
func appendRange(rows []ir.Row, r metadata.Range, text string) []ir.Row {
	if r.First != r.Last {
		rows = append(rows, ir.Row{Value: r.First})
	}
	return append(rows, ir.Row{Value: r.Last, Text: text})
}

// table has two rows for each range. The first of them has no text. A range that ends before it
// begins has no value.
func table(c *metadata.Class) *ir.Table {
	t := &ir.Table{}
	for _, l := range c.Labels {
		for _, r := range l.Ranges {
			if c.Signed && int64(r.First) <= int64(r.Last) || !c.Signed && r.First <= r.Last {
				t.Rows = append(t.Rows, ir.Row{Value: r.First}, ir.Row{Value: r.Last, Text: l.Name})
			}
		}
	}
	return t
}
