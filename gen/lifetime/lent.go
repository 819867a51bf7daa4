package lifetime

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// lent returns what a call lends until the next call, or "" if it lends nothing. The call is one of
// the runtime, or its function returns the result of another such call.
func (c *checker) lent(call *ssa.Call) (source, bool) {
	if from, ok := lends(call); ok {
		return from, true
	}
	if fn := call.Call.StaticCallee(); fn != nil {
		if e := c.effectsOf(fn); e != nil && e.Lent != "" {
			return source{call, e.Lent, nextCall}, true
		}
	}
	return source{}, false
}

// lentBy returns the kind of lent memory that a function returns: it was lent by a call in the
// function.
func (c *checker) lentBy(f *ssa.Function) (what string) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if from, ok := c.lent(call); ok && from.until == nextCall {
				t := newTaint(c, f)
				t.returns = func(ssa.Value) { what = from.what }
				t.add(call)
				t.run()
			}
		}
	}
	return what
}

// late reports uses of lent memory after the call that lent it was made again.
func (t *taint) late(from source) {
	if t.lent == nil || from.until != nextCall {
		return
	}
	for _, b := range t.f.Blocks {
		for i, in := range b.Instrs {
			again, ok := in.(*ssa.Call)
			if !ok || again == t.lent || !sameCall(again, t.lent) {
				continue
			}
			if at := t.usedAfter(b, i+1); at.IsValid() {
				t.c.say(at, from.what, "memory of "+from.what+
					", which is valid until the next call, is used after it: copy what is needed")
			}
		}
	}
}

// sameCall reports whether two calls are of one function with the same receiver, or the same first
// argument.
func sameCall(a, b *ssa.Call) bool {
	x, y := a.Call, b.Call
	return x.Method == y.Method && sameValue(x.Value, y.Value) && len(x.Args) == len(y.Args) &&
		(len(x.Args) == 0 || x.IsInvoke() || sameValue(x.Args[0], y.Args[0]))
}

// sameValue reports whether two values are equal: they are one, or were read from one place.
func sameValue(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	switch x := a.(type) {
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		return ok && x.Op == y.Op && sameValue(x.X, y.X)
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && sameValue(x.X, y.X)
	}
	return false
}

// usedAfter returns the first use of marked memory from a place on, up to the next call that lends
// it.
func (t *taint) usedAfter(b *ssa.BasicBlock, from int) (at token.Pos) {
	seen := map[*ssa.BasicBlock]bool{}
	var walk func(b *ssa.BasicBlock, instrs []ssa.Instruction)
	walk = func(b *ssa.BasicBlock, instrs []ssa.Instruction) {
		for _, in := range instrs {
			if in == ssa.Instruction(t.lent) {
				return
			}
			if !at.IsValid() && t.uses(in) {
				at = in.Pos()
			}
		}
		for _, next := range b.Succs {
			if !seen[next] {
				seen[next] = true
				walk(next, next.Instrs)
			}
		}
	}
	walk(b, b.Instrs[from:])
	return at
}

// uses reports whether an instruction reads or passes on marked memory. Comparing pointers does not
// count.
func (t *taint) uses(in ssa.Instruction) bool {
	switch in.(type) {
	case *ssa.Phi, *ssa.BinOp, *ssa.DebugRef:
		return false
	}
	return slices.ContainsFunc(in.Operands(nil), func(v *ssa.Value) bool {
		return *v != nil && t.value[*v] && !chosen(*v)
	})
}

// chosen reports whether a value comes from a variable that may hold other values.
func chosen(v ssa.Value) bool {
	for ; v != nil; v = step(v) {
		if _, ok := v.(*ssa.Phi); ok {
			return true
		}
	}
	return false
}
