package bind

import (
	"fmt"
	"slices"
)

// ErrNarrow is the ErrIncompatible for a number that is wider in the recording than in the decoder.
var ErrNarrow = fmt.Errorf("%w: the recorded number is wider than the compiled one", ErrIncompatible)

// payloadPlan copies records of a sequential event from the recorded layout into the compiled one.
type payloadPlan struct {
	want, have *Event
	fields     structPlan
	inSlots    int // the highest slot of have
	outSlots   int // the highest slot of want
	narrow     bool
}

// structPlan copies values that follow one another: the values of a payload, the members of a
// structure, or an element of a list.
type structPlan struct {
	want, have []Field
	from       []int         // for each field of want, the index of the field of have; -1 if it is not used
	parts      []*structPlan // for each field of want, its members or its element; nil for other fields
	last       int           // the last field of have that is needed
}

// newPayloadPlan compares sequential events. A nil plan without an error means that records can be
// read in place.
func newPayloadPlan(want, have *Event, narrow bool) (*payloadPlan, error) {
	if want.samePayload(have) {
		return nil, nil
	}
	c := comparison{want, have, narrow}
	fields, field, err := c.structure(want.Fields, have.Fields)
	if err == nil {
		m := measure{}
		if field, err = m.fields(have.Fields[:fields.last+1]); err == nil {
			return &payloadPlan{want, have, fields, m.slots, want.slots(), narrow}, nil
		}
	}
	return nil, &Error{Event: want.Label(), Field: field, Err: err}
}

// comparison is the comparison of a compiled event with a recorded event.
type comparison struct {
	want, have *Event
	narrow     bool
}

// structure returns the plan of fields that follow one another. It also returns the name of the
// field that an error is about.
func (c *comparison) structure(want, have []Field) (p structPlan, field string, err error) {
	p = structPlan{want, have, make([]int, len(want)), make([]*structPlan, len(want)), -1}
	for i := range want {
		w := &want[i]
		if w.Skip {
			p.from[i] = -1
			continue
		}
		j := find(have, w.Name)
		if j < 0 {
			return p, w.Name, ErrMissing
		}
		p.last = max(p.last, j)
		if field, err = c.field(&p, i, j); err != nil {
			return p, field, err
		}
	}
	return p, "", nil
}

// field plans that field j of have becomes field i of want.
func (c *comparison) field(p *structPlan, i, j int) (field string, err error) {
	w, h := &p.want[i], &p.have[j]
	if err := c.carries(w, h); err != nil {
		return w.Name, err
	}
	if p.from[i] = j; w.Fields == nil {
		return "", nil
	}
	part, member, err := c.parts(w, h)
	p.parts[i] = &part
	return join(w.Name, member), err
}

// parts returns the plan for the members, arms or element of a field.
func (c *comparison) parts(w, h *Field) (p structPlan, field string, err error) {
	if w.Kind == Variant {
		return c.arms(w.Fields, h.Fields)
	}
	return c.structure(w.Fields, h.Fields)
}

// join returns the name of a member. Elements of a list have no name.
func join(name, member string) string {
	if member == "" || name == "" {
		return name + member
	}
	return name + "." + member
}

// samePayload reports whether records of have can be read as records of e. This is so if names,
// kinds, sizes and places agree. Fields of have after the last field of e do not matter.
func (e *Event) samePayload(have *Event) bool {
	if len(e.Fields) == 0 {
		return true
	}
	return e.BigEndian == have.BigEndian && len(have.Fields) >= len(e.Fields) &&
		e.sameFields(have, e.Fields, have.Fields[:len(e.Fields)], false)
}

// sameFields reports whether fields have the same bytes. more reports whether other values follow
// them.
func (e *Event) sameFields(have *Event, want, recorded []Field, more bool) bool {
	if len(want) != len(recorded) {
		return false
	}
	for i := range want {
		a, b := &want[i], &recorded[i]
		if a.Name != b.Name && !a.Skip || !a.sameShape(b) {
			return false
		}
		more := more || i+1 < len(want)
		if e.order(a) != have.order(b) || padding(a.PadAfter) != padding(b.PadAfter) && more {
			return false
		}
		if !e.sameFields(have, a.Fields, b.Fields, more || a.Kind == List || a.Kind == Variant) {
			return false
		}
	}
	return true
}

// sameShape reports whether two fields have the same bytes, their byte order and parts aside.
func (f *Field) sameShape(g *Field) bool {
	switch {
	case f.Kind != g.Kind, f.Size != g.Size, f.Count != g.Count, f.align() != g.align(), f.Bits != g.Bits:
		return false
	case f.Slot != g.Slot, f.From != g.From, f.Slot > 0 && f.Signed != g.Signed, !slices.Equal(f.When, g.When):
		return false
	}
	return f.Kind != Variant || f.Optional == g.Optional
}

// find returns the place of a field, or -1 if there is none.
func (e *Event) find(name string) int { return find(e.Fields, name) }

func find(fields []Field, name string) int {
	for i := range fields {
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

// order reports whether a field is big-endian.
func (e *Event) order(f *Field) bool {
	if f.Order == AsEvent {
		return e.BigEndian
	}
	return f.Order == BigEndian
}

func (f *Field) align() int { return padding(f.Align) }

// padding returns the alignment for a recorded one, which may be 0.
func padding(n int) int { return max(n, 1) }

// carries returns nil if w can hold the value of h, a field of the recorded event, or else the
// reason why not. It does not check members and elements.
func (c *comparison) carries(w, h *Field) error {
	if err := convertible(w, h, c.narrow); err != nil {
		return err
	}
	if h.Kind == Bytes && h.Elem > 1 && c.want.BigEndian != c.have.BigEndian {
		return fmt.Errorf("%w: opaque numbers in the other byte order", ErrIncompatible)
	}
	return c.refers(w, h)
}

// carriesAll is carries with members and elements.
func (c *comparison) carriesAll(w, h *Field) error {
	err := c.carries(w, h)
	if err == nil && w.Fields != nil {
		_, _, err = c.parts(w, h)
	}
	return err
}

// convertible returns the reason why w cannot hold a value of h, or nil.
func convertible(w, h *Field, narrow bool) error {
	text := func(k Kind) bool { return k == Counted || k == Terminated }
	switch {
	case w.isConstant() && !w.Text && (!h.isConstant() || w.Count != h.Count):
		return fmt.Errorf("%w: it is %v of another length, compiled with %d bytes", ErrIncompatible, h.Kind, w.Count)
	case text(w.Kind) && text(h.Kind):
		return nil
	case w.Kind != h.Kind:
		return fmt.Errorf("%w: it is %v, compiled as %v", ErrIncompatible, h.Kind, w.Kind)
	case w.Kind == Struct, w.Kind == Variant:
		return nil
	case w.Kind == List && w.Count != h.Count:
		return fmt.Errorf("%w: it has %d elements, compiled with %d", ErrIncompatible, h.Count, w.Count)
	case w.Kind == List:
		return nil
	case w.Kind == Bytes && w.Size == h.Size:
		return nil
	case w.Kind == Bytes, !isNumber(w), !isNumber(h):
		return fmt.Errorf("%w: it has %d bytes, compiled with %d", ErrIncompatible, h.Size, w.Size)
	case w.bits() < h.bits() && !narrow:
		return fmt.Errorf("%w: %s, compiled with %s", ErrNarrow, h.width(), w.width())
	}
	return nil
}

// isConstant reports whether f is a Counted field that has the same length in all records.
func (f *Field) isConstant() bool { return f.Kind == Counted && f.Count > 0 }

// bits returns the number of bits of a number.
func (f *Field) bits() int {
	if f.Bits.Count > 0 {
		return f.Bits.Count
	}
	return 8 * f.Size
}

// width returns the size of a number for messages.
func (f *Field) width() string {
	if f.Bits.Count > 0 {
		return fmt.Sprintf("%d bits", f.Bits.Count)
	}
	return fmt.Sprintf("%d bytes", f.Size)
}

func isNumber(f *Field) bool {
	if f.Bits.Count > 0 {
		return true
	}
	switch f.Size {
	case 1, 2:
		return f.Kind == Int
	case 4, 8:
		return true
	}
	return false
}
