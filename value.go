package tracec

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/render"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds.
const (
	Int    Kind = iota // a signed integer
	Uint               // an unsigned integer
	Float              // an IEEE number
	Text               // characters, without a NUL
	Bytes              // opaque bytes, as recorded
	List               // several values of one kind: an array, a sequence, the values of a loop
	Struct             // values with names
)

// String returns the name of the kind.
func (k Kind) String() string {
	if names := [...]string{"int", "uint", "float", "text", "bytes", "list", "struct"}; int(k) < len(names) {
		return names[k]
	}
	return "kind(" + strconv.Itoa(int(k)) + ")"
}

// kindOf returns the kind of a value that a program yields.
func kindOf(f *ir.Field) Kind {
	switch f.Kind {
	case ir.List:
		return List
	case ir.Struct, ir.Union, ir.Variant:
		return Struct
	case ir.Float:
		return Float
	case ir.Int:
		if f.Type().Signed {
			return Int
		}
		return Uint
	}
	switch {
	case f.Text:
		return Text
	case f.Elem == 1:
		return List
	}
	return Bytes
}

func kindOfField(f *ir.Field) Kind {
	switch {
	case f.Kind == ir.Int && f.Signed:
		return Int
	case f.Kind == ir.Int:
		return Uint
	case f.Text:
		return Text
	case f.Kind == ir.Bytes, f.Elem != 1 && f.Elem != 2 && f.Elem != 4 && f.Elem != 8:
		return Bytes
	}
	return List
}

// Value is the value of a field. The zero Value is the integer 0.
type Value struct {
	kind   Kind
	size   uint8 // size of a float, in bytes
	signed bool  // the elements of an array are signed
	hex    bool  // people read it in hexadecimal
	bits   uint64
	bytes  []byte
	array  *interp.Reader // reader of the elements of an array, in bytes
	parts  *parts         // the parts of a Struct, and of a List other than an array
	names  *interp.Names
}

// parts are the members of a structure or the elements of a list. Later events reuse their memory.
type parts struct {
	values []Value
	has    []bool  // which members have a value; nil for elements
	fields []Field // the fields of the members
}

// begin empties p, and reserves space for the members of a structure.
func (p *parts) begin(kind Kind, members []Field) {
	p.values, p.has, p.fields = p.values[:0], p.has[:0], members
	if kind != Struct {
		return
	}
	for range members {
		p.next()
		p.has = append(p.has, false)
	}
}

// next appends a value and returns it. The value may hold the parts of an earlier value, for reuse.
func (p *parts) next() *Value {
	if n := len(p.values); n < cap(p.values) {
		p.values = p.values[:n+1]
	} else {
		p.values = append(p.values, Value{})
	}
	return &p.values[len(p.values)-1]
}

// Kind returns the kind.
func (v Value) Kind() Kind { return v.kind }

// Int returns an integer, extended by its sign. A float is truncated; other kinds return 0.
func (v Value) Int() int64 {
	switch v.kind {
	case Int, Uint:
		return int64(v.bits)
	case Float:
		return int64(v.Float())
	}
	return 0
}

// Uint returns the bits of Int.
func (v Value) Uint() uint64 { return uint64(v.Int()) }

// Float returns a number; other kinds return 0.
func (v Value) Float() float64 {
	switch v.kind {
	case Int:
		return float64(int64(v.bits))
	case Uint:
		return float64(v.bits)
	case Float:
		if v.size == 4 {
			return float64(math.Float32frombits(uint32(v.bits)))
		}
		return math.Float64frombits(v.bits)
	}
	return 0
}

// Bytes returns the characters of a Text, and the recorded bytes of Bytes and of an array. It
// returns nil for other kinds. The bytes alias the record.
func (v Value) Bytes() []byte { return v.bytes }

// Len returns the number of elements of a List, 0 for other kinds.
func (v Value) Len() int {
	switch {
	case v.kind != List:
		return 0
	case v.array != nil:
		return v.array.LenOf(v.bytes)
	case v.parts == nil:
		return 0
	}
	return len(v.parts.values)
}

// Fields returns an iterator over the members of a Struct that have a value in the record, in their
// order. It is empty for other kinds.
func (v Value) Fields() iter.Seq2[*Field, Value] {
	return func(yield func(*Field, Value) bool) {
		if v.kind != Struct {
			return
		}
		for i, m := range v.parts.values {
			if v.parts.has[i] && !yield(&v.parts.fields[i], m) {
				return
			}
		}
	}
}

// At returns member i of a Struct, by its place in the Fields of the field. It returns false if the
// record has no such member.
func (v Value) At(i int) (Value, bool) {
	if v.kind != Struct || i < 0 || i >= len(v.parts.values) || !v.parts.has[i] {
		return Value{}, false
	}
	return v.parts.values[i], true
}

// Elem returns an element of a List. It panics when i is out of range.
func (v Value) Elem(i int) Value {
	if v.array == nil {
		return v.parts.values[i]
	}
	if n := v.Len(); i < 0 || i >= n {
		panic(fmt.Sprintf("tracec: element %d of %d", i, n))
	}
	e := Value{kind: Uint, bits: v.array.ElemOf(v.bytes, i)}
	if v.signed {
		e.kind = Int
	}
	return e
}

// AppendName appends the name that the description defines for an integer: an enumerator, or flags.
// It returns false if there is none.
func (v Value) AppendName(dst []byte) ([]byte, bool) {
	if v.names == nil {
		return dst, false
	}
	return v.names.Append(dst, v.bits), true
}

// AppendName appends the name of a value of the field, as Value.AppendName does. bits is an integer
// extended to 64 bits. Any goroutine may call it.
func (f *Field) AppendName(dst []byte, bits uint64) ([]byte, bool) {
	return Value{names: f.names, bits: bits}.AppendName(dst)
}

// String returns the value as Append appends it.
func (v Value) String() string { return string(v.Append(nil)) }

// Append appends the value for people: decimal numbers, characters as they are, bytes in
// hexadecimal, lists in brackets, members of structures by name in braces.
func (v Value) Append(dst []byte) []byte {
	switch v.kind {
	case Int:
		return strconv.AppendInt(dst, int64(v.bits), 10)
	case Uint:
		return strconv.AppendUint(dst, v.bits, 10)
	case Float:
		return strconv.AppendFloat(dst, v.Float(), 'g', -1, 8*int(v.size))
	case Text:
		return append(dst, v.bytes...)
	case Bytes:
		return render.HexStr(dst, nil, v.bytes, uint64(len(v.bytes)))
	case Struct:
		return v.appendMembers(dst)
	}
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ' ')
		}
		dst = v.Elem(i).Append(dst)
	}
	return append(dst, ']')
}

func (v Value) appendMembers(dst []byte) []byte {
	dst = append(dst, '{')
	first := len(dst)
	for f, m := range v.Fields() {
		if len(dst) > first {
			dst = append(dst, ' ')
		}
		dst = m.Append(append(append(dst, f.Name...), '='))
	}
	return append(dst, '}')
}

// AppendShown is Append for displaying a single value: addresses are in hexadecimal.
func (v Value) AppendShown(dst []byte) []byte {
	if v.hex && v.kind <= Uint {
		return appendHex(dst, v.bits)
	}
	return v.Append(dst)
}

// appendHex appends an integer that people read in hexadecimal: 0x7ffc5ae3b8f0.
func appendHex(dst []byte, v uint64) []byte { return strconv.AppendUint(append(dst, "0x"...), v, 16) }
