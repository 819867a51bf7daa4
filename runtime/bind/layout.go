package bind

import (
	"cmp"
	"iter"
	"slices"
)

// Event describes one kind of record: as it was compiled, or as a recording has it.
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
	// Source is where a recording of several parts describes the event, for messages. It may be
	// empty.
	Source string
	// BigEndian is the byte order of recorded data. Compiled events have the byte order of this
	// machine unless they are Sequential.
	BigEndian bool
	// Sequential is set if values are one after another, so that a string moves everything after
	// it, as in arguments of uftrace and markers of LTTng. The fields then have no offsets. Records
	// of such events are decoded byte by byte, and relocated ones are in the byte order of the
	// compiled event.
	Sequential bool
	// Size is the number of bytes that every record has, the end of the last field of fixed offset.
	Size int
	// Struct is the size of the generated struct, Size rounded up to its alignment; 0 when
	// recorded.
	Struct int
	// Common are the fields that all events of a description begin with; they may be shared between
	// events.
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

// Field describes where one field of an event is.
type Field struct {
	Name string
	// Offset and Size are bytes. Size is that of the length-and-offset word for Dynamic, of the
	// length for Counted and List, 0 for Tail, Terminated, Struct and Variant. Offset is 0 in a
	// sequential event.
	Offset, Size int
	Kind         Kind
	// Elem is the element size of Array, Dynamic and Tail. 1 says that the bytes have no element
	// order; 0, of a recorded field, when that is not known: it is then taken to be as compiled. Of
	// recorded Bytes in a sequential event it is the size of the largest number in them: above 1
	// they are of use in their own byte order only.
	Elem   int
	Signed bool
	Rel    bool // Dynamic: the offset counts from the end of the word
	// Text is set if the elements are characters. A NUL ends a text that is shorter than its field.
	// It applies to Array, Dynamic, Tail, and Counted with a Count.
	Text bool
	// In a sequential event the offset is a multiple of Align, and what follows the field is at a
	// multiple of PadAfter. Both are powers of two; 0 is 1.
	Align, PadAfter int
	Order           Order   // in a sequential event: the byte order of a number that has its own
	Fields          []Field // the members of a Struct, the arms of a Variant, the one element of a List
	Count           int     // of a List or a Counted field whose Size is 0 and that has no From: its length
	// In a sequential event Slot, if not 0, numbers an integer to which later fields refer. From is
	// the Slot of an integer in front of the field, in the same structure or in one around it. It
	// is the length of a List or a Counted field whose Size is 0, or it selects the arm of a
	// Variant.
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
	AsEvent      Order = iota // that of the event
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

// Equal reports whether both describe the same, members and elements included.
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
	// sequential: a length of Size bytes, 1, 2 or 4, or none with From or Count, and as many
	// characters
	Counted
	Terminated // sequential: characters, and a NUL after them
	Struct     // sequential: Fields, one after another
	Union      // not used: what several types share is Bytes
	List       // sequential: a length of Size bytes, or none if that is 0, and as many of Fields[0]
	Variant    // sequential: one of Fields, or none
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

// Source describes the records of a recording: it returns the events of a name. Packages layout
// beside the containers make one.
type Source func(name string) []Event

// Sources returns a Source of all events, which it keeps.
func Sources(events []Event) Source {
	byName := make(map[string][]Event, len(events))
	for _, e := range events {
		byName[e.Name] = append(byName[e.Name], e)
	}
	return func(name string) []Event { return byName[name] }
}

// all yields the fields that all events begin with, and then the event's own.
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

// locate finds the field that w was compiled from, one of want's. Names of dynamic fields are apart
// from those of others: the kernel's struct calls the word of a dynamic field x __data_loc_x, and
// some events have a plain x beside it. Equal names, which only damaged descriptions have, are in
// the same order on both sides.
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

// rank returns how many fields before w have its name.
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
