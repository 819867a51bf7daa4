package lttng

import (
	"bytes"
	"encoding/binary"
)

// Kind is the shape of a field.
type Kind uint8

// The kinds.
const (
	Integer  Kind = iota // 1, 2, 4 or 8 bytes
	Float                // an IEEE number of 4 or 8 bytes
	String               // characters and a final NUL
	Array                // Count elements
	Sequence             // a count of Size bytes, and that many elements
	Struct               // its members, one after another
	Union                // its members, all at the same place
)

// Field is one value of a payload, or a group of values: its place, and its conversion in a
// marker's format. Formats have only integers and strings. The XML description of a facility also
// has the other kinds.
type Field struct {
	Name string // elements have no name
	Kind Kind
	// Size is in bytes. For a number it is the size of the number, and for a Sequence the size of
	// its count. For an Array, Struct or Union it is the size of all of it, with the padding after
	// it. It is 0 for a String. It is -1 for an Array or a Struct that contains a String or a
	// Sequence.
	Size     int
	Align    int  // the offset from the start of the payload is a multiple of it; 1 for strings and packed fields
	PadAfter int  // 0.x: the offset after a String or a Sequence is padded to a multiple of it; 0 for no padding
	Signed   bool // an Integer, or the count of a Sequence
	Pointer  bool
	Network  bool // an Integer written in network order: the reader swaps it in little-endian traces
	Swapped  bool // a Float whose byte order differs from the trace's (lttng.md 3.2)
	Compact  bool // in a compact event: it is in the word of the header (1.0, lttng.md 4.2)
	Count    int  // number of elements of an Array
	// Fields are the members of a Struct or Union, or one field for all elements of an Array or
	// Sequence.
	Fields []Field
	// Source is the field's description: #2u%u in a format, `u32` or `i8[16]` in XML.
	Source string
	Print  Conversion
}

// Conversion is the part of a marker's format that prints a field. Fields described by XML have the
// zero value.
type Conversion struct {
	Before                          string // characters between the last blank and the conversion: 0x
	Verb                            byte   // d i u o x X c s p
	Minus, Plus, Space, Sharp, Zero bool   // its flags
}

// Widest returns the size in bytes of the largest number in the field.
func (f *Field) Widest() int {
	if f.Kind == Integer || f.Kind == Float {
		return f.Size
	}
	n := 1
	for i := range f.Fields {
		n = max(n, f.Fields[i].Widest())
	}
	return n
}

// Fixed reports whether the field always has Size bytes.
func (f *Field) Fixed() bool { return f.Kind != String && f.Kind != Sequence && f.Size >= 0 }

// hasBytes reports whether each value has bytes. An array without elements has none, even if its
// strings have no fixed size.
func (f *Field) hasBytes() bool {
	switch f.Kind {
	case String, Sequence:
		return true
	case Struct:
		for i := range f.Fields {
			if f.Fields[i].hasBytes() {
				return true
			}
		}
		return false
	case Array:
		return f.Count > 0 && f.Fields[0].hasBytes()
	}
	return f.Size > 0
}

// stride returns the distance of the elements of an Array or Sequence, if they are fixed.
func (f *Field) stride() int { return alignUp(f.Fields[0].Size, f.Fields[0].Align) }

// extent returns the offset after the field in a payload that begins with data. The previous field
// ends at the offset at. ok is false if data is too short to determine it. The offset may be after
// the end of data.
func (f *Field) extent(data []byte, at int, o binary.ByteOrder) (end int, ok bool) {
	at = alignUp(at, f.Align)
	if f.Fixed() {
		return at + f.Size, true
	}
	switch f.Kind {
	case String:
		n := -1
		if at < len(data) {
			n = bytes.IndexByte(data[at:], 0)
		}
		if n < 0 {
			return 0, false
		}
		return alignUp(at+n+1, f.PadAfter), true
	case Sequence:
		if at+f.Size > len(data) {
			return 0, false
		}
		n := min(load(data[at:], f.Size, o), maxEvent) // there is no room for more
		if at, ok = f.elements(data, at+f.Size, int(n), o); !ok {
			return 0, false
		}
		return alignUp(at, f.PadAfter), true
	case Array:
		return f.elements(data, at, f.Count, o)
	}
	for i := range f.Fields {
		if at, ok = f.Fields[i].extent(data, at, o); !ok {
			return 0, false
		}
	}
	return at, true
}

// elements returns the offset after n elements.
func (f *Field) elements(data []byte, at, n int, o binary.ByteOrder) (end int, ok bool) {
	e := &f.Fields[0]
	at = alignUp(at, e.Align)
	if e.Fixed() {
		return at + int(min(int64(n)*int64(f.stride()), maxEvent+1)), true
	}
	for range n { // each has at least one byte
		if at, ok = e.extent(data, at, o); !ok {
			return 0, false
		}
	}
	return at, true
}

// load returns the number of size bytes at the start of b, without its sign.
func load(b []byte, size int, o binary.ByteOrder) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(o.Uint16(b))
	case 4:
		return uint64(o.Uint32(b))
	}
	return o.Uint64(b)
}

// Reader reads one field of the payloads of a marker.
type Reader struct {
	fields []Field // up to the field itself
	at     int     // its offset; -1 after a field without a fixed size
	order  binary.ByteOrder
}

// Reader returns a reader of the first field that has one of some names. ok is false if no such
// field is an integer or a string.
func (m *Marker) Reader(names ...string) (*Reader, bool) {
	r := &Reader{order: m.trace.order()}
	for i := range m.Fields {
		f := &m.Fields[i]
		if r.at >= 0 {
			r.at = alignUp(r.at, f.Align)
		}
		for _, name := range names {
			if f.Name == name {
				r.fields = m.Fields[:i+1]
				if f.Network {
					r.order = binary.BigEndian
				}
				return r, f.Kind == Integer || f.Kind == String
			}
		}
		if !f.Fixed() {
			r.at = -1
		} else if r.at >= 0 {
			r.at += f.Size
		}
	}
	return nil, false
}

// find returns the bytes from the field on, or nil if the payload ends before the field.
func (r *Reader) find(data []byte) []byte {
	at := r.at
	if at < 0 {
		last := len(r.fields) - 1
		at = 0
		for i := range r.fields[:last] {
			var ok bool
			if at, ok = r.fields[i].extent(data, at, r.order); !ok {
				return nil
			}
		}
		at = alignUp(at, r.fields[last].Align)
	}
	if at > len(data) {
		return nil
	}
	return data[at:]
}

// Uint returns an integer without its sign, or 0 if the payload ends before the integer does.
func (r *Reader) Uint(data []byte) uint64 {
	b, f := r.find(data), &r.fields[len(r.fields)-1]
	if f.Kind != Integer || len(b) < f.Size {
		return 0
	}
	return load(b, f.Size, r.order)
}

// Text returns a string. It is cut at the end of the payload.
func (r *Reader) Text(data []byte) string {
	b := r.find(data)
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return string(b)
}
