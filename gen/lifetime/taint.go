package lifetime

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// taint follows memory through a function.
type taint struct {
	c     *checker
	f     *ssa.Function
	own   map[*ssa.FreeVar]bool // variables of the function that contains this literal
	value map[ssa.Value]bool
	// content lists the fields of local variables that hold such memory. whole stands for all
	// fields.
	content map[*ssa.Alloc]map[int]bool
	// cells are variables of the function around a literal that hold such memory.
	cells map[*ssa.FreeVar]bool
	list  []ssa.Value
	// keep is called when memory is kept, into when it goes into a parameter, and returns when it
	// is returned.
	keep    func(pos token.Pos, where string)
	into    func(pos token.Pos, param int, where string)
	returns func(v ssa.Value)
	// lent is the call that lent this memory. The next such call ends the memory's lifetime. It is
	// nil for the memory of a parameter.
	lent *ssa.Call
	// free is called for memory that goes into a variable of the function around a literal. If nil,
	// such memory counts as kept.
	free func(v *ssa.FreeVar, where string)
}

const whole = -1

func newTaint(c *checker, f *ssa.Function) *taint {
	t := &taint{c: c, f: f, own: map[*ssa.FreeVar]bool{}, value: map[ssa.Value]bool{},
		content: map[*ssa.Alloc]map[int]bool{}, cells: map[*ssa.FreeVar]bool{}}
	t.keep = func(token.Pos, string) {}
	t.into = func(pos token.Pos, _ int, where string) { t.keep(pos, where) }
	t.returns = func(ssa.Value) {}
	return t
}

// add marks a value if it leads to memory.
func (t *taint) add(v ssa.Value) {
	if !t.value[v] && pointers(v.Type()) {
		t.value[v] = true
		t.list = append(t.list, v)
	}
}

// view marks a string that was made without a copy. Other strings are copies.
func (t *taint) view(v ssa.Value) {
	if !t.value[v] {
		t.value[v] = true
		t.list = append(t.list, v)
	}
}

// part marks a value made from a marked value. Parts of a marked string are marked as well.
func (t *taint) part(of, v ssa.Value) {
	if isString(of.Type()) && isString(v.Type()) {
		t.view(v)
		return
	}
	t.add(v)
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// fill marks the contents of a local variable, or of one of its fields.
func (t *taint) fill(a *ssa.Alloc, field int) {
	if t.content[a] == nil {
		t.content[a] = map[int]bool{}
	}
	if t.content[a][field] || field == whole && t.replaced(a) {
		return
	}
	t.content[a][field] = true
	for _, r := range *a.Referrers() {
		t.held(a, r)
	}
}

// replaced reports whether each field of a struct that leads to memory is stored again separately,
// as in a copy of a record whose Data is cloned.
func (t *taint) replaced(a *ssa.Alloc) bool {
	s, ok := a.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	stored := map[int]bool{}
	for _, r := range *a.Referrers() {
		if at, ok := r.(*ssa.FieldAddr); ok {
			for _, use := range *at.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == at {
					stored[at.Field] = true
				}
			}
		}
	}
	for i := range s.NumFields() {
		if pointers(s.Field(i).Type()) && !stored[i] {
			return false
		}
	}
	return true
}

// run follows all marked values.
func (t *taint) run() {
	for len(t.list) > 0 {
		v := t.list[len(t.list)-1]
		t.list = t.list[:len(t.list)-1]
		if refs := v.Referrers(); refs != nil {
			for _, in := range *refs {
				t.use(v, in)
			}
		}
	}
}

// use follows a marked value into an instruction.
func (t *taint) use(v ssa.Value, in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.Store:
		if x.Val == v {
			if t.lengthens(x) {
				t.keep(x.Pos(), "in variable "+nameOf(x.Addr))
			}
			t.store(x.Pos(), x.Addr)
		}
	case *ssa.MapUpdate:
		if x.Key == v || x.Value == v {
			t.put(x.Pos(), x.Map)
		}
	case *ssa.Send:
		if x.X == v {
			t.keep(x.Pos(), "in a channel")
		}
	case *ssa.Select:
		for _, s := range x.States {
			if s.Send == v {
				t.keep(s.Pos, "in a channel")
			}
		}
	case *ssa.Go:
		t.keep(x.Pos(), "by a goroutine")
	case *ssa.Return:
		t.returns(v)
	case *ssa.MakeClosure:
		t.closure(x, v)
	case *ssa.Call:
		t.call(v, &x.Call, x)
	case *ssa.Defer:
		t.deferred(v, x)
	case *ssa.Convert:
		if !isString(v.Type()) { // a conversion to bytes is a copy
			t.add(x)
		}
	case *ssa.UnOp:
		if c, ok := v.(*ssa.Convert); ok && x.Op == token.MUL && isString(x.Type()) && isUnsafe(c.X.Type()) {
			t.view(x)
			return
		}
		t.add(x)
	case *ssa.Phi:
		if t.carried(x, v) {
			t.keep(t.lent.Pos(), "in variable "+x.Comment)
		}
		t.part(v, x)
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Field, *ssa.Index, *ssa.Slice, *ssa.ChangeType, *ssa.ChangeInterface,
		*ssa.MakeInterface, *ssa.TypeAssert, *ssa.Extract, *ssa.SliceToArrayPointer, *ssa.MultiConvert, *ssa.Range,
		*ssa.Next:
		t.part(v, x.(ssa.Value))
	case *ssa.Lookup:
		if x.X == v {
			t.add(x)
		}
	}
}

// held follows the contents of a local variable into an instruction that uses the variable.
func (t *taint) held(a *ssa.Alloc, in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.UnOp:
		t.add(x)
	case *ssa.FieldAddr:
		if t.content[a][whole] || t.content[a][x.Field] {
			for _, use := range *x.Referrers() {
				t.element(x, use)
			}
		}
	case *ssa.IndexAddr, *ssa.Slice:
		t.add(x.(ssa.Value))
	case *ssa.MakeClosure:
		t.closure(x, a)
	case *ssa.Store:
		if x.Val == a {
			t.store(x.Pos(), x.Addr)
		}
	case *ssa.Call:
		t.call(a, &x.Call, x)
	case *ssa.Defer:
		t.deferred(a, x)
	case *ssa.Go:
		t.keep(x.Pos(), "by a goroutine")
	case *ssa.Return:
		t.returns(a)
	case *ssa.Send:
		t.keep(x.Pos(), "in a channel")
	case *ssa.MapUpdate:
		t.put(x.Pos(), x.Map)
	case *ssa.MakeInterface, *ssa.ChangeType, *ssa.Phi, *ssa.Convert:
		t.add(x.(ssa.Value))
	}
}

// deferred follows memory into a deferred call. In the body of a loop, the call runs after the
// loop.
func (t *taint) deferred(v ssa.Value, d *ssa.Defer) {
	if d.DeferStack != nil && synthetic(t.f) {
		t.keep(d.Pos(), "by a deferred call")
		return
	}
	t.call(v, &d.Call, nil)
}

func isUnsafe(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// element follows a field of a local variable.
func (t *taint) element(at ssa.Value, in ssa.Instruction) {
	switch x := in.(type) {
	case *ssa.UnOp:
		t.add(x)
	case *ssa.Store: // into it
	default:
		if _, ok := x.(ssa.Value); ok {
			t.add(at)
		}
	}
}

// store handles a store of marked memory to an address.
func (t *taint) store(pos token.Pos, addr ssa.Value) {
	switch o := t.originOf(addr); o.kind {
	case local:
		if o.alloc == nil {
			return
		}
		field := whole
		if f, ok := addr.(*ssa.FieldAddr); ok && f.X == o.alloc {
			field = f.Field
		}
		t.fill(o.alloc, field)
	case ofArg:
		if t.value[t.f.Params[o.param]] { // into the record itself
			return
		}
		t.into(pos, o.param, o.words(addr))
	default:
		t.lose(pos, o, o.words(addr))
	}
}

// put handles a store into a map.
func (t *taint) put(pos token.Pos, m ssa.Value) {
	switch o := t.originOf(m); o.kind {
	case local:
		if made, ok := m.(*ssa.MakeMap); ok && t.survives(made.Block()) {
			t.keep(pos, "in a map")
			return
		}
		t.add(base(m))
		if o.alloc != nil {
			t.fill(o.alloc, whole)
		}
	case ofArg:
		t.into(pos, o.param, o.words(m))
	default:
		t.lose(pos, o, o.words(m))
	}
}

// lose reports that memory outlives the function.
func (t *taint) lose(pos token.Pos, o origin, where string) {
	if o.free != nil && t.free != nil {
		t.free(o.free, where)
		return
	}
	t.keep(pos, where)
}

// closure follows memory into a function literal.
func (t *taint) closure(x *ssa.MakeClosure, bound ssa.Value) {
	t.add(x)
	f := x.Fn.(*ssa.Function)
	inner := newTaint(t.c, f)
	inner.keep, inner.returns = t.keep, func(ssa.Value) {}
	if synthetic(f) { // the body of a loop is part of the function: its return returns from the function
		inner.returns = t.returns
	}
	for i, b := range x.Bindings {
		o := t.originOf(b)
		inner.own[f.FreeVars[i]] = o.kind == local
	}
	for i, b := range x.Bindings {
		if b == bound {
			if t.holds(b) { // by reference
				inner.captured(f.FreeVars[i])
			} else {
				inner.add(f.FreeVars[i])
			}
		}
	}
	inner.run()
}

// holds reports whether a value is a variable that contains marked memory.
func (t *taint) holds(v ssa.Value) bool {
	switch x := v.(type) {
	case *ssa.Alloc:
		return t.content[x] != nil
	case *ssa.FreeVar:
		return t.cells[x]
	}
	return false
}

// captured marks the contents of a variable of the outer function.
func (t *taint) captured(v *ssa.FreeVar) {
	t.cells[v] = true
	for _, r := range *v.Referrers() {
		switch x := r.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr:
			t.add(x.(ssa.Value))
		case *ssa.MakeClosure:
			t.closure(x, v)
		}
	}
}

func synthetic(f *ssa.Function) bool { return f.Synthetic != "" }
