package bind

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// way is the move of one field to its place in the compiled layout.
type way struct {
	field    string
	from, to place
	elems
}

// end returns the first byte after the field in the compiled layout.
func (w *way) end() int {
	if w.to.kind == Tail {
		return math.MaxInt
	}
	return w.to.off + w.to.size
}

// overlap finds two fields that share bytes of the compiled layout and write different values
// there. An example is a number and its bytes as text when the byte order changes. Only damaged
// descriptions have such fields. Descriptions of kernels do not.
func (p *fixedPlan) overlap() error {
	slices.SortStableFunc(p.ways, func(a, b way) int { return cmp.Compare(a.to.off, b.to.off) })
	for i := range p.ways {
		a := &p.ways[i]
		for j := i + 1; j < len(p.ways) && p.ways[j].to.off < a.end(); j++ {
			if b := &p.ways[j]; !a.agrees(b) {
				return fmt.Errorf("%w: fields %q and %q share bytes that cannot be moved", ErrIncompatible, a.field,
					b.field)
			}
		}
	}
	return nil
}

// agrees reports whether both fields write the same bytes where they overlap.
func (w *way) agrees(b *way) bool {
	if w.from == b.from && w.to == b.to && w.elems == b.elems {
		return true // the same field twice
	}
	if w.elems.from != w.elems.to || b.elems.from != b.elems.to || w.ordered() != b.ordered() {
		return false
	}
	if w.to.kind == Dynamic || b.to.kind == Dynamic || w.from.kind == Dynamic || b.from.kind == Dynamic {
		return w.from == b.from && w.to == b.to
	}
	return w.to.off-w.from.off == b.to.off-b.from.off && (w.to.off-b.to.off)%w.ordered() == 0
}

// ordered returns the size of the integers whose bytes are reversed.
func (w *way) ordered() int {
	if w.swap {
		return w.elems.to
	}
	return 1
}
