// Package layout describes the records of an open recording of runtime/ctf to generated decoders
// and to the compiler.
package layout

import (
	"fmt"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// A Value is a field of Record.Data and its class. Numbers are little-endian if Order is AsEvent.
type Value struct {
	bind.Field
	Class *metadata.Class // nil for the selector before a variant or optional field
	Label string          // the name in its structure, which other fields may share
	// Attributes are attributes of the member of a structure. The class has attributes of its own.
	Attributes []metadata.Attribute
	Parts      []Value // like Fields
}

// IsText reports whether the value consists of characters.
func (v *Value) IsText() bool {
	return v.Class != nil && (v.Class.Kind == metadata.String || v.Class.Kind == metadata.Text)
}

// Fields returns the fields of an event's records, in three scopes: the event's context in its
// stream, its own context, and its payload. If a field of a context has the name of a field in the
// payload or in an earlier scope, it gets the name of its scope as a prefix. ends are the numbers
// of fields at the ends of the three scopes.
func Fields(ev *ctf.Event) (fields []Value, ends [3]int) {
	return Values(ev.Form, ev.Scopes())
}

// scopeNames are the prefixes for names that also occur in another scope.
var scopeNames = [...]string{"stream context", "context", "payload"}

// Values returns the fields of scopes in a form.
func Values(form *ctf.Form, scopes [3]*metadata.Class) (fields []Value, ends [3]int) {
	b := &builder{form: form, slots: map[*metadata.Class]int{}}
	for _, s := range scopes {
		b.refer(s)
	}
	taken := map[string]bool{}
	if p := scopes[2]; p != nil {
		for _, m := range p.Members {
			taken[m.Name] = true
		}
	}
	for i, s := range scopes {
		if s != nil {
			for _, m := range s.Members {
				name := m.Name
				if i < 2 && taken[name] {
					name = scopeNames[i] + "." + name
				}
				taken[name] = true
				list := b.fields(m.Class, name)
				list[len(list)-1].Label, list[len(list)-1].Attributes = m.Name, m.Attributes
				fields = append(fields, list...)
			}
		}
		ends[i] = len(fields)
	}
	unique(fields)
	numbering{}.number(fields)
	complete(fields)
	return fields, ends
}

// numbering renumbers slots as in compiled layouts: in the order of the fields that refer to them.
// A slot to which no field refers becomes 0.
type numbering map[int]int

func (n numbering) number(fields []Value) {
	n.find(fields)
	n.set(fields)
}

func (n numbering) find(fields []Value) {
	for i := range fields {
		if from := fields[i].From; from > 0 && n[from] == 0 {
			n[from] = len(n) + 1
		}
		n.find(fields[i].Parts)
	}
}

func (n numbering) set(fields []Value) {
	for i := range fields {
		f := &fields[i]
		f.Slot, f.From = n[f.Slot], n[f.From]
		n.set(f.Parts)
	}
}

// complete sets Fields.
func complete(list []Value) {
	for i := range list {
		v := &list[i]
		complete(v.Parts)
		for _, p := range v.Parts {
			v.Fields = append(v.Fields, p.Field)
		}
	}
}

// unique adds numbers to equal names of fields.
func unique(fields []Value) {
	taken := map[string]bool{}
	for i := range fields {
		name := fields[i].Name
		for n := 2; taken[fields[i].Name]; n++ {
			fields[i].Name = fmt.Sprintf("%s %d", name, n)
		}
		taken[fields[i].Name] = true
	}
}

// builder makes fields of classes.
type builder struct {
	form  *ctf.Form
	slots map[*metadata.Class]int // of classes to which others refer
}

// refer gives slots to the numbers to which fields refer.
func (b *builder) refer(c *metadata.Class) {
	if c == nil {
		return
	}
	if c.From != nil && !b.form.Selects(c) {
		if f := c.From.Fields[0]; b.slots[f] == 0 {
			b.slots[f] = len(b.slots) + 1
		}
	}
	for _, m := range c.Members {
		b.refer(m.Class)
	}
	for _, o := range c.Options {
		b.refer(o.Class)
	}
	b.refer(c.Element)
}

// fields returns the field of a class. If it needs a selector, the selector comes first.
func (b *builder) fields(c *metadata.Class, name string) []Value {
	v := b.field(c, name)
	if !b.form.Selects(c) {
		return []Value{v}
	}
	s := Value{Field: bind.Field{Name: name + " selector", Size: 8, Slot: len(b.slots) + 1,
		Signed: c.From.Fields[0].Signed}}
	b.slots[c] = s.Slot
	v.From = s.Slot
	return []Value{s, v}
}

func (b *builder) field(c *metadata.Class, name string) Value {
	v := Value{Field: bind.Field{Name: name, Slot: b.slots[c]}, Class: c}
	switch c.Kind {
	case metadata.Int, metadata.Varint, metadata.Bool, metadata.BitArray, metadata.BitMap, metadata.Float:
		v.Size, v.Signed = ctf.Size(c), c.Signed
		if c.Kind == metadata.Float {
			v.Kind = bind.Float
		}
		if c.Order.BigEndian && !b.form.Unpacked && v.Size > 1 {
			v.Order = bind.BigEndian
		}
	case metadata.String:
		v.Kind = bind.Terminated
	case metadata.Text, metadata.Blob:
		b.counted(&v, c)
	case metadata.Struct:
		v.Kind = bind.Struct
		for _, m := range c.Members {
			list := b.fields(m.Class, m.Name)
			list[len(list)-1].Label, list[len(list)-1].Attributes = m.Name, m.Attributes
			v.Parts = append(v.Parts, list...)
		}
		unique(v.Parts)
	case metadata.Array:
		v.Kind, v.Parts = bind.List, b.element(c.Element)
		b.length(&v, c)
	case metadata.Optional:
		v.Kind, v.Optional, v.From, v.Parts = bind.Variant, true, b.from(c), b.element(c.Element)
		v.Parts[0].Name, v.Parts[0].When = "value", when(c.Ranges)
	case metadata.Variant:
		v.Kind, v.From = bind.Variant, b.from(c)
		for i, o := range c.Options {
			a := b.one(o.Class)
			if a.Name, a.When = o.Name, when(o.Ranges); a.Name == "" {
				a.Name = fmt.Sprintf("option %d", i)
			}
			v.Parts = append(v.Parts, a)
		}
		unique(v.Parts)
	}
	// An arm is optional, and so is an arm that is itself a variant. The reader knows that it has
	// an arm.
	for i := range v.Parts {
		if p := &v.Parts[i]; v.Kind == bind.Variant && p.Kind == bind.Variant {
			p.Optional = true
		}
	}
	return v
}

// counted sets the size of a text or a blob.
func (b *builder) counted(v *Value, c *metadata.Class) {
	switch {
	case b.form.Unpacked:
		v.Kind, v.Size = bind.Counted, 4
	case c.From != nil:
		v.Kind, v.From = bind.Counted, b.from(c)
	default:
		v.Kind, v.Count, v.Text = bind.Counted, int(c.Length), c.Kind == metadata.Text
	}
}

// length sets the length of a list.
func (b *builder) length(v *Value, c *metadata.Class) {
	switch {
	case c.From == nil:
		v.Count = int(c.Length)
	case b.form.Unpacked:
		v.Size = 4
	default:
		v.From = b.from(c)
	}
}

// from returns the slot of the class to which a class refers.
func (b *builder) from(c *metadata.Class) int {
	if b.form.Selects(c) {
		return b.slots[c]
	}
	return b.slots[c.From.Fields[0]]
}

// element returns the element of a list.
func (b *builder) element(c *metadata.Class) []Value { return []Value{b.one(c)} }

// one returns a field without a name. For a class with a selector before it, it returns a structure
// of the two.
func (b *builder) one(c *metadata.Class) Value {
	list := b.fields(c, "")
	if len(list) == 1 {
		return list[0]
	}
	list[0].Name, list[1].Name = "selector", "value"
	return Value{Field: bind.Field{Kind: bind.Struct}, Parts: list}
}

// when returns the values that select an arm.
func when(list []metadata.Range) []bind.Range {
	if len(list) == 0 {
		return []bind.Range{{Low: 1, High: ^uint64(0)}}
	}
	out := make([]bind.Range, len(list))
	for i, r := range list {
		out[i] = bind.Range{Low: r.First, High: r.Last}
	}
	return out
}
