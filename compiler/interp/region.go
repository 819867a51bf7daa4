package interp

import (
	"encoding/binary"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// region compiles r. Its result at run time aliases the record or a constant.
func (c *builder) region(r ir.Region) regionFn {
	if lo, hi, ok := c.extent(r); ok {
		return func(m *Machine) []byte { return m.data[lo:hi] }
	}
	switch r := r.(type) {
	case *ir.FieldBytes:
		return c.fieldBytes(r.Field)
	case *ir.Str:
		b := []byte(r.S)
		return func(*Machine) []byte { return b }
	case *ir.Slice:
		return c.slice(r)
	case *ir.CondBytes:
		cond, then, els := c.value(r.If), c.region(r.Then), c.region(r.Else)
		return func(m *Machine) []byte {
			if cond(m) != 0 {
				return then(m)
			}
			return els(m)
		}
	case *ir.LocalBytes:
		slot := r.Slot
		return func(m *Machine) []byte { return m.bufs[slot] }
	}
	c.fail("no closure for region %T", r)
	return nil
}

// fieldBytes compiles fields whose place depends on the record.
func (c *builder) fieldBytes(f *ir.Field) regionFn {
	if f.Kind == ir.Tail {
		lo := f.Offset
		return func(m *Machine) []byte { return tail(m.data, lo) }
	}
	lo, base := f.Offset, 0
	if f.Rel {
		base = lo + 4
	}
	if c.big {
		return func(m *Machine) []byte { return located(m.data, base, binary.BigEndian.Uint32(m.data[lo:])) }
	}
	return func(m *Machine) []byte { return located(m.data, base, binary.LittleEndian.Uint32(m.data[lo:])) }
}

// tail returns data from lo on.
func tail(data []byte, lo int) []byte {
	if lo > len(data) {
		return nil
	}
	return data[lo:]
}

// located returns the data to which the word of a Dynamic field refers: length<<16 | offset,
// counted from base. If they do not lie wholly in the record, the result is empty.
func located(data []byte, base int, word uint32) []byte {
	lo := base + int(word&0xffff)
	hi := lo + int(word>>16)
	if hi > len(data) {
		return nil
	}
	return data[lo:hi]
}

func (c *builder) slice(r *ir.Slice) regionFn {
	if f := sliceOfRecord(r); f != nil {
		return f
	}
	of := c.region(r.Of)
	at := func(*Machine) uint64 { return 0 }
	if r.At != nil {
		at = c.value(r.At)
	}
	if r.Len == nil {
		return func(m *Machine) []byte {
			b := of(m)
			from, to := window(len(b), at(m), uint64(len(b)))
			return b[from:to]
		}
	}
	length := c.value(r.Len)
	return func(m *Machine) []byte {
		b := of(m)
		from, to := window(len(b), at(m), length(m))
		return b[from:to]
	}
}

// sliceOfRecord is slice for sums in the whole record. For other slices it returns nil.
func sliceOfRecord(r *ir.Slice) regionFn {
	at, ok1 := sumOf(r.At)
	length, ok2 := sumOf(r.Len)
	switch {
	case !isRecord(r.Of) || !ok1 || !ok2:
		return nil
	case r.Len == nil:
		return func(m *Machine) []byte {
			from, to := window(len(m.data), at.of(m), uint64(len(m.data)))
			return m.data[from:to]
		}
	}
	return func(m *Machine) []byte {
		from, to := window(len(m.data), at.of(m), length.of(m))
		return m.data[from:to]
	}
}

// cstring compiles r and cuts it at its first NUL.
func (c *builder) cstring(r ir.Region) regionFn {
	if lo, hi, ok := c.extent(r); ok {
		return func(m *Machine) []byte { return render.CString(m.data[lo:hi]) }
	}
	of := c.region(r)
	return func(m *Machine) []byte { return render.CString(of(m)) }
}
