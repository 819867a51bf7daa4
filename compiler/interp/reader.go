package interp

import (
	"math"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// Reader reads one field of records, for raw output and filters. It may be used by any number of
// goroutines. Its methods take a whole record of any length; what is not wholly in the record reads
// as 0 or as nothing.
type Reader struct {
	field *ir.Field
	get   func([]byte) uint64 // an integer of the field, or an element; nil when there is no such size
	size  int                 // what get reads
	word  func([]byte) uint64 // the word of a Dynamic field

	integer integer
	end     int  // offset of the byte after an integer; a record is never as long when there is none
	shift   uint // 64 less its bits
}

// integer says how to read one from the 8 bytes that end with it, as builder.loader does.
type integer uint8

const (
	byGet integer = iota // there are no 8 bytes
	little
	littleSigned
	big
	bigSigned
)

// NewReader returns the reader of f in records of a machine t. It keeps f.
func NewReader(f *ir.Field, t ir.Target) *Reader {
	c := builder{big: t.BigEndian}
	r := &Reader{field: f, size: f.Elem, word: c.reader(ir.U32)}
	if f.Kind == ir.Int {
		r.size = f.Size
	}
	if e := (ir.Type{Size: int8(min(max(r.size, 0), 127)), Signed: f.Signed}); e.Valid() && f.Kind != ir.Bytes {
		r.get = c.reader(e)
	}
	if r.end = math.MaxInt; f.Kind == ir.Int && r.get != nil && f.Offset >= 0 && f.Offset < math.MaxInt-8 {
		r.end, r.shift = f.Offset+r.size, 64-8*uint(r.size)
		if r.end >= 8 {
			r.integer = integerOf(t.BigEndian, f.Signed)
		}
	}
	return r
}

func integerOf(bigEndian, signed bool) integer {
	switch {
	case bigEndian && signed:
		return bigSigned
	case bigEndian:
		return big
	case signed:
		return littleSigned
	}
	return little
}

// Uint returns the value of an Int field, extended to 64 bits by its sign; 0 for other kinds.
func (r *Reader) Uint(data []byte) uint64 {
	v, _ := r.Bits(data)
	return v
}

// Bits returns the value of an Int field, extended to 64 bits by its sign. It returns false for
// other kinds, and where the record ends before.
func (r *Reader) Bits(data []byte) (uint64, bool) {
	end := r.end
	if end > len(data) {
		return 0, false
	}
	switch r.integer {
	case little:
		return le(data, end) >> r.shift, true
	case littleSigned:
		return uint64(int64(le(data, end)) >> r.shift), true
	case big:
		return be(data, end) << r.shift >> r.shift, true
	case bigSigned:
		return uint64(int64(be(data, end)<<r.shift) >> r.shift), true
	}
	return r.get(data[end-r.size:]), true
}

// Bytes returns the data of the field as recorded: for a Dynamic field what its word names, for a
// Tail the rest of the record, for others the bytes of the field. It aliases data.
func (r *Reader) Bytes(data []byte) []byte {
	f := r.field
	lo := f.Offset
	if lo < 0 || lo > len(data) {
		return nil
	}
	switch f.Kind {
	case ir.Tail:
		return data[lo:]
	case ir.Dynamic:
		if len(data)-lo < 4 {
			return nil
		}
		base := 0
		if f.Rel {
			base = lo + 4
		}
		return located(data, base, uint32(r.word(data[lo:])))
	}
	if f.Size < 0 || f.Size > len(data)-lo {
		return nil
	}
	return data[lo : lo+f.Size]
}

// Text returns Bytes up to the first NUL, nil for a text that could not be read when it was
// recorded.
func (r *Reader) Text(data []byte) []byte {
	b := r.Bytes(data)
	if r.field.Fault && len(b) == 0 {
		return nil
	}
	return render.CString(b)
}

// Len returns the number of whole elements; 0 for Int and Bytes fields.
func (r *Reader) Len(data []byte) int {
	return r.LenOf(r.Bytes(data))
}

// LenOf is Len for what Bytes has returned.
func (r *Reader) LenOf(field []byte) int {
	if r.field.Kind == ir.Int || r.field.Kind == ir.Bytes || r.size <= 0 {
		return 0
	}
	return len(field) / r.size
}

// Elem returns element i of an Array, Dynamic or Tail field, extended to 64 bits by the field's
// sign; 0 when the record has no such element or elements are not integers.
func (r *Reader) Elem(data []byte, i int) uint64 {
	return r.ElemOf(r.Bytes(data), i)
}

// ElemOf is Elem for what Bytes has returned.
func (r *Reader) ElemOf(field []byte, i int) uint64 {
	if r.get == nil || i < 0 || i >= r.LenOf(field) {
		return 0
	}
	return r.get(field[i*r.size:])
}

// ValueField returns the field that the value of f is: f itself, or the part of an Int that has the
// value.
func ValueField(f *ir.Field, t ir.Target) *ir.Field {
	if f.Kind != ir.Int || !f.Value.Valid() || int(f.Value.Size) > f.Size {
		return f
	}
	part := *f
	part.Size, part.Signed = int(f.Value.Size), f.Value.Signed
	if t.BigEndian {
		part.Offset += f.Size - part.Size
	}
	return &part
}
