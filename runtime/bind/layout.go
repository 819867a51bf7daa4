package bind

import (
	"cmp"
	"iter"
	"slices"
)

// Event describes one kind of record: as compiled, or as recorded.
type Event struct {
	// Group and Name identify an event in a recording: system and event, module and function, or
	// channel and marker. An empty group, compiled or recorded, matches any group that has no event
	// of this name.
	Group, Name string
	// Exit is set if the records are returns from a function. Its calls are another event.
	Exit bool
	// Type is the Go type of a compiled event, without its package.
	Type string
	// ID is the [record.Record] ID of the event. Only recorded events have one, as it differs
	// between machines.
	ID uint32
	// Source is the place of the description in a recording of several parts, for messages. It may
	// be empty.
	Source string
	// BigEndian is the byte order of recorded data. Compiled events have the byte order of this
	// machine unless they are Sequential.
	BigEndian bool
	// Sequential is set if each value begins where the previous one ends, as in arguments of
	// uftrace and markers of LTTng. A string then moves all later values, and fields have no
	// offsets. Records of such events are decoded byte by byte. Relocated records are in the byte
	// order of the compiled event.
	Sequential bool
	// Size is the number of bytes that every record has: the end of the last field with a fixed
	// offset.
	Size int
	// Struct is the size of the generated struct: Size rounded up to its alignment. It is 0 in
	// recorded events.
	Struct int
	// Common are the first fields of all events of a description. Events may share them.
	Common []Field
	Fields []Field
}

// Label returns the name of the event in messages: group:name, with /exit after it for returns.
func (e *Event) Label() string {
	s := e.Name
	if e.Group != "" {
		s = e.Group + ":" + s
	}
	if e.Exit {
		s += "/exit"
	}
	return s
}

// Field describes the place of one field of an event.
type Field struct {
	Name string
	// Offset and Size are in bytes. For Dynamic, Size is the size of the length-and-offset word.
	// For Counted and List it is the size of the length. For Tail, Terminated, Struct and Variant
	// it is 0. Offset is 0 in a sequential event.
	Offset, Size int
	Kind         Kind
	// Elem is the element size of Array, Dynamic and Tail. 1 means that the bytes have no element
	// order. In a recorded field, 0 means that the size is unknown: it is then taken to be as
	// compiled. For recorded Bytes in a sequential event, Elem is the size of the largest number in
	// them. If it is above 1, the bytes can only be used in their own byte order.
	Elem   int
	Signed bool
	Rel    bool // Dynamic: the offset counts from the end of the word
	// Text is set if the elements are characters. A NUL ends a text that is shorter than its field.
	// It applies to Array, Dynamic, Tail, and Counted with a Count.
	Text bool
	// In a sequential event the offset is a multiple of Align, and the offset after the field is a
	// multiple of PadAfter. Both are powers of two; 0 means 1. The offset after an empty List is a
	// multiple of its element's Align.
	Align, PadAfter int
	Order           Order   // in a sequential event: the byte order of a number, if it differs from BigEndian
	Fields          []Field // the members of a Struct, the arms of a Variant, or the element of a List
	Count           int     // the length of a List or a Counted field whose Size is 0 and that has no From
	// In a sequential event Slot, if not 0, numbers an integer to which later fields refer. From is
	// the Slot of an earlier integer, in the same structure or in one around it. It is the length
	// of a List or a Counted field whose Size is 0, or it selects the arm of a Variant.
	Slot, From int
	// When are the values of From that select this arm of a Variant.
	When []Range
	// Optional is set if a Variant without a selected arm has no bytes. Otherwise such a record is
	// damaged.
	Optional bool
	// Bits is set for an integer of a sequential event that is a bit field.
	Bits BitField
	// Skip, in a compiled sequential event, marks an unused value. A recording need not have it.
	// Relocated records have zeros in its place.
	Skip bool
}

// Order is the byte order of a number.
type Order uint8

// The byte orders.
const (
	AsEvent      Order = iota // the byte order of the event
	LittleEndian              // little-endian, whatever the event is
	BigEndian                 // big-endian, whatever the event is
)

// BitField is the place of a bit field: Count bits of the number of Size bytes, from bit At on. Bit
// 0 is the least significant one. The number begins Overlap bytes before the end of the bit field
// in front of it, without alignment.
type BitField struct{ Count, At, Overlap int }

// Range is a range of integers, from Low to High. Both are extended to 64 bits, with the sign if
// the integer is signed.
type Range struct{ Low, High uint64 }

// Equal reports whether both fields are equal, including members and elements.
func (f *Field) Equal(g *Field) bool {
	return f.Name == g.Name && f.Offset == g.Offset && f.Size == g.Size && f.Kind == g.Kind && f.Elem == g.Elem &&
		f.Signed == g.Signed && f.Rel == g.Rel && f.Text == g.Text && f.Align == g.Align && f.PadAfter == g.PadAfter &&
		f.Order == g.Order && f.Count == g.Count && f.Slot == g.Slot && f.From == g.From && f.Optional == g.Optional &&
		f.Bits == g.Bits && f.Skip == g.Skip && slices.Equal(f.When, g.When) && EqualFields(f.Fields, g.Fields)
}

// EqualFields reports whether two lists of fields are equal.
func EqualFields(a, b []Field) bool {
	return slices.EqualFunc(a, b, func(x, y Field) bool { return x.Equal(&y) })
}

// Kind is the shape of a field.
type Kind uint8

// The kinds of fields, as in the compiler's ir.
const (
	Int     Kind = iota // 1, 2, 4 or 8 bytes
	Array               // Size/Elem integers, or characters
	Dynamic             // a word: length<<16 | offset, of data elsewhere in the record
	Tail                // from Offset to the end of the record
	Bytes               // opaque, such as a struct by value: never swapped
	Float               // sequential: an IEEE number of 4 or 8 bytes
	// sequential: a length of Size bytes (1, 2 or 4; no length with From or Count), and as many
	// characters
	Counted
	Terminated // sequential: characters and a final NUL
	Struct     // sequential: Fields, one after another
	Union      // not used: fields shared by several types are Bytes
	List       // sequential: a length of Size bytes (no length if Size is 0), and as many of Fields[0]
	Variant    // sequential: one of Fields, or nothing
)

var kindNames = [...]string{
	"an integer", "an array", "dynamic", "a tail", "opaque", "a floating-point number", "a counted string", "a string",
	"a structure", "a union", "a list", "a variant",
}

// String returns the name of the kind, for error messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Source describes the records of a recording: it returns the events of a name. The packages layout
// of the containers make Sources.
type Source func(name string) []Event

// Sources returns a Source of all events, which it keeps.
func Sources(events []Event) Source {
	byName := make(map[string][]Event, len(events))
	for _, e := range events {
		byName[e.Name] = append(byName[e.Name], e)
	}
	return func(name string) []Event { return byName[name] }
}

// all yields the common fields of the event, and then its own fields.
func (e *Event) all() iter.Seq[*Field] {
	return func(yield func(*Field) bool) {
		for _, fields := range [2][]Field{e.Common, e.Fields} {
			for i := range fields {
				if !yield(&fields[i]) {
					return
				}
			}
		}
	}
}

// locate finds the recorded field from which w was compiled, a field of want. Dynamic fields have a
// name space of their own: the kernel's struct calls the word of a dynamic field x __data_loc_x,
// and some events also have a plain field x. Only damaged descriptions have equal names. Their
// order is the same on both sides.
func (e *Event) locate(want *Event, w *Field) *Field {
	var other *Field
	skip := want.rank(w)
	for f := range e.all() {
		if f.Name != w.Name {
			continue
		}
		if (f.Kind == Dynamic) == (w.Kind == Dynamic) {
			if skip == 0 {
				return f
			}
			skip--
		}
		other = cmp.Or(other, f)
	}
	return other
}

// rank returns the number of fields before w with its name.
func (e *Event) rank(w *Field) int {
	n := 0
	for f := range e.all() {
		switch {
		case f == w:
			return n
		case f.Name == w.Name && (f.Kind == Dynamic) == (w.Kind == Dynamic):
			n++
		}
	}
	return n
}
