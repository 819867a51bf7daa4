// Package sequence describes payloads whose values lie one after another, so that a string moves everything after
// it: arguments of uftrace and markers of LTTng. It compares the layout that a decoder was compiled for with that
// of a recording ([NewPlan]), and copies payloads from one into the other ([Plan.Relocate]).
//
// # Byte order
//
// Relocated payloads are in the compiled layout and in the compiled byte order, whatever machine reads: generated
// decoders of such payloads read byte by byte, not by laying a struct over the record.
package sequence

// Kind is the shape of a value.
type Kind uint8

// The kinds.
const (
	Int     Kind = iota // 1, 2, 4 or 8 bytes
	Float               // an IEEE number of 4 or 8 bytes
	Bytes               // opaque, such as a structure by value: never swapped
	Counted             // a length of Size bytes, 1, 2 or 4, and as many characters
	CString             // characters, and a NUL after them
)

var kindNames = [...]string{"an integer", "a floating-point number", "opaque bytes", "a counted string", "a string"}

// String returns the name of the kind, for error messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Field is one value.
type Field struct {
	Name string // unique in its layout
	Kind Kind
	// Size is in bytes: of numbers and opaque bytes themselves, of the length of Counted; 0 for CString.
	Size int
	// Align is the number of bytes, a power of two, that the offset in the payload is a multiple of. 0 is 1.
	Align  int
	Signed bool // Int: widened by its sign
	// Network is an Int that is big-endian whatever the layout is.
	Network bool
	// PadAfter is the number of bytes, a power of two, that the place after a CString is a multiple of. 0 is 1.
	PadAfter int
}

// Layout is a payload: its values in order.
type Layout struct {
	BigEndian bool
	Fields    []Field
}

// find returns the place of a field, -1 without one.
func (l *Layout) find(name string) int {
	for i := range l.Fields {
		if l.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// Equal reports whether payloads of one layout are payloads of the other: names, kinds, sizes and places agree. What
// follows in have after the last field of l does not count.
func (l *Layout) Equal(have *Layout) bool {
	if len(l.Fields) == 0 {
		return true
	}
	if l.BigEndian != have.BigEndian || len(have.Fields) < len(l.Fields) {
		return false
	}
	for i := range l.Fields {
		a, b := &l.Fields[i], &have.Fields[i]
		if a.Name != b.Name || a.Kind != b.Kind || a.Size != b.Size || a.align() != b.align() {
			return false
		}
		if l.order(a) != have.order(b) || a.Kind == CString && padding(a.PadAfter) != padding(b.PadAfter) && i+1 < len(l.Fields) {
			return false
		}
	}
	return true
}

// order reports whether a field is big-endian.
func (l *Layout) order(f *Field) bool { return l.BigEndian || f.Network }

func (f *Field) align() int { return padding(f.Align) }

// padding returns what a place is a multiple of.
func padding(n int) int { return max(n, 1) }
