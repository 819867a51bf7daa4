package irtest

import (
	"slices"
	"sort"

	"github.com/tracec/tracec/compiler/ir"
)

var types = []ir.Type{ir.I32, ir.U32, ir.I64, ir.U64, ir.I8, ir.U8, ir.I16, ir.U16}

// spend takes fuel for one node and reports whether it may have children.
func (d *drawer) spend() bool {
	d.fuel--
	return d.fuel > 0
}

// any draws a value of any type.
func (d *drawer) any() ir.Value { return d.value(one(d, types...)) }

// value draws a value of type t.
func (d *drawer) value(t ir.Type) ir.Value {
	if !d.spend() {
		return d.constant(t)
	}
	switch d.below(16) {
	case 14:
		if t == ir.U64 {
			return &ir.Bits{From: d.region(1), At: d.bit(), Count: d.bit()}
		}
		return &ir.Fact{T: t, ID: d.fact()}
	case 15:
		return &ir.Convert{T: t, X: &ir.Bits{From: d.region(1), At: d.bit(), Count: d.bit()}}
	case 0, 1:
		return d.constant(t)
	case 2, 3, 4:
		return d.load(t)
	case 5:
		for i, s := range d.slots {
			if s == t {
				return &ir.Local{T: t, Slot: i}
			}
		}
		return d.load(t)
	case 6:
		return &ir.Unary{Op: one(d, ir.OpNeg, ir.OpCompl), X: d.value(t)}
	case 7, 8:
		op := one(d, ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpDiv, ir.OpRem, ir.OpAnd, ir.OpOr, ir.OpXor)
		return &ir.Binary{Op: op, X: d.value(t), Y: d.value(t)}
	case 9:
		return &ir.Binary{Op: one(d, ir.OpShl, ir.OpShr), X: d.value(t), Y: d.any()}
	case 10:
		return &ir.Cond{If: d.condition(), Then: d.value(t), Else: d.value(t)}
	case 11:
		return &ir.Func{T: t, Name: one(d, valueNames...), Args: []ir.Value{d.any()}}
	case 12:
		if t == ir.I32 {
			return d.condition()
		}
	}
	return &ir.Convert{T: t, X: d.any()}
}

// valueNames are the functions of one argument, sorted so that a seed always gives the same
// program.
var valueNames = func() (names []string) {
	for name, n := range ir.ValueFuncs {
		if n == 1 {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}()

// condition draws an I32 that is mostly 0 or 1.
func (d *drawer) condition() ir.Value {
	switch d.below(7) {
	case 6:
		return d.textIs()
	case 0:
		return &ir.Unary{Op: ir.OpNot, X: d.any()}
	case 1:
		return &ir.Binary{Op: one(d, ir.OpLogAnd, ir.OpLogOr), X: d.any(), Y: d.any()}
	case 2:
		return &ir.Len{Of: d.region(one(d, 1, 1, 2, 4, 8))}
	case 4:
		return &ir.Convert{T: ir.I32, X: &ir.ToNUL{Of: d.region(one(d, 1, 1, 2, 4, 8))}}
	case 3:
		for _, f := range placed(d.ev) {
			if f.Kind == ir.Tail { // the form that ir.MakesSure recognizes
				length := &ir.Convert{T: ir.I64, X: &ir.Len{Of: &ir.FieldBytes{Field: f}}}
				return &ir.Binary{Op: ir.OpGe, X: length, Y: &ir.Const{T: ir.I64, V: uint64(d.below(24))}}
			}
		}
	}
	t := one(d, types...)
	op := one(d, ir.OpEq, ir.OpNe, ir.OpLt, ir.OpLe, ir.OpGt, ir.OpGe)
	return &ir.Binary{Op: op, X: d.value(t), Y: d.value(t)}
}

// bit draws a bit offset or a number of bits, mostly a valid one.
func (d *drawer) bit() ir.Value {
	switch d.below(5) {
	case 0, 1:
		return &ir.Const{T: ir.I32, V: uint64(d.below(66))}
	case 2:
		return &ir.Const{T: ir.U64, V: uint64(one(d, 1, 3, 4, 8, 16, 20, 32))}
	case 3:
		return d.count()
	}
	return d.any()
}

// textIs compares short texts, so that they are sometimes equal.
func (d *drawer) textIs() ir.Value {
	d.pure++
	defer func() { d.pure-- }()
	v := &ir.TextIs{T: &ir.CString{Of: d.region(1)}, S: one(d, "", "A", "x y", "abc", "0000", "0")}
	if d.chance(50) {
		v.T = d.textApart()
	}
	return v
}

// constant draws a constant that often breaks code.
func (d *drawer) constant(t ir.Type) ir.Value {
	v := one[uint64](d,
		0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 63, 64, 255, 1<<15, 1<<31, 1<<63,
		^uint64(0), ^uint64(0)>>1, 0x7fffffff, 0x8000, 0x80, 0xfffffffe, 0x123456789abcdef0,
	)
	return &ir.Const{T: t, V: t.Extend(v)}
}

// load draws a read of t.Size bytes, mostly of a whole integer field.
func (d *drawer) load(t ir.Type) ir.Value {
	var ints []*ir.Field
	for _, f := range placed(d.ev) {
		if f.Kind == ir.Int && f.Size == int(t.Size) {
			ints = append(ints, f)
		}
	}
	if len(ints) > 0 && d.chance(60) {
		return &ir.Load{T: t, From: &ir.FieldBytes{Field: one(d, ints...)}}
	}
	size := int(t.Size)
	if size > 1 && d.hasElements(size) && d.chance(50) {
		return &ir.Load{T: t, From: d.region(size), At: d.multiple(size)}
	}
	l := &ir.Load{T: t, From: d.region(1)}
	if d.chance(60) {
		l.At = d.index()
	}
	return l
}

// hasElements reports whether a field has elements of the given size.
func (d *drawer) hasElements(size int) bool {
	return slices.ContainsFunc(placed(d.ev), func(f *ir.Field) bool { return f.Elem == size })
}

// index draws an offset in a region, mostly a small one.
func (d *drawer) index() ir.Value {
	if d.chance(70) {
		return &ir.Const{T: ir.I32, V: uint64(d.below(20))}
	}
	if d.chance(50) {
		return &ir.Binary{Op: ir.OpAnd, X: d.value(ir.I32), Y: &ir.Const{T: ir.I32, V: 15}}
	}
	return d.any()
}

// multiple draws an offset that is a multiple of size. Wrapping does not change that, because sizes
// are powers of two.
func (d *drawer) multiple(size int) ir.Value {
	if d.chance(60) {
		return &ir.Const{T: ir.I32, V: uint64(d.below(6) * size)}
	}
	t := one(d, types...)
	return &ir.Binary{Op: ir.OpMul, X: d.value(t), Y: &ir.Const{T: t, V: uint64(size)}}
}

// region draws bytes: whole elements of elem bytes if elem is larger than 1, otherwise any bytes.
func (d *drawer) region(elem int) ir.Region {
	if !d.spend() {
		return d.fieldBytes(elem, nil)
	}
	switch d.below(10) {
	case 0, 1:
		s := &ir.Slice{Of: d.region(elem)}
		place := d.index
		if elem > 1 {
			place = func() ir.Value { return d.multiple(elem) }
		}
		if d.chance(80) {
			s.At = place()
		}
		if d.chance(60) {
			s.Len = place()
		}
		return s
	case 2:
		return &ir.CondBytes{If: d.condition(), Then: d.region(elem), Else: d.region(elem)}
	case 3:
		if i := slices.Index(d.bufs, elem); i >= 0 {
			return &ir.LocalBytes{Slot: i}
		}
	case 4:
		if elem == 1 {
			return &ir.Str{S: one(d, "", "abc", "a\x00b", "0123456789abcdef", "\xff\xfe %s")}
		}
	}
	return d.fieldBytes(elem, nil)
}

// fieldBytes draws the bytes of a field with elements of elem bytes for which keep returns true. A
// nil keep accepts all fields. If there is no such field, it draws an empty constant, which has no
// elements to misread.
func (d *drawer) fieldBytes(elem int, keep func(*ir.Field) bool) ir.Region {
	var fit []*ir.Field
	rough := elem == 1 && keep == nil && d.chance(8)
	for _, f := range placed(d.ev) {
		size := f.Elem
		if f.Kind == ir.Int || f.Kind == ir.Bytes {
			size = 1
		}
		if rough || size == elem && (keep == nil || keep(f)) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return &ir.Str{}
	}
	return &ir.FieldBytes{Field: one(d, fit...)}
}

// Allocates reports whether a program, or a part of one, formats a number of ten bytes, which needs
// math/big.
func Allocates(n any) bool {
	if call, ok := n.(*ir.Call); ok && call.Name == "UftraceFloat80" {
		return true
	}
	found := false
	ir.Parts(n, func(part any) { found = found || Allocates(part) })
	return found
}
