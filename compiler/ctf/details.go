package ctf

import (
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/sequence"
	"github.com/tracec/tracec/runtime/ctf/metadata"
	"github.com/tracec/tracec/runtime/render"
)

// detailer prints each value on a line, as sink.text.details does (docs/spec/ctf.md 7.6).
type detailer struct {
	*lowerer
	heads map[*ir.Field]string // the texts before the first fields of scopes
	deep  []*ir.Field          // the enclosing fields
}

// details returns the visitor for the text of sink.text.details.
func details(scopes [3]scope) visitor {
	return func(l *lowerer, fields []*ir.Field, ends [3]int) (sequence.Visitor, string) {
		d := &detailer{lowerer: l, heads: map[*ir.Field]string{}}
		text, begin := "", 0
		for i, s := range scopes {
			if s.Class == nil {
				continue
			}
			text += "\n  " + s.name + ":"
			if !slices.ContainsFunc(s.Members, func(m metadata.Member) bool { return len(m.Class.Roles) == 0 }) {
				text += " Empty"
			}
			if ends[i] > begin {
				d.heads[fields[begin]], text, begin = text, "", ends[i]
			}
		}
		return d, text
	}
}

// line begins a line for a field of the current depth.
func (d *detailer) line() string {
	depth := 4
	for _, f := range d.deep {
		if c := d.of[f]; c != nil && (c.Kind == metadata.Struct || c.Kind == metadata.Array) {
			depth += 2
		}
	}
	return "\n" + strings.Repeat(" ", depth)
}

// hidden reports whether a field has no text: it is a selector, or only decoding needs it.
func (d *detailer) hidden(f *ir.Field) bool {
	c := d.of[f]
	return c == nil && f.Kind == ir.Int || c != nil && len(c.Roles) > 0
}

func (d *detailer) Before(f *ir.Field, _ int) []ir.Stmt {
	text := d.heads[f]
	n := len(d.deep)
	if !d.hidden(f) && d.of[f] != nil && f.Name != "" && (n == 0 || d.deep[n-1].Kind != ir.Variant) {
		text += d.line() + d.label[f] + ":"
	}
	if text == "" {
		return nil
	}
	return []ir.Stmt{lit(text)}
}

func (d *detailer) Open(f *ir.Field) []ir.Stmt {
	d.deep = append(d.deep, f)
	if d.of[f] != nil && f.Kind == ir.Struct && len(f.Fields) == 0 {
		return []ir.Stmt{lit(" Empty")}
	}
	return nil
}

// Count prints the length of a list.
func (d *detailer) Count(_ *ir.Field, n ir.Value) []ir.Stmt {
	length := append([]ir.Stmt{lit(" Length ")}, call("BtNumber", n, number(10))...)
	return []ir.Stmt{&ir.If{Cond: n, Then: append(length, lit(":")), Else: []ir.Stmt{lit(" Empty")}}}
}

func (d *detailer) Between(turn ir.Value, _ *ir.Field) []ir.Stmt {
	return append(append([]ir.Stmt{lit(d.line() + "[")}, call("BtNumber", turn, number(10))...), lit("]:"))
}

func (d *detailer) Close(_ *ir.Field, rest ir.Value) []ir.Stmt {
	line := d.line()
	d.deep = d.deep[:len(d.deep)-1]
	if rest == nil {
		return nil
	}
	return []ir.Stmt{&ir.If{Cond: rest, Then: []ir.Stmt{lit(line + "...")}}}
}

// None prints an optional field that is absent.
func (d *detailer) None(*ir.Field) []ir.Stmt { return []ir.Stmt{lit(" None")} }

func (d *detailer) Value(p sequence.Place) []ir.Stmt {
	c := d.of[p.Field]
	if d.hidden(p.Field) || c == nil {
		return nil
	}
	return append([]ir.Stmt{lit(" ")}, d.value(c, p)...)
}

func (d *detailer) value(c *metadata.Class, p sequence.Place) []ir.Stmt {
	v := ir.Value(nil)
	if p.Kind == ir.Int || p.Kind == ir.Float {
		v = &ir.Convert{T: ir.Type{Size: 8, Signed: p.Signed}, X: p.Number()}
	}
	switch c.Kind {
	case metadata.Int, metadata.Varint:
		form := c.Base
		if c.Signed {
			form |= render.BtSigned
		}
		return call("BtNumber", v, number(form))
	case metadata.Float:
		return call("BtFixed", v, number(p.Size))
	case metadata.Bool:
		return []ir.Stmt{&ir.If{Cond: v, Then: []ir.Stmt{lit("Yes")}, Else: []ir.Stmt{lit("No")}}}
	case metadata.BitArray, metadata.BitMap:
		return call("BtNumber", v, number(16))
	case metadata.Blob:
		return call("BtBlob", p.Bytes())
	}
	return []ir.Stmt{&ir.PutText{T: &ir.CString{Of: p.Bytes()}, Spec: plain}}
}
