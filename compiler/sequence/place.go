package sequence

import "github.com/tracec/tracec/compiler/ir"

// Place is a field with one value, at its place in the payload.
type Place struct {
	*ir.Field
	w  *walk
	at int
}

// Number returns an integer as it is stored, with its sign, or the bits of a float.
func (p Place) Number() ir.Value {
	if p.Bits.Count > 0 {
		return p.bits()
	}
	return p.w.load(ir.Type{Size: int8(p.Size), Signed: p.Signed}, p.Order, p.at)
}

// Bytes returns the characters of a string, or the bytes of another value.
func (p Place) Bytes() ir.Region {
	if isMeasured(p.Field) {
		return p.w.Text(p.at + p.Size)
	}
	return &ir.Slice{Of: p.w.Bytes(), At: p.w.Offset(p.at), Len: &ir.Const{T: ir.U64, V: uint64(valueSize(p.Field))}}
}

// isBig reports whether numbers with the order o are big-endian.
func (w *walk) isBig(o ir.Order) bool {
	if o == ir.AsRecorded {
		return w.bigEndian
	}
	return o == ir.BigEndian
}

// load reads a number of 1, 2, 4 or 8 bytes in its own byte order.
func (w *walk) load(t ir.Type, o ir.Order, at int) ir.Value {
	v := w.Load(t, at)
	if t.Size == 1 || w.isBig(o) == w.bigEndian {
		return v
	}
	name := map[int8]string{2: "Swab16", 4: "Swab32", 8: "Swab64"}[t.Size]
	return &ir.Func{T: t, Name: name, Args: []ir.Value{v}}
}

// bits returns the value of a bit field, in the type of the field.
func (p Place) bits() ir.Value {
	shift := func(op ir.Op, v ir.Value, n int) ir.Value {
		if n == 0 {
			return v
		}
		return &ir.Binary{Op: op, X: v, Y: &ir.Const{T: ir.I32, V: uint64(n)}}
	}
	t := ir.Type{Size: 8, Signed: p.Signed}
	v := shift(ir.OpShl, p.w.bytesNumber(p.Field, p.at), 64-p.Bits.Count-p.Bits.At)
	v = shift(ir.OpShr, &ir.Convert{T: t, X: v}, 64-p.Bits.Count)
	return &ir.Convert{T: ir.Type{Size: p.Type().Size, Signed: p.Signed}, X: v}
}

// bytesNumber returns the Size bytes around a bit field as a U64: the sum of numbers of 8, 4, 2 and
// 1 bytes.
func (w *walk) bytesNumber(f *ir.Field, at int) ir.Value {
	var sum ir.Value
	for done := 0; done < f.Size; {
		size := 8
		for size > f.Size-done {
			size /= 2
		}
		part := ir.Value(&ir.Convert{T: ir.U64, X: w.load(ir.Type{Size: int8(size)}, f.Order, at+done)})
		by := 8 * done
		if w.isBig(f.Order) {
			by = 8 * (f.Size - done - size)
		}
		if by > 0 {
			part = &ir.Binary{Op: ir.OpShl, X: part, Y: &ir.Const{T: ir.I32, V: uint64(by)}}
		}
		if sum == nil {
			sum = part
		} else {
			sum = &ir.Binary{Op: ir.OpOr, X: sum, Y: part}
		}
		done += size
	}
	return sum
}
