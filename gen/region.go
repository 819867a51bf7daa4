package gen

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/expr"
)

// region returns the code of r as a []byte.
func (w *writer) region(r ir.Region) *jen.Statement {
	switch r := r.(type) {
	case *ir.FieldBytes:
		return w.fieldBytes(w.event.byField[r.Field])
	case *ir.Str:
		return jen.Id(bytesVar(w.out, r.S))
	case *ir.Slice:
		if s := w.sureSlice(r); s != nil {
			return s
		}
		at := jen.Code(jen.Lit(0))
		if r.At != nil {
			at = w.as64(r.At, true)
		}
		if r.Len == nil {
			return expr.Gencode("Slice").Call(w.region(r.Of), at)
		}
		return expr.Gencode("SliceN").Call(w.region(r.Of), at, w.as64(r.Len, true))
	case *ir.CondBytes:
		if c, ok := w.constant(r.If); ok {
			if c != 0 {
				return w.region(r.Then)
			}
			return w.region(r.Else)
		}
		return expr.Gencode("PickBytes").Call(w.cond(r.If), w.region(r.Then), w.region(r.Else))
	case *ir.LocalBytes:
		s := w.buffer(r.Slot)
		s.read = true
		return jen.Id(s.name)
	}
	return nil
}

// fieldBytes returns the code of the data of a field. The bytes of an integer are made from its
// value, in the order in which they were recorded.
func (w *writer) fieldBytes(f *field) *jen.Statement {
	if w.event.stream {
		return jen.Id("data")
	}
	if f.Kind == ir.Int {
		return expr.Gencode("IntBytes").Call(jen.Op("&").Id(w.ofInt(f)), jen.Uint64().Call(w.integer(f)),
			expr.Number(f.Size), expr.Gencode("BigEndian").Call(jen.Id("env")))
	}
	if t := f.goType(); f.member && f.Kind != ir.Dynamic && t.size == 1 {
		return w.ofStruct(f.memberName()).Index(jen.Empty(), jen.Empty())
	}
	w.members = w.members || f.member && f.Kind == ir.Dynamic
	return w.event.regionOf(f, expr.Data())
}

// ofStruct returns the code of a member of the struct e.
func (w *writer) ofStruct(name string) *jen.Statement {
	w.members = true
	return jen.Id("e").Dot(name)
}

// integer returns the code of the value of an Int field, in the Go type of the field.
func (w *writer) integer(f *field) *jen.Statement {
	t := ir.Type{Size: int8(f.Size), Signed: f.Signed}
	if !f.member { // a common field, or a field that overlaps another
		load := expr.Gencode("Load"+strconv.Itoa(8*f.Size)).Call(expr.Data(), expr.Number(f.Offset))
		if t.Signed {
			return typeCode(t).Call(load)
		}
		return load
	}
	if f.self {
		return typeCode(t).Call(jen.Id("v"))
	}
	s := w.ofStruct(f.goName)
	if f.goType().packed {
		s.Dot("Get").Call()
	}
	if f.symbols != nil || f.outside() != "" {
		return typeCode(t).Call(s)
	}
	return s
}

// ordered reports whether the elements of r are in the byte order of this machine. All fields that
// r may be agree on that: see elementSizes.
func (w *writer) ordered(r ir.Region) bool {
	switch r := r.(type) {
	case *ir.FieldBytes:
		return w.event.byField[r.Field].elem > 1
	case *ir.Slice:
		return w.ordered(r.Of)
	case *ir.CondBytes:
		return w.ordered(r.Then) || w.ordered(r.Else)
	case *ir.LocalBytes:
		return w.event.ordered[r.Slot]
	}
	return false
}

// order returns the code of the byte order of r: true for big-endian.
func (w *writer) order(r ir.Region, isRegion bool) jen.Code {
	if isRegion && w.ordered(r) {
		return expr.Bind("HostBigEndian").Call()
	}
	return w.recordedOrder()
}

// recordedOrder returns the code of the byte order of bytes that were not converted.
func (w *writer) recordedOrder() *jen.Statement {
	if w.event.stream {
		return jen.Lit(w.target.BigEndian)
	}
	return expr.Gencode("BigEndian").Call(jen.Id("env"))
}

// load reads an integer of v's type.
func (w *writer) load(v *ir.Load) *jen.Statement {
	at, fixed := uint64(0), true
	if v.At != nil {
		at, fixed = w.constant(v.At)
	}
	if fb, ok := v.From.(*ir.FieldBytes); ok && fixed {
		if s := w.member(w.event.byField[fb.Field], v.T, at); s != nil {
			return s
		}
	}
	if fixed {
		if s := w.sureLoad(v, at); s != nil {
			return s
		}
	} else if s := w.sureVaried(v); s != nil {
		return s
	}
	offset := jen.Code(bare(ir.U64, at))
	if !fixed {
		offset = w.as64(v.At, false)
	}
	name := "Load" + strconv.Itoa(8*int(v.T.Size))
	from := w.region(v.From)
	var s *jen.Statement
	if v.T.Size == 1 || w.ordered(v.From) {
		s = expr.Gencode(name).Call(from, offset)
	} else {
		s = expr.Gencode(name+"As").Call(from, offset, w.recordedOrder())
	}
	if v.T.Signed {
		return typeCode(v.T).Call(s)
	}
	return s
}

// member returns the code of a load of a struct member, or of one of its elements. For other loads
// it returns nil.
func (w *writer) member(f *field, t ir.Type, at uint64) *jen.Statement {
	if f.Kind == ir.Int {
		if at != 0 || int(t.Size) != f.Size {
			return nil
		}
		if s := w.integer(f); t.Signed == f.Signed {
			return s
		} else {
			return typeCode(t).Call(s)
		}
	}
	g := f.goType()
	if !f.member || f.Kind == ir.Dynamic || g.packed || g.size != int(t.Size) || at%uint64(g.size) != 0 ||
		at >= uint64(f.Size) {
		return nil
	}
	s := w.ofStruct(f.goName).Index(jen.Id(strconv.FormatUint(at/uint64(g.size), 10)))
	if g.signed == t.Signed {
		return s
	}
	return typeCode(t).Call(s)
}
