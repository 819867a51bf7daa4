package ctf

import (
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/render"
)

// Style holds the options of babeltrace2 that affect the text (docs/spec/ctf.md 7).
type Style struct {
	Payload bool // the names of fields of the payload
	Context bool // the names of fields of contexts
	Scopes  bool // the names of scopes
	Bare    bool // several labels without braces, as 2.0 prints them
	Flags   bool // labels of the bits of an enumeration, if no label has the value
}

// Default is the style without options.
var Default = Style{Payload: true, Context: true}

var plain = ir.Spec{Prec: -1}

func lit(s string) *ir.Lit { return &ir.Lit{S: s} }

// scope is one of the structures that an event consists of.
type scope struct {
	*metadata.Class
	name  string
	names bool // print the names of its fields
}

// headsOf has the texts before the first field of each scope, and the text after the last field.
type headsOf struct {
	of    map[*ir.Field]string
	names map[*ir.Field]bool // of the first fields: whether the scope has names
	tail  string
}

// heads finds the texts around scopes: `{ a = 1 }, { b = 2 }`.
func heads(fields []*ir.Field, ends [3]int, scopes [3]scope, style Style) headsOf {
	h, begin, open := headsOf{of: map[*ir.Field]string{}, names: map[*ir.Field]bool{}}, 0, ""
	for i, s := range scopes {
		if s.Class == nil {
			continue
		}
		if style.Scopes {
			open += s.name + " = "
		}
		if ends[i] == begin {
			open += "{ }, "
			continue
		}
		first := fields[begin]
		h.of[first], h.names[first] = open+"{ ", s.names
		begin, open = ends[i], " }, "
	}
	if len(open) >= 2 {
		open = open[:len(open)-2]
	}
	h.tail = open
	return h
}

// writer returns the visitor of a style.
func (s Style) writer(scopes [3]scope) visitor {
	return func(l *lowerer, fields []*ir.Field, ends [3]int) (sequence.Visitor, string) {
		w := &writer{style: s, of: l.of, label: l.label, heads: heads(fields, ends, scopes, s)}
		return w, w.heads.tail
	}
}

// writer prints the values that a walk visits.
type writer struct {
	style Style
	of    map[*ir.Field]*metadata.Class
	label map[*ir.Field]string
	heads headsOf
	deep  []*ir.Field // the enclosing fields
	names bool        // the scope has names of fields
	first bool        // nothing of the structure is printed yet
}

func (w *writer) Before(f *ir.Field, i int) []ir.Stmt {
	c := w.of[f]
	if names, ok := w.heads.names[f]; ok {
		w.names = names
	}
	if c == nil && f.Kind == ir.Int || c != nil && len(c.Roles) > 0 { // a selector, or a field only for decoding
		if head, ok := w.heads.of[f]; ok {
			w.first = true
			return []ir.Stmt{lit(head)}
		}
		return nil
	}
	text := ", "
	if head, ok := w.heads.of[f]; ok {
		text = head
	} else if len(w.deep) > 0 && (i == 0 || w.first) || len(w.deep) == 0 && w.first {
		text = ""
	}
	w.first = false
	if n := len(w.deep); n > 0 && w.deep[n-1].Kind == ir.Variant || f.Name == "" || w.of[f] == nil {
		return nil
	}
	if w.names {
		text += w.label[f] + " = "
	}
	return []ir.Stmt{lit(text)}
}

func (w *writer) Open(f *ir.Field) []ir.Stmt {
	w.deep = append(w.deep, f)
	w.first = false
	switch {
	case w.of[f] == nil: // a structure around a selector and its field
		return nil
	case f.Kind == ir.List:
		return []ir.Stmt{lit("[")}
	}
	return []ir.Stmt{lit("{ ")}
}

// None prints an optional field that is absent.
func (w *writer) None(*ir.Field) []ir.Stmt { return []ir.Stmt{lit("<none>")} }

func (w *writer) Close(f *ir.Field, rest ir.Value) []ir.Stmt {
	w.deep = w.deep[:len(w.deep)-1]
	switch {
	case w.of[f] == nil:
		return nil
	case f.Kind == ir.List && rest != nil:
		return []ir.Stmt{&ir.If{Cond: rest, Then: []ir.Stmt{lit(", ...")}}, lit(" ]")}
	case f.Kind == ir.Struct && len(f.Fields) == 0:
		return []ir.Stmt{lit("}")}
	}
	return []ir.Stmt{lit(" }")}
}

func (w *writer) Between(turn ir.Value, _ *ir.Field) []ir.Stmt {
	s := []ir.Stmt{&ir.If{Cond: turn, Then: []ir.Stmt{lit(", ")}, Else: []ir.Stmt{lit(" ")}}}
	if w.names {
		s = append(s, lit("["), &ir.PutInt{V: turn, Spec: ir.Spec{Verb: 'd', Prec: -1}}, lit("] = "))
	}
	return s
}

// Numbers prints a list of plain numbers.
func (w *writer) Numbers(f *ir.Field, data ir.Region) (body []ir.Stmt, cut bool) {
	e := f.Fields[0]
	c := w.of[e]
	if c == nil || c.Kind != metadata.Int || c.Labels != nil || len(c.Roles) > 0 || c.Bits != 8*e.Size {
		return nil, false
	}
	form := c.Base
	for _, part := range []struct {
		on   bool
		flag int
	}{{c.Signed, render.BtSigned}, {e.Order == ir.BigEndian, render.BtBig}, {w.names, render.BtIndexes}} {
		if part.on {
			form |= part.flag
		}
	}
	w.first = false
	return call("BtIntegers", data, number(e.Size), number(form)), false
}

func call(name string, args ...ir.Arg) []ir.Stmt {
	return []ir.Stmt{&ir.PutText{T: &ir.Call{Name: name, Args: args}, Spec: plain}}
}

func number(n int) ir.Value { return &ir.Const{T: ir.U64, V: uint64(n)} }

func (w *writer) Value(p sequence.Place) []ir.Stmt {
	c := w.of[p.Field]
	if c == nil || len(c.Roles) > 0 {
		return nil
	}
	v := ir.Value(nil)
	if p.Kind == ir.Int || p.Kind == ir.Float {
		v = &ir.Convert{T: ir.Type{Size: 8, Signed: p.Signed}, X: p.Number()}
	}
	switch c.Kind {
	case metadata.Int, metadata.Varint:
		return w.integer(c, v)
	case metadata.Float:
		return call("BtFloat", v, number(p.Size))
	case metadata.Bool:
		return []ir.Stmt{&ir.If{Cond: v, Then: []ir.Stmt{lit("true")}, Else: []ir.Stmt{lit("false")}}}
	case metadata.BitArray:
		return based(16, c.Bits, v)
	case metadata.BitMap:
		return append(based(16, c.Bits, v), call("BtFlags", v, table(c))...)
	case metadata.Blob:
		return call("BtBlob", p.Bytes())
	}
	return call("BtString", p.Bytes())
}

// integer prints an integer, or an enumeration.
func (w *writer) integer(c *metadata.Class, v ir.Value) []ir.Stmt {
	bits := c.Bits
	if c.Kind == metadata.Varint {
		bits = 64
	}
	digits := based(c.Base, bits, v)
	if c.Labels == nil {
		return digits
	}
	form := ""
	if w.style.Bare {
		form += "b"
	}
	if w.style.Flags {
		form += "f"
	}
	out := append([]ir.Stmt{lit("( ")}, call("BtLabels", v, ir.StrArg(form), table(c))...)
	return append(append(append(out, lit(" : container = ")), digits...), lit(" )"))
}

// based prints an integer in a base: 2, 8, 10 or 16. The digits in bases 8 and 16 cover all bits of
// the integer, rounded up to whole digits.
func based(base, bits int, v ir.Value) []ir.Stmt {
	digits := func(before string, verb byte, bits int) []ir.Stmt {
		cut := ir.Value(&ir.Convert{T: ir.U64, X: v})
		switch t := (ir.Type{Size: int8(bits / 8)}); {
		case bits%8 == 0 && t.Valid():
			cut = &ir.Convert{T: t, X: v}
		case bits < 64:
			cut = &ir.Binary{Op: ir.OpAnd, X: cut, Y: &ir.Const{T: ir.U64, V: 1<<bits - 1}}
		}
		return []ir.Stmt{lit(before), &ir.PutInt{V: cut, Spec: ir.Spec{Verb: verb, Prec: -1}}}
	}
	switch base {
	case 2:
		return call("BtBinary", v, number(bits))
	case 8:
		return digits("0", 'o', (bits+2)/3*3)
	case 16:
		return digits("0x", 'X', (bits+3)/4*4)
	}
	return []ir.Stmt{&ir.PutInt{V: v, Spec: ir.Spec{Verb: 'd', Prec: -1}}}
}
