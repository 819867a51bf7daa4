package bind

import "fmt"

// maxSlots bounds the slots of a recorded event.
const maxSlots = 1 << 12

// measure checks that the sizes of recorded fields can be found.
type measure struct {
	known []int // the slots of earlier integers, of the same structure and those around it
	slots int   // the highest slot
}

// fields checks fields that follow one another. It returns the name of the field that an error is
// about.
func (m *measure) fields(list []Field) (field string, err error) {
	known := len(m.known)
	defer func() { m.known = m.known[:known] }()
	for i := range list {
		f := &list[i]
		room := 0
		if i > 0 && list[i-1].Bits.Count > 0 {
			room = list[i-1].Size
		}
		if !f.shaped() || !m.refers(f) || f.Bits.Overlap > room {
			return f.Name, fmt.Errorf("%w: it cannot be measured", ErrIncompatible)
		}
		if member, err := m.parts(f); err != nil {
			return join(f.Name, member), err
		}
		if f.Slot > 0 {
			m.known = append(m.known, f.Slot)
			m.slots = max(m.slots, f.Slot)
		}
	}
	return "", nil
}

// parts checks the members, arms or element of a field. The arms of a variant do not know each
// other.
func (m *measure) parts(f *Field) (field string, err error) {
	if f.Kind != Variant {
		return m.fields(f.Fields)
	}
	for i := range f.Fields {
		if field, err = m.fields(f.Fields[i : i+1]); err != nil {
			return field, err
		}
	}
	return "", nil
}

// refers reports whether the slot of a field is valid, and whether its From is an earlier integer.
func (m *measure) refers(f *Field) bool {
	if f.Slot < 0 || f.Slot > maxSlots || f.Slot > 0 && f.Kind != Int {
		return false
	}
	if f.From == 0 {
		return f.Kind != Variant
	}
	for _, n := range m.known {
		if n == f.From {
			return f.Size == 0 && f.Count == 0
		}
	}
	return false
}

// shaped reports whether the size and the parts of a field are valid for its kind.
func (f *Field) shaped() bool {
	if f.Size < 0 || f.Count < 0 || !isPower(f.align()) || !isPower(padding(f.PadAfter)) {
		return false
	}
	switch f.Kind {
	case Int:
		if f.Bits == (BitField{}) {
			return f.Slot == 0 || isNumber(f)
		}
		return f.Bits.within(f.Size)
	case Counted:
		return f.From > 0 || f.Count > 0 && f.Size == 0 || isLength(f.Size) && f.Count == 0
	case List:
		return len(f.Fields) == 1 && (f.Size == 0 || f.Count == 0 && (f.Size == 8 || isLength(f.Size)))
	}
	return f.Bits == BitField{}
}

// within reports whether a number of size bytes has the bits.
func (b BitField) within(size int) bool {
	return size <= 8 && b.Count > 0 && b.At >= 0 && b.At <= 8*size-b.Count && b.Overlap >= 0 && b.Overlap <= size
}

func isPower(n int) bool { return n&(n-1) == 0 }

func isLength(size int) bool { return size == 1 || size == 2 || size == 4 }
