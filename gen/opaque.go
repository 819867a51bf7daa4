package gen

import "github.com/tracec/tracec/compiler/ir"

// elementSizes finds the element size of every array-like field: Elem, or 1 when the bytes must stay as they
// were recorded. Relocation turns elements into the byte order of the machine that reads; a rendering program
// that looks at a field other than element by element (a dump, a network address, a load of two elements at
// once) would see that. Rendering decides even when no text is generated, so that the struct of an event does
// not depend on an option. The second result tells which buffers hold elements that have an order.
func elementSizes(ev *ir.Event, target ir.Target) (map[*ir.Field]int, map[int]bool) {
	s := scan{elem: make(map[*ir.Field]int, len(ev.Fields)), word: target.WordSize, buffers: make(map[int]map[*ir.Field]bool)}
	for _, f := range ev.Fields {
		s.elem[f] = 1
		ints := f.Elem == 2 || f.Elem == 4 || f.Elem == 8
		if ints && !f.Text && (f.Kind == ir.Array || f.Kind == ir.Dynamic || f.Kind == ir.Tail) && f.Size%f.Elem == 0 {
			s.elem[f] = f.Elem
		}
	}
	for s.changed = true; s.changed; { // a field made opaque can make one opaque that shares a buffer with it
		s.changed = false
		s.stmts(ev.Text)
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
	buffers map[int]map[*ir.Field]bool // the fields that a buffer may hold bytes of; nil stands for constants
	changed bool
}

// opaque takes the elements away from all roots of a region.
func (s *scan) opaque(roots map[*ir.Field]bool) {
	for f := range roots {
		if f != nil && s.elem[f] > 1 {
			s.elem[f] = 1
			s.changed = true
		}
	}
}

// need makes the roots opaque unless all have elements of size n.
func (s *scan) need(roots map[*ir.Field]bool, n int) {
	for f := range roots {
		if f == nil || s.elem[f] != n {
			s.opaque(roots)
			return
		}
	}
}

// roots finds the fields whose bytes r may be, nil among them for bytes that have no element order anyhow.
func (s *scan) roots(r ir.Region) map[*ir.Field]bool {
	switch r := r.(type) {
	case *ir.FieldBytes:
		return map[*ir.Field]bool{r.Field: true}
	case *ir.Slice:
		of := s.roots(r.Of)
		for _, v := range []ir.Value{r.At, r.Len} {
			if v != nil {
				s.value(v)
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
		s.value(r.If)
		return s.mixed(s.roots(r.Then), s.roots(r.Else))
	case *ir.LocalBytes:
		return s.buffers[r.Slot]
	}
	return map[*ir.Field]bool{nil: true}
}

// mixed joins roots. Bytes of which it depends on the record whether they have an element order, have none.
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

func (s *scan) stmts(body []ir.Stmt) {
	for _, st := range body {
		switch st := st.(type) {
		case *ir.PutInt:
			s.value(st.V)
			s.spec(st.Spec)
		case *ir.PutText:
			s.text(st.T)
			s.spec(st.Spec)
		case *ir.Let:
			s.value(st.V)
		case *ir.LetBytes:
			was := s.buffers[st.Slot]
			now := s.mixed(was, s.roots(st.V))
			s.changed = s.changed || len(now) != len(was)
			s.buffers[st.Slot] = now
		case *ir.If:
			s.value(st.Cond)
			s.stmts(st.Then)
			s.stmts(st.Else)
		case *ir.Switch:
			s.value(st.X)
			for _, c := range st.Cases {
				s.stmts(c.Body)
			}
			s.stmts(st.Default)
		case *ir.Loop:
			s.value(st.Cond)
			s.stmts(st.Body)
		case *ir.Require:
			s.roots(st.Of)
			s.value(st.Bytes)
		case *ir.Exit:
			if st.At != nil {
				s.value(st.At)
			}
		}
	}
}

func (s *scan) spec(sp ir.Spec) {
	if sp.WidthArg != nil {
		s.value(sp.WidthArg)
	}
	if sp.PrecArg != nil {
		s.value(sp.PrecArg)
	}
}

func (s *scan) value(v ir.Value) {
	switch v := v.(type) {
	case *ir.Load:
		roots := s.roots(v.From)
		s.need(roots, int(v.T.Size))
		if v.At != nil {
			s.value(v.At)
			if !multiple(v.At, int(v.T.Size)) {
				s.opaque(roots)
			}
		}
	case *ir.Unary:
		s.value(v.X)
	case *ir.Binary:
		s.value(v.X)
		s.value(v.Y)
	case *ir.Cond:
		s.value(v.If)
		s.value(v.Then)
		s.value(v.Else)
	case *ir.Convert:
		s.value(v.X)
	case *ir.Len:
		s.roots(v.Of)
	case *ir.Func:
		for _, a := range v.Args {
			s.value(a)
		}
	case *ir.Bits:
		s.opaque(s.roots(v.From))
		s.value(v.At)
		s.value(v.Count)
	case *ir.TextIs:
		s.text(v.T)
	}
}

func (s *scan) text(t ir.Text) {
	switch t := t.(type) {
	case *ir.CString:
		s.opaque(s.roots(t.Of))
	case *ir.CondText:
		s.value(t.If)
		s.text(t.Then)
		s.text(t.Else)
	case *ir.Call:
		s.call(t)
	case *ir.Program:
		s.stmts(t.Body)
	}
}

// call looks at the regions that a function gets. Array goes by elements of its size argument and StackTrace by
// words, which is what relocation keeps whole. The others look at bytes: also those that print bitmaps, since a
// bitmap of 32-bit words is another one when every word is widened.
func (s *scan) call(t *ir.Call) {
	for i, a := range t.Args {
		switch a := a.(type) {
		case ir.Value:
			s.value(a)
		case ir.Text:
			s.text(a)
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

// multiple reports whether v is known to be a multiple of n, a power of two up to 8. Casts keep that.
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
