package interp

import (
	"math"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// A Reader reads one field of records, for raw output and filters. It is safe for concurrent use.
// Its methods take a whole record of any length. A value that is not wholly in the record is read
// as 0 or as an empty value.
type Reader struct {
	field *ir.Field
	get   func([]byte) uint64 // reads an integer of the field, or an element; nil if no integer has this size
	size  int                 // number of bytes that get reads
	word  func([]byte) uint64 // the word of a Dynamic field

	integer integer
	end     int  // offset of the byte after an integer; for other fields, more than the length of any record
	shift   uint // 64 minus its bits
}

// integer selects how an integer is read from the 8 bytes that end with it, as in builder.loader.
type integer uint8

const (
	byGet integer = iota // there are not always 8 bytes
	little
	littleSigned
	big
	bigSigned
)

// NewReader returns the reader of f in records of a machine t. It keeps f.
func NewReader(f *ir.Field, t ir.Target) *Reader {
	r := &Reader{field: f, size: f.Elem, word: reader(ir.U32, t.BigEndian)}
	if f.Kind == ir.Int {
		r.size = f.Size
	}
	if e := (ir.Type{Size: int8(min(max(r.size, 0), 127)), Signed: f.Signed}); e.Valid() && f.Kind != ir.Bytes {
		r.get = reader(e, t.BigEndian)
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

// Uint returns the value of an Int field, extended to 64 bits by its sign. For other kinds it
// returns 0.
func (r *Reader) Uint(data []byte) uint64 {
	v, _ := r.Bits(data)
	return v
}

// Bits returns the value of an Int field, extended to 64 bits by its sign. It returns false for
// other kinds, and if the record ends before the end of the field.
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

// Bytes returns the data of the field as recorded. For a Dynamic field they are the data to which
// its word refers, for a Tail the rest of the record. For other kinds they are the bytes of the
// field. The result aliases data.
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

// Text returns Bytes up to the first NUL. For a text that could not be read when it was recorded,
// it returns nil.
func (r *Reader) Text(data []byte) []byte {
	b := r.Bytes(data)
	if r.field.Fault && len(b) == 0 {
		return nil
	}
	return render.Text(b)
}

// TextIs reports whether Text returns s and not nil. s must not contain a NUL. It is cheaper than
// Text.
func (r *Reader) TextIs(data []byte, s string) bool {
	b := r.Bytes(data)
	if len(b) == 0 {
		return b != nil && s == "" && !r.field.Fault
	}
	return len(s) <= len(b) && string(b[:len(s)]) == s && (len(s) == len(b) || b[len(s)] == 0)
}

// Len returns the number of whole elements. For Int and Bytes fields it returns 0.
func (r *Reader) Len(data []byte) int {
	return r.LenOf(r.Bytes(data))
}

// LenOf is Len for a result of Bytes.
func (r *Reader) LenOf(field []byte) int {
	if r.field.Kind == ir.Int || r.field.Kind == ir.Bytes || r.size <= 0 {
		return 0
	}
	return len(field) / r.size
}

// Elem returns element i of an Array, Dynamic or Tail field, extended to 64 bits by the field's
// sign. It returns 0 if the record has no such element, or if elements are not integers.
func (r *Reader) Elem(data []byte, i int) uint64 {
	return r.ElemOf(r.Bytes(data), i)
}

// ElemOf is Elem for a result of Bytes.
func (r *Reader) ElemOf(field []byte, i int) uint64 {
	if r.get == nil || i < 0 || i >= r.LenOf(field) {
		return 0
	}
	return r.get(field[i*r.size:])
}

// ValueField returns the field with the value of f. This is f itself, or the part of an Int that
// has the value.
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
