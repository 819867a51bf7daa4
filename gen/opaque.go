package gen

import (
	"math"

	"github.com/tracec/tracec/compiler/ir"
)

// elementSizes finds the element size of every array-like field. It is Elem, or 1 if the bytes must
// stay as recorded. Relocation converts elements to the byte order of the reading machine. A
// rendering program would notice this if it does not read a field by elements (a dump, a network
// address, a load of two elements at once). Rendering decides even if no text is generated, so that
// the struct of an event does not depend on an option. The second result reports which buffers hold
// elements that have an order.
func elementSizes(ev *ir.Event, target ir.Target) (map[*ir.Field]int, map[int]bool) {
	s := scan{elem: make(map[*ir.Field]int, len(ev.Fields)), word: target.WordSize,
		buffers: make(map[int]map[*ir.Field]bool)}
	for _, f := range ev.Fields {
		s.elem[f] = 1
		ints := f.Elem == 2 || f.Elem == 4 || f.Elem == 8
		if ints && !f.Text && (f.Kind == ir.Array || f.Kind == ir.Dynamic || f.Kind == ir.Tail) && f.Size%f.Elem == 0 {
			s.elem[f] = f.Elem
		}
	}
	// an opaque field can make other fields opaque, which share a buffer or its place with it
	for s.changed = true; s.changed; {
		s.changed = false
		s.node(&ir.Program{Body: ev.Text})
		s.overlaps(ev.Fields)
	}
	ordered := make(map[int]bool)
	for slot, roots := range s.buffers {
		for f := range roots {
			ordered[slot] = ordered[slot] || f != nil && s.elem[f] > 1
		}
	}
	return s.elem, ordered
}

// scan looks at every use of a field's bytes.
type scan struct {
	elem    map[*ir.Field]int
	word    int
	buffers map[int]map[*ir.Field]bool // the fields whose bytes a buffer may hold; nil means constants
	changed bool
}

// overlaps makes array-like fields opaque that share bytes with a field of other elements. Damaged
// descriptions have such fields. An integer cannot be made opaque, but runtime/bind rejects its
// event in a recording of another byte order.
func (s *scan) overlaps(fields []*ir.Field) {
	for i, f := range fields {
		for _, g := range fields[:i] {
			if f.Kind != ir.Int && g.Kind != ir.Int && s.elem[f] != s.elem[g] && f.Offset < end(g) &&
				g.Offset < end(f) {
				s.opaque(map[*ir.Field]bool{f: true, g: true})
			}
		}
	}
}

// end returns the offset of the first byte after a field, or after the word of a dynamic field.
func end(f *ir.Field) int {
	if f.Kind == ir.Tail {
		return math.MaxInt
	}
	return f.Offset + f.Size
}

// opaque removes the element size of all roots of a region.
func (s *scan) opaque(roots map[*ir.Field]bool) {
	for f := range roots {
		if f != nil && s.elem[f] > 1 {
			s.elem[f] = 1
			s.changed = true
		}
	}
}

// need makes the roots opaque unless all of them have elements of size n.
func (s *scan) need(roots map[*ir.Field]bool, n int) {
	for f := range roots {
		if f == nil || s.elem[f] != n {
			s.opaque(roots)
			return
		}
	}
}

// roots finds the fields whose bytes r may be. Nil among them stands for bytes without an element
// order.
func (s *scan) roots(r ir.Region) map[*ir.Field]bool {
	switch r := r.(type) {
	case *ir.FieldBytes:
		return map[*ir.Field]bool{r.Field: true}
	case *ir.Slice:
		of := s.roots(r.Of)
		for _, v := range []ir.Value{r.At, r.Len} {
			if v != nil {
				s.node(v)
			}
		}
		for f := range of {
			if f != nil && r.At != nil && !multiple(r.At, s.elem[f]) {
				s.opaque(of)
				break
			}
		}
		return of
	case *ir.CondBytes:
		s.node(r.If)
		return s.mixed(s.roots(r.Then), s.roots(r.Else))
	case *ir.LocalBytes:
		return s.buffers[r.Slot]
	}
	return map[*ir.Field]bool{nil: true}
}

// mixed joins roots. Bytes that have an element order only in some records count as bytes without
// one.
func (s *scan) mixed(a, b map[*ir.Field]bool) map[*ir.Field]bool {
	all := make(map[*ir.Field]bool, len(a)+len(b))
	ordered, raw := false, false
	for _, roots := range []map[*ir.Field]bool{a, b} {
		for f := range roots {
			all[f] = true
			ordered = ordered || f != nil && s.elem[f] > 1
			raw = raw || f == nil || s.elem[f] <= 1
		}
	}
	if ordered && raw {
		s.opaque(all)
	}
	return all
}

// node checks a value, a text or a statement, and all parts of it.
func (s *scan) node(n any) {
	switch n := n.(type) {
	case *ir.Load:
		roots := s.roots(n.From)
		s.need(roots, int(n.T.Size))
		if n.At != nil {
			s.node(n.At)
			if !multiple(n.At, int(n.T.Size)) {
				s.opaque(roots)
			}
		}
	case *ir.Bits:
		s.opaque(s.roots(n.From))
		s.node(n.At)
		s.node(n.Count)
	case *ir.CString:
		s.opaque(s.roots(n.Of))
	case *ir.ToNUL:
		s.opaque(s.roots(n.Of))
	case *ir.Call:
		s.call(n)
	case *ir.LetBytes:
		was := s.buffers[n.Slot]
		now := s.mixed(was, s.roots(n.V))
		s.changed = s.changed || len(now) != len(was)
		s.buffers[n.Slot] = now
	case ir.Region: // of a Len or a Require, which do not read its bytes
		s.roots(n)
	default:
		ir.Parts(n, s.node)
	}
}

// call checks the regions that a function gets. Array reads elements of its size argument, and
// StackTrace reads words. Relocation keeps both intact. The other functions read bytes. This
// includes the functions that print bitmaps, because a bitmap of 32-bit words changes when every
// word is widened.
func (s *scan) call(t *ir.Call) {
	for i, a := range t.Args {
		switch a := a.(type) {
		case ir.Value, ir.Text:
			s.node(a)
		case ir.Region:
			roots := s.roots(a)
			switch {
			case t.Name == "StackTrace":
				s.need(roots, s.word)
			case t.Name == "Array" && i == 0:
				size := 1
				if c, ok := t.Args[2].(*ir.Const); ok && c.V <= 8 {
					size = int(c.V)
				}
				s.need(roots, size)
			default:
				s.opaque(roots)
			}
		}
	}
}

// multiple reports whether v is certainly a multiple of n, a power of two up to 8. Casts keep this
// property.
func multiple(v ir.Value, n int) bool {
	if n <= 1 {
		return true
	}
	switch v := v.(type) {
	case *ir.Const:
		return v.V%uint64(n) == 0
	case *ir.Convert:
		return multiple(v.X, n)
	case *ir.Cond:
		return multiple(v.Then, n) && multiple(v.Else, n)
	case *ir.Binary:
		switch v.Op {
		case ir.OpMul:
			return multiple(v.X, n) || multiple(v.Y, n)
		case ir.OpAdd, ir.OpSub, ir.OpOr, ir.OpXor:
			return multiple(v.X, n) && multiple(v.Y, n)
		case ir.OpAnd:
			return multiple(v.X, n) || multiple(v.Y, n)
		case ir.OpShl:
			c, ok := v.Y.(*ir.Const)
			return ok && uint64(1)<<(c.V&uint64(8*v.X.Type().Size-1))%uint64(n) == 0
		}
	}
	return false
}
