package bind

// Event describes one event: as it was compiled, or as a recording has it.
type Event struct {
	Group, Name string
	// ID is the number that records carry; only recorded events need it, as it differs between machines.
	ID uint32
	// Size is the number of bytes that every record has, the end of the last fixed field.
	Size int
	// Struct is the size of the generated struct, Size rounded up to its alignment; 0 when recorded.
	Struct int
	// Common are the fields that all events of a description begin with; they may be shared between events.
	Common []Field
	Fields []Field
}

// Field describes where one field of an event lies.
type Field struct {
	Name string
	// Offset and Size are bytes; Size is that of the length-and-offset word for Dynamic, 0 for Tail.
	Offset, Size int
	Kind         Kind
	// Elem is the element size of Array, Dynamic and Tail. 1 says that the bytes have no element order; 0, of a
	// recorded field, when that is not known: it is then taken to be as compiled.
	Elem   int
	Signed bool
	Rel    bool // Dynamic: the offset counts from the end of the word
	Text   bool // characters, NUL-terminated
}

// Kind is the shape of a field.
type Kind uint8

// The kinds of fields, as in the compiler's ir.
const (
	Int     Kind = iota // 1, 2, 4 or 8 bytes
	Array               // Size/Elem integers, or characters
	Dynamic             // a word: length<<16 | offset, of data elsewhere in the record
	Tail                // from Offset to the end of the record
	Bytes               // opaque, such as a struct by value
)

var kindNames = [...]string{"an integer", "an array", "dynamic", "a tail", "opaque"}

// String returns the name of the kind, for error messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Source describes the records of a recording.
type Source struct {
	// BigEndian is the byte order of the records.
	BigEndian bool
	// WordSize is the size in bytes of a C long of the machine that recorded, 4 or 8.
	WordSize int
	Events   []Event
}

// locate finds the field that w was compiled from, one of want's. Names of dynamic fields are apart from those of others: the kernel's
// struct calls the word of a dynamic field x __data_loc_x, and some events have a plain x beside it. Equal names, which only damaged
// descriptions have, are in the same order on both sides.
func (e *Event) locate(want *Event, w *Field) *Field {
	var other *Field
	skip := want.rank(w)
	for _, fields := range [2][]Field{e.Common, e.Fields} {
		for i := range fields {
			f := &fields[i]
			if f.Name != w.Name {
				continue
			}
			if (f.Kind == Dynamic) == (w.Kind == Dynamic) {
				if skip == 0 {
					return f
				}
				skip--
			}
			if other == nil {
				other = f
			}
		}
	}
	return other
}

// rank returns how many fields before w have its name.
func (e *Event) rank(w *Field) int {
	n := 0
	for _, fields := range [2][]Field{e.Common, e.Fields} {
		for i := range fields {
			switch f := &fields[i]; {
			case f == w:
				return n
			case f.Name == w.Name && (f.Kind == Dynamic) == (w.Kind == Dynamic):
				n++
			}
		}
	}
	return n
}
