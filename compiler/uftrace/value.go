package uftrace

import (
	"fmt"
	"strconv"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// Value is one value of a payload: an argument spec of a function, as runtime/uftrace reads it.
type Value struct {
	Result   bool
	Index    int    // of the argument, from 1; 0 for a result
	Float    bool   // fpargN: counted separately
	Format   byte   // d i u x o s S c f p e t
	Size     int    // bytes of the value; 0 for strings
	TypeName string // of an enum or a structure
	Location string // %rdi, %stack+1: as written, without the percent sign
}

// name returns the name of the value in the description: arg1, fparg2, retval.
func (v Value) name() string {
	switch {
	case v.Result:
		return "retval"
	case v.Float:
		return "fparg" + strconv.Itoa(v.Index)
	}
	return "arg" + strconv.Itoa(v.Index)
}

// source returns the description itself: arg1/i32, retval/e:kind.
func (v Value) source() string {
	s := v.name() + "/" + string(rune(v.Format))
	switch {
	case v.Format == 'e':
		s += ":" + v.TypeName
	case v.Format == 't':
		s += strconv.Itoa(v.Size)
		if v.TypeName != "" {
			s += ":" + v.TypeName
		}
	case v.isString(), v.Format == 'c' && v.Size == 1:
	default:
		s += strconv.Itoa(8 * v.Size)
	}
	if v.Location != "" {
		s += "%" + v.Location
	}
	return s
}

func (v Value) isString() bool { return v.Format == 's' || v.Format == 'S' }

// isBytes reports whether the value is returned as bytes. This holds for values that are not
// numbers, and for numbers that do not fit into an integer.
func (v Value) isBytes() bool {
	return v.isString() || v.Format == 't' || !(ir.Type{Size: int8(min(v.Size, 127))}).Valid()
}

// typ returns the type of a value that is not bytes. The automatic format is signed, although its
// text depends on the size (uftrace.md 2.4).
func (v Value) typ() ir.Type {
	switch v.Format {
	case 'd', 'i', 'e':
		return ir.Type{Size: int8(v.Size), Signed: true}
	}
	return ir.Type{Size: int8(v.Size)}
}

// isExtended reports whether the value is a long double of the x87.
func (v Value) isExtended() bool { return v.Format == 'f' && v.Size == 10 }

// enumType returns the C type of an enumeration, which depends on its numbers: int, unsigned int,
// or an integer of 8 bytes. The recorded register may be wider; its upper half has no meaning.
func (v Value) enumType(t *ir.Table) ir.Type {
	size, signed := 4, true
	if t != nil && len(t.Rows) > 0 {
		size, signed = render.EnumWidth(int64(t.Rows[0].Value), int64(t.Rows[len(t.Rows)-1].Value))
	}
	return ir.Type{Size: int8(min(size, v.Size)), Signed: signed}
}

// field returns the field for the value. All fields begin at a multiple of 4 bytes (uftrace.md
// 1.6).
func (v Value) field(name string, o Options) *ir.Field {
	f := &ir.Field{Name: name, CType: v.source(), Offset: ir.Sequential, Kind: ir.Bytes, Size: v.Size,
		Sequence: ir.Sequence{Align: 4}}
	switch {
	case v.isString():
		f.Kind, f.Size, f.Text = ir.Counted, 2, true
	case v.isExtended():
		f.Kind, f.Value = ir.Float, ir.U64
	case v.isBytes():
	case v.Format == 'f' && v.Size >= 4:
		f.Kind = ir.Float
	default:
		f.Kind, f.Signed, f.Hex = ir.Int, v.typ().Signed, v.Format == 'p' || v.Format == 'x'
	}
	if v.Format == 'e' && f.Kind == ir.Int {
		table := Find(v.TypeName, o.Enums...)
		f.Value = v.enumType(table)
		if table != nil && len(table.Rows) > 0 {
			f.Enum = &ir.Enum{Name: v.TypeName, Func: "EnumName", Table: table}
		}
	}
	return f
}

// maxSize is more than the maximum size of a payload, 1020 bytes (uftrace.md 1.6). A value with a
// larger size is never present.
const maxSize = 1 << 20

// check refuses values that no recorder writes. It limits sizes so that sums of sizes do not
// overflow.
func (v Value) check() error {
	switch v.Format {
	case 's', 'S':
		return nil
	case 't':
		if v.Size < 0 {
			return fmt.Errorf("uftrace: %s: a structure of %d bytes", v.name(), v.Size)
		}
		return nil
	case 'd', 'i', 'u', 'x', 'o', 'c', 'f', 'p', 'e':
		if v.Size <= 0 {
			return fmt.Errorf("uftrace: %s: a value of %d bytes", v.name(), v.Size)
		}
		return nil
	}
	return fmt.Errorf("uftrace: %s: unknown format %q", v.name(), v.Format)
}
