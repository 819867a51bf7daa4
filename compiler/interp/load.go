package interp

import (
	"encoding/binary"

	"github.com/tracec/tracec/compiler/ir"
)

// fixed is an integer at an offset in the record. The offset is known at compile time, and the
// integer is inside ev.Size.
type fixed struct {
	end     int // offset of the byte after the integer
	t       ir.Type
	swapped bool // the integer has the other byte order
	// moved adds the local value slot to end. The offset then moves along a record, and may be
	// anywhere.
	moved bool
	slot  int
}

// fixedLoad finds the field access in v: a Load at a constant offset, or some of its bytes. It may
// be under casts that do not change the extended bits, and swapped.
func (c *builder) fixedLoad(v ir.Value) (fixed, bool) {
	f, ok := c.fieldLoad(v)
	return f, ok && !f.moved
}

// fieldLoad is fixedLoad also for a Load at an offset that moves along a record.
func (c *builder) fieldLoad(v ir.Value) (fixed, bool) {
	switch v := v.(type) {
	case *ir.Convert:
		f, ok := c.fieldLoad(v.X)
		if v.T.Size <= f.t.Size { // the low bytes remain
			if c.big == f.swapped {
				f.end -= int(f.t.Size - v.T.Size)
			}
			f.t = v.T
			return f, ok
		}
		return f, ok && keepsBits(v.X.Type(), v.T)
	case *ir.Func:
		f, ok := fixed{}, false
		if size := swaps[v.Name]; size == v.T.Size {
			f, ok = c.fieldLoad(v.Args[0])
		}
		ok = ok && f.t.Size == v.T.Size
		f.t, f.swapped = v.T, !f.swapped
		return f, ok
	case *ir.Load:
		lo, hi, _, ok := c.place(v.From)
		at, known := constOr0(v.At)
		size := uint64(v.T.Size)
		if !known {
			return movedLoad(v)
		}
		if !ok || at > uint64(hi-lo) || uint64(hi-lo)-at < size {
			return fixed{}, false
		}
		return fixed{end: lo + int(at+size), t: v.T}, true
	}
	return fixed{}, false
}

// swaps are the functions that change the byte order, with the sizes of their numbers.
var swaps = map[string]int8{"Swab16": 2, "Swab32": 4, "Swab64": 8}

// movedLoad is fieldLoad for a Load from a whole record at a local value plus a constant.
func movedLoad(v *ir.Load) (fixed, bool) {
	at, isSum := sumOf(v.At)
	if !isRecord(v.From) || !isSum || at.times != [2]uint64{1} || at.k > 1<<24 {
		return fixed{}, false
	}
	return fixed{end: int(at.k) + int(v.T.Size), t: v.T, moved: true, slot: at.slots[0]}, true
}

// keepsBits reports whether a cast does not change the 64 bits that hold a value.
func keepsBits(from, to ir.Type) bool {
	return to.Size == 8 || from == to || to.Size > from.Size && (!from.Signed || to.Signed)
}

// constOr0 returns the value of a constant, or 0 for nil.
func constOr0(v ir.Value) (uint64, bool) {
	if v == nil {
		return 0, true
	}
	k, ok := v.(*ir.Const)
	if !ok {
		return 0, false
	}
	return k.V, true
}

// extent returns lo and hi if r is always data[lo:hi]. ok is false if the region depends on the
// record.
func (c *builder) extent(r ir.Region) (lo, hi int, ok bool) {
	lo, hi, open, ok := c.place(r)
	return lo, hi, ok && !open
}

// place is like extent, but also for open regions. Such a region begins with data[lo:hi], and the
// rest of the record follows.
func (c *builder) place(r ir.Region) (lo, hi int, open, ok bool) {
	switch r := r.(type) {
	case *ir.FieldBytes:
		f := r.Field
		switch f.Kind {
		case ir.Dynamic:
			return 0, 0, false, false
		case ir.Tail:
			return f.Offset, c.sure, true, f.Offset <= c.sure
		}
		return f.Offset, f.Offset + f.Size, false, true
	case *ir.Slice:
		lo, hi, open, ok = c.place(r.Of)
		at, ok1 := constOr0(r.At)
		n, ok2 := constOr0(r.Len)
		if !ok || !ok1 || !ok2 {
			return 0, 0, false, false
		}
		if open {
			return openSlice(lo, hi, at, n, r.Len == nil)
		}
		if r.Len == nil {
			n = uint64(hi - lo)
		}
		from, to := window(hi-lo, at, n)
		return lo + from, lo + to, false, true
	}
	return 0, 0, false, false
}

// openSlice is place for a slice of an open region. The place is known if the part that is cut off
// is in the guaranteed part.
func openSlice(lo, hi int, at, n uint64, toEnd bool) (from, to int, open, ok bool) {
	sure := uint64(hi - lo)
	switch {
	case at > sure: // also for a negative one
		return 0, 0, false, false
	case toEnd:
		return lo + int(at), hi, true, true
	case int64(n) < 0:
		return lo, lo, false, true
	case n > sure-at:
		return 0, 0, false, false
	}
	return lo + int(at), lo + int(at+n), false, true
}

// window returns the part of n bytes that a Slice at offset at with length length keeps. Both are
// signed. If one is negative, the part is empty.
func window(n int, at, length uint64) (from, to int) {
	if int64(at) < 0 || int64(length) <= 0 || at >= uint64(n) {
		return 0, 0
	}
	return int(at), int(at + min(length, uint64(n)-at))
}

// loader returns the function that reads f.
//
// Most fields lie after the common ones, so the 8 bytes that end with the field are all in the
// record. One load and one shift read a field of any size.
func (c *builder) loader(f fixed) valueFn {
	end, shift, big := f.end, 64-8*uint(f.t.Size), c.big != f.swapped
	switch {
	case end < 8 && f.t == ir.I32 && !big: // many payloads of uftrace have only such a value
		lo := end - 4
		return func(m *Machine) uint64 { return uint64(int32(binary.LittleEndian.Uint32(m.data[lo:end]))) }
	case end < 8:
		get, lo := reader(f.t, big), end-int(f.t.Size)
		return func(m *Machine) uint64 { return get(m.data[lo:end]) }
	case big && f.t.Signed:
		// The last byte of the field is the lowest one of the word. The shift moves the other bytes
		// out at the top.
		return func(m *Machine) uint64 { return uint64(int64(be(m.data, end)<<shift) >> shift) }
	case big:
		return func(m *Machine) uint64 { return be(m.data, end) << shift >> shift }
	case f.t.Signed:
		return func(m *Machine) uint64 { return uint64(int64(le(m.data, end)) >> shift) }
	}
	return func(m *Machine) uint64 { return le(m.data, end) >> shift }
}

// le and be read the 8 bytes of b before end.
func le(b []byte, end int) uint64 { return binary.LittleEndian.Uint64(b[end-8 : end]) }
func be(b []byte, end int) uint64 { return binary.BigEndian.Uint64(b[end-8 : end]) }

// reader returns the function that reads the first bytes of its argument as a t. The argument must
// be long enough.
func reader(t ir.Type, big bool) func([]byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if big {
		order = binary.BigEndian
	}
	switch t {
	case ir.U8:
		return func(b []byte) uint64 { return uint64(b[0]) }
	case ir.I8:
		return func(b []byte) uint64 { return uint64(int8(b[0])) }
	case ir.U16:
		return func(b []byte) uint64 { return uint64(order.Uint16(b)) }
	case ir.I16:
		return func(b []byte) uint64 { return uint64(int16(order.Uint16(b))) }
	case ir.U32:
		return func(b []byte) uint64 { return uint64(order.Uint32(b)) }
	case ir.I32:
		return func(b []byte) uint64 { return uint64(int32(order.Uint32(b))) }
	}
	return order.Uint64
}

// load reads an integer of any region at any offset.
func (c *builder) load(v *ir.Load) valueFn {
	if f, ok := c.fixedLoad(v); ok {
		return c.loader(f)
	}
	get, size := reader(v.T, c.big), uint64(v.T.Size)
	if at, ok := constOr0(v.At); ok {
		from := c.region(v.From)
		return func(m *Machine) uint64 {
			b := from(m)
			if n := uint64(len(b)); at > n || n-at < size {
				return 0
			}
			return get(b[at:])
		}
	}
	at := c.value(v.At)
	if f, ok := v.From.(*ir.FieldBytes); ok && f.Field.Kind == ir.Tail {
		return loadTail(uint64(f.Field.Offset), size, at, get)
	}
	if lo, hi, ok := c.extent(v.From); ok { // an array of fixed length
		return func(m *Machine) uint64 {
			i, n := at(m), uint64(hi-lo)
			if i > n || n-i < size {
				return 0
			}
			return get(m.data[uint64(lo)+i:])
		}
	}
	from := c.region(v.From)
	return func(m *Machine) uint64 {
		b, i := from(m), at(m)
		if n := uint64(len(b)); i > n || n-i < size {
			return 0
		}
		return get(b[i:])
	}
}

// loadTail reads size bytes at an offset that moves along a record.
func loadTail(lo, size uint64, at valueFn, get func([]byte) uint64) valueFn {
	return func(m *Machine) uint64 {
		n, i := uint64(len(m.data)), at(m)
		if lo > n || i > n-lo || n-lo-i < size {
			return 0
		}
		return get(m.data[lo+i:])
	}
}
