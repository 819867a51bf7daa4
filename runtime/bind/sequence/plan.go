package sequence

import (
	"fmt"

	"github.com/tracec/tracec/runtime/bind"
)

// ErrNarrow is the bind.ErrIncompatible of a number that is wider in the recording than in the decoder.
var ErrNarrow = fmt.Errorf("%w: the recorded number is wider than the compiled one", bind.ErrIncompatible)

// Options say what a plan may do.
type Options struct {
	// Narrow allows numbers to be cut to a smaller compiled size.
	Narrow bool
}

// Plan copies payloads from the recorded layout into the compiled one. It is for one goroutine.
type Plan struct {
	want, have *Layout
	from       []int  // for each field of want, that of have
	last       int    // the last field of have that is needed
	spans      []span // of the payload at work: where the values of have are
}

// span is a value in a recorded payload, of a string its characters.
type span struct{ at, n int }

// NewPlan compares layouts; event is for messages. A nil plan without an error means that payloads can be read in
// place. Errors are *bind.Error: a compiled field that the recording lacks, or has in a form that has no equal value.
func NewPlan(event string, want, have *Layout, opts Options) (*Plan, error) {
	if want.Equal(have) {
		return nil, nil
	}
	p := &Plan{want: want, have: have, from: make([]int, len(want.Fields))}
	for i := range want.Fields {
		w := &want.Fields[i]
		j := have.find(w.Name)
		if j < 0 {
			return nil, &bind.Error{Event: event, Field: w.Name, Err: bind.ErrMissing}
		}
		if err := convertible(w, &have.Fields[j], opts); err != nil {
			return nil, &bind.Error{Event: event, Field: w.Name, Err: err}
		}
		p.from[i] = j
		p.last = max(p.last, j)
	}
	for i := range have.Fields[:p.last+1] {
		if f := &have.Fields[i]; f.Size < 0 || f.Kind == Counted && !isLength(f.Size) || !isPower(f.align()) || !isPower(padding(f.PadAfter)) {
			return nil, &bind.Error{Event: event, Field: f.Name, Err: fmt.Errorf("%w: it cannot be measured", bind.ErrIncompatible)}
		}
	}
	p.spans = make([]span, p.last+1)
	return p, nil
}

// convertible says why a value cannot be carried over.
func convertible(w, h *Field, opts Options) error {
	text := func(k Kind) bool { return k == Counted || k == CString }
	switch {
	case text(w.Kind) && text(h.Kind):
		return nil
	case w.Kind != h.Kind:
		return fmt.Errorf("%w: it is %v, compiled as %v", bind.ErrIncompatible, h.Kind, w.Kind)
	case w.Kind == Bytes && w.Size == h.Size:
		return nil
	case w.Kind == Bytes, !isNumber(w), !isNumber(h):
		return fmt.Errorf("%w: it has %d bytes, compiled with %d", bind.ErrIncompatible, h.Size, w.Size)
	case w.Size < h.Size && !opts.Narrow:
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
