package filter

import (
	"slices"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/runtime/render"
)

// field gives access to a field of an event. Its functions return false, or nil, where the record
// has no value for the field.
type field struct {
	bits   func(*Subject) (uint64, bool)  // an integer, extended to 64 bits as signed declares
	float  func(*Subject) (float64, bool) // a float
	signed bool
	narrow uint8                 // the number of bits of a signed number narrower than 64 bits; else 0
	bytes  func(*Subject) []byte // the text, or the name of a number
	len    func(*Subject) int    // length of a list; the others return the element Subject.index; nil: no list
	whole  bool                  // bytes returns the whole list
	number *ir.Field             // a number with a fixed place; compiler.text finds its names
}

func (f *field) lists() lists {
	if f.len == nil {
		return nil
	}
	return lists{f.len}
}

// text is a compiled text. fn returns nil where the text is missing.
type text struct {
	fn    func(*Subject) []byte
	lists lists
}

// text compiles a field that is compared with a text.
func (c *compiler) text(n grammar.Field) (text, bool) {
	f, ok := c.field(n.Name)
	if f.number != nil {
		f.bytes = c.numberNames(f)
	}
	switch {
	case !ok:
		c.problem(n.Pos, "")
	case f.bytes == nil:
		c.problem(n.Pos, "`"+n.Name+"` is a number without names: it cannot be compared with a text")
	default:
		c.usable(n.Pos)
		t := text{fn: f.bytes}
		if !f.whole {
			t.lists = f.lists()
		}
		return t, true
	}
	return text{}, false
}

// problem notes why the field at a position of the filter cannot be used. An empty why means that
// the event has no such field.
func (c *compiler) problem(pos int, why string) {
	if c.problems != nil && c.problems[pos] == "" {
		c.problems[pos] = why
	}
}

func (c *compiler) usable(pos int) {
	if c.used != nil {
		c.used(pos)
	}
}

// field finds a field by its name. It caches the result, because long filters use the same field
// again and again.
func (c *compiler) field(name string) (field, bool) {
	f, known := c.fields[name]
	if !known {
		f = c.find(name)
		c.fields[name] = f
	}
	return f, f.bits != nil || f.float != nil || f.bytes != nil
}

// find finds a field, and returns zero if it does not exist. The event's own fields hide the fields
// that events of all systems have.
func (c *compiler) find(name string) field {
	switch name {
	case "COMM":
		c.comm = true
		return field{bytes: func(s *Subject) []byte { return s.Comm }}
	case "CPU":
		return field{signed: true, bits: func(s *Subject) (uint64, bool) {
			return uint64(s.record.CPU),
				s.record.CPU >= 0
		}}
	case "TIMESTAMP":
		return field{bits: func(s *Subject) (uint64, bool) { return s.record.Time, true }}
	}
	if ev := c.event.IR; ev != nil {
		if interp.Decodes(ev) {
			leaves := ev.Leaves()
			if i := slices.IndexFunc(leaves, func(l ir.Leaf) bool {
				return l.Path == name || slices.Contains(l.Labels, name)
			}); i >= 0 {
				f, _ := c.decoded(leaves[i])
				return f
			}
		} else if i := slices.Index(ev.FieldNames(), name); i >= 0 {
			return c.placed(ev.Fields[i])
		}
	}
	if name == "common_pid" {
		return field{signed: true, bits: func(s *Subject) (uint64, bool) {
			return uint64(s.record.Task),
				s.record.Task >= 0
		}}
	}
	return field{}
}

// names returns all fields of the event, for messages.
func (e *Event) names() (list []string) {
	if e.IR == nil {
		return nil
	}
	if interp.Decodes(e.IR) {
		for _, l := range e.IR.Leaves() {
			list = append(append(list, l.Path), l.Labels...)
		}
		return list
	}
	return slices.DeleteFunc(e.IR.FieldNames(), func(name string) bool { return name == "" })
}

// placed gives access to a field with a place in the record.
func (c *compiler) placed(f *ir.Field) field {
	v := f
	if !c.event.Words {
		v = interp.ValueField(f, c.event.Target)
	}
	r := interp.NewReader(v, c.event.Target)
	if f.Kind == ir.Int {
		return field{
			number: f, signed: v.Signed, narrow: narrow(v.Signed, v.Size),
			bits: func(s *Subject) (uint64, bool) { return r.Bits(s.record.Data) },
		}
	}
	a := field{whole: true, bytes: func(s *Subject) []byte { return r.Text(s.record.Data) }}
	if elem := (ir.Type{Size: int8(min(f.Elem, 16))}); !f.Text && f.Kind != ir.Bytes && elem.Valid() {
		a.signed, a.narrow = f.Signed, narrow(f.Signed, f.Elem)
		a.len = func(s *Subject) int { return r.Len(s.record.Data) }
		a.bits = func(s *Subject) (uint64, bool) { return r.Elem(s.record.Data, s.index), true }
	}
	return a
}

// narrow returns the number of bits of a signed number of fewer than 8 bytes, and 0 for other
// numbers. size is in bytes.
func narrow(signed bool, size int) uint8 {
	if signed && size > 0 && size < 8 {
		return uint8(8 * size)
	}
	return 0
}

// numberNames returns the names for the numbers of a field with a fixed place, or nil if they have
// no names.
func (c *compiler) numberNames(f field) func(*Subject) []byte {
	if c.names == nil {
		c.names = interp.FieldNames(c.event.IR, c.event.Target)
	}
	if n := c.names[f.number]; n != nil {
		return called(f.bits, named(n))
	}
	if f.number.Size == c.event.Target.WordSize { // it may be an address
		return called(f.bits, symbol)
	}
	return nil
}

// called returns a function for the name of the number that bits returns. It returns nil for a
// number without a name.
func called(
	bits func(*Subject) (uint64, bool), name func(s *Subject, dst []byte, v uint64) []byte,
) func(*Subject) []byte {
	return func(s *Subject) []byte {
		v, ok := bits(s)
		if !ok {
			return nil
		}
		if s.scratch = name(s, s.scratch[:0], v); len(s.scratch) == 0 {
			return nil
		}
		return s.scratch
	}
}

// symbol appends the name of the symbol at an address.
func symbol(s *Subject, dst []byte, addr uint64) []byte {
	if s.symbols == nil {
		return dst
	}
	name, _, _ := s.symbols.Symbol(addr)
	return append(dst, name...)
}

// named returns a function that appends the name of a value.
func named(n *interp.Names) func(*Subject, []byte, uint64) []byte {
	return func(_ *Subject, dst []byte, v uint64) []byte { return n.Append(dst, v) }
}

// decoded gives access to a value that the program of the event yields.
func (c *compiler) decoded(d ir.Leaf) (field, bool) {
	if c.values == nil {
		p, err := interp.CompileDecode(c.event.IR, c.event.Target)
		if err != nil {
			return field{}, false
		}
		c.values = &values{program: p, repeated: make([]bool, len(c.event.IR.AllValues()))}
		for _, l := range c.event.IR.Leaves() {
			c.values.repeated[l.Number] = l.Repeated
		}
	}
	i, vs := d.Number, c.values
	at := func(s *Subject) *kept { return &s.decode(vs)[i] }
	a := field{}
	if d.Repeated {
		a.len = func(s *Subject) int { return len(s.decode(vs)[i].list) }
		at = func(s *Subject) *kept { return &s.decode(vs)[i].list[s.index] }
	}
	switch t := d.Type(); {
	case d.Kind == ir.Counted && !d.Text && !d.Repeated:
		a.len = func(s *Subject) int { return len(at(s).bytes) }
		a.signed, a.narrow = d.Signed, narrow(d.Signed, 1)
		elem := ir.Type{Size: 1, Signed: d.Signed}
		a.bits = func(s *Subject) (uint64, bool) { return elem.Extend(uint64(at(s).bytes[s.index])), true }
	case t == ir.Type{}:
		a.bytes = func(s *Subject) []byte { return at(s).text() }
	case d.Kind == ir.Float:
		a.float = func(s *Subject) (float64, bool) { k := at(s); return floatOf(k.bits, t.Size), k.has }
	default:
		a.signed, a.narrow = t.Signed, narrow(t.Signed, int(t.Size))
		a.bits = func(s *Subject) (uint64, bool) { k := at(s); return k.bits, k.has }
		if d.Enum != nil {
			a.bytes = called(a.bits, named(interp.EnumNames(d.Enum)))
		} else if int(t.Size) == c.event.Target.WordSize {
			a.bytes = called(a.bits, symbol)
		}
	}
	return a, true
}

// values is the program of an event that yields values.
type values struct {
	program  *interp.Program
	repeated []bool // of each of the event's AllValues
}

// kept is one value, or the list of the values that a record has for a repeated field.
type kept struct {
	has   bool
	bits  uint64
	bytes []byte
	list  []kept
}

// text returns the characters up to the first NUL, nil without a value.
func (k *kept) text() []byte {
	switch {
	case !k.has:
		return nil
	case k.bytes == nil:
		return []byte{}
	}
	return render.Text(k.bytes)
}

// decode returns the values of the record.
func (s *Subject) decode(v *values) []kept {
	if s.decoded == v {
		return s.kept
	}
	for len(s.kept) < len(v.repeated) {
		s.kept = append(s.kept, kept{})
	}
	for i := range v.repeated {
		k := &s.kept[i]
		k.has, k.bytes, k.list = false, nil, k.list[:0]
	}
	s.decoded = v
	s.scratch = s.machine.AppendText(s.scratch[:0], v.program, s.record.Data)[:0]
	return s.kept
}

// keep takes a value from the program.
func (s *Subject) keep(i int, bits uint64, b []byte) {
	k := &s.kept[i]
	if s.decoded.repeated[i] {
		k.list = append(k.list, kept{has: true, bits: bits, bytes: b})
		return
	}
	k.has, k.bits, k.bytes = true, bits, b
}
