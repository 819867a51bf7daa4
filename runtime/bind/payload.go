package bind

import "fmt"

// ErrNarrow is the ErrIncompatible of a number that is wider in the recording than in the decoder.
var ErrNarrow = fmt.Errorf("%w: the recorded number is wider than the compiled one", ErrIncompatible)

// payloadPlan copies records of a sequential event from the recorded layout into the compiled one.
type payloadPlan struct {
	want, have *Event
	from       []int // for each field of want, that of have, -1 for one that is not used
	last       int   // the last field of have that is needed
}

// span is a value in a recorded payload, of a string its characters.
type span struct{ at, n int }

// newPayloadPlan compares sequential events. A nil plan without an error means that records can be
// read in place.
func newPayloadPlan(want, have *Event, narrow bool) (*payloadPlan, error) {
	if want.samePayload(have) {
		return nil, nil
	}
	return payloadPlanTo(want, have, narrow)
}

// payloadPlanTo is newPayloadPlan for records that are not read in place.
func payloadPlanTo(want, have *Event, narrow bool) (*payloadPlan, error) {
	p := &payloadPlan{want: want, have: have, from: make([]int, len(want.Fields)), last: -1}
	for i := range want.Fields {
		w := &want.Fields[i]
		if w.Skip {
			p.from[i] = -1
			continue
		}
		j := have.find(w.Name)
		if j < 0 {
			return nil, &Error{Event: want.Label(), Field: w.Name, Err: ErrMissing}
		}
		if err := carries(want, have, w, &have.Fields[j], narrow); err != nil {
			return nil, &Error{Event: want.Label(), Field: w.Name, Err: err}
		}
		p.from[i] = j
		p.last = max(p.last, j)
	}
	for i := range have.Fields[:p.last+1] {
		if f := &have.Fields[i]; f.Size < 0 || f.Kind == Counted && !isLength(f.Size) || !isPower(f.align()) || !isPower(padding(f.PadAfter)) {
			return nil, &Error{Event: want.Label(), Field: f.Name, Err: fmt.Errorf("%w: it cannot be measured", ErrIncompatible)}
		}
	}
	return p, nil
}

// samePayload reports whether records of have can be read as records of e: names, kinds, sizes and
// places agree. What follows in have after the last field of e does not count.
func (e *Event) samePayload(have *Event) bool {
	if len(e.Fields) == 0 {
		return true
	}
	if e.BigEndian != have.BigEndian || len(have.Fields) < len(e.Fields) {
		return false
	}
	for i := range e.Fields {
		a, b := &e.Fields[i], &have.Fields[i]
		if a.Name != b.Name && !a.Skip || a.Kind != b.Kind || a.Size != b.Size || a.align() != b.align() {
			return false
		}
		if e.order(a) != have.order(b) || a.Kind == Terminated && padding(a.PadAfter) != padding(b.PadAfter) && i+1 < len(e.Fields) {
			return false
		}
	}
	return true
}

// find returns the place of a field, -1 without one.
func (e *Event) find(name string) int {
	for i := range e.Fields {
		if e.Fields[i].Name == name {
			return i
		}
	}
	return -1
}

// order reports whether a field is big-endian.
func (e *Event) order(f *Field) bool { return e.BigEndian || f.Network }

func (f *Field) align() int { return padding(f.Align) }

// padding returns what an offset is a multiple of.
func padding(n int) int { return max(n, 1) }

// carries returns why the value of a field of have cannot be carried over into one of want.
func carries(want, have *Event, w, h *Field, narrow bool) error {
	if err := convertible(w, h, narrow); err != nil {
		return err
	}
	if h.Kind == Bytes && h.Elem > 1 && want.BigEndian != have.BigEndian {
		return fmt.Errorf("%w: opaque numbers in the other byte order", ErrIncompatible)
	}
	return nil
}

// convertible says why a value cannot be carried over.
func convertible(w, h *Field, narrow bool) error {
	text := func(k Kind) bool { return k == Counted || k == Terminated }
	switch {
	case text(w.Kind) && text(h.Kind):
		return nil
	case w.Kind != h.Kind:
		return fmt.Errorf("%w: it is %v, compiled as %v", ErrIncompatible, h.Kind, w.Kind)
	case w.Kind == Bytes && w.Size == h.Size:
		return nil
	case w.Kind == Bytes, !isNumber(w), !isNumber(h):
		return fmt.Errorf("%w: it has %d bytes, compiled with %d", ErrIncompatible, h.Size, w.Size)
	case w.Size < h.Size && !narrow:
		return fmt.Errorf("%w: %d bytes, compiled with %d", ErrNarrow, h.Size, w.Size)
	}
	return nil
}

func isPower(n int) bool { return n&(n-1) == 0 }

func isLength(size int) bool { return size == 1 || size == 2 || size == 4 }

func isNumber(f *Field) bool {
	switch f.Size {
	case 1, 2:
		return f.Kind == Int
	case 4, 8:
		return true
	}
	return false
}
