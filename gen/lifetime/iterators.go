package lifetime

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// collectors are functions of Go's library that return or keep everything an iterator yields.
var collectors = set(`slices.Collect slices.AppendSeq slices.SortedFunc slices.SortedStableFunc maps.Collect
	maps.Insert`)

// iterators looks for calls that pass the iterators of decoders to functions of Go's library. It
// reports calls of functions that keep yielded values. It calls pulled for each call that pulls an
// event.
func (c *checker) iterators(call *ssa.Call, pulled func(*ssa.Call)) {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return
	}
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if fn.Pkg == nil || !standard(fn.Pkg.Pkg) {
		return
	}
	name := fullName(fn)
	for _, arg := range call.Call.Args {
		switch what := c.yields(arg.Type()); {
		case what == "":
		case collectors[name]:
			c.say(call.Pos(), what, "memory of each "+what+", which is valid until the next one, is kept by "+name+
				": copy what is needed")
		case name == "iter.Pull" || name == "iter.Pull2":
			for _, r := range *call.Referrers() {
				if x, ok := r.(*ssa.Extract); ok && x.Index == 0 {
					callsOf(x, pulled)
				}
			}
		}
	}
}

// callsOf passes on the calls of a function that is a value.
func callsOf(fn ssa.Value, found func(*ssa.Call)) {
	for _, r := range *fn.Referrers() {
		if call, ok := r.(*ssa.Call); ok && call.Call.Value == fn {
			found(call)
		}
	}
}

// yields returns the kind of the values that an iterator yields if they are valid only until the
// next one: records or events.
func (c *checker) yields(t types.Type) string {
	s, ok := t.Underlying().(*types.Signature)
	if !ok || s.Params().Len() != 1 || s.Results().Len() != 0 {
		return ""
	}
	yield, ok := s.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok {
		return ""
	}
	for p := range yield.Params().Variables() {
		switch t := p.Type(); {
		case isPointerTo(t, recordPath, "Record"):
			return "record"
		case isPointerTo(t, eventPath, "Event"):
			return "event"
		}
	}
	return ""
}

// survives reports whether a value made in a block still exists when the call that lends memory is
// made again.
func (t *taint) survives(made *ssa.BasicBlock) bool {
	if t.lent == nil || t.lent.Parent() != t.f {
		return false
	}
	at := t.lent.Block()
	return made != at && made.Dominates(at) && inLoop(at, made)
}

// inLoop reports whether b can run again without running the block without in between.
func inLoop(b, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{without: true}
	list := slices.Clone(b.Succs)
	for len(list) > 0 {
		next := list[len(list)-1]
		list = list[:len(list)-1]
		if next == b {
			return true
		}
		if !seen[next] {
			seen[next] = true
			list = append(list, next.Succs...)
		}
	}
	return false
}

// carried reports whether a variable of a loop is read after the call that lends memory is made
// again, while it holds v of the previous call. For lists, see accumulated.
func (t *taint) carried(phi *ssa.Phi, v ssa.Value) bool {
	if t.lent == nil || t.lent.Parent() != t.f || !phi.Block().Dominates(t.lent.Block()) || appended(v) {
		return false
	}
	at := t.lent.Block()
	after := at.Instrs[slices.Index(at.Instrs, ssa.Instruction(t.lent))+1:]
	return reads(phi, at, after) || readsFrom(phi, at.Succs)
}

// readsFrom reports whether one of the blocks, or a later one, reads a variable before it is
// assigned again.
func readsFrom(phi *ssa.Phi, blocks []*ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{phi.Block(): true}
	list := slices.Clone(blocks)
	for len(list) > 0 {
		next := list[len(list)-1]
		list = list[:len(list)-1]
		if seen[next] {
			continue
		}
		seen[next] = true
		if reads(phi, next, next.Instrs) {
			return true
		}
		list = append(list, next.Succs...)
	}
	return false
}

// reads reports whether some instructions of a block, up to its end, read a variable. At its end, a
// block also reads the variable for the variables of following blocks.
func reads(phi *ssa.Phi, b *ssa.BasicBlock, instrs []ssa.Instruction) bool {
	for _, in := range instrs {
		if _, ok := in.(*ssa.Phi); ok {
			continue
		}
		for _, x := range in.Operands(nil) {
			if *x == phi {
				return true
			}
		}
	}
	for _, next := range b.Succs {
		from := slices.Index(next.Preds, b)
		for _, in := range next.Instrs {
			if other, ok := in.(*ssa.Phi); ok && other != phi && other.Edges[from] == phi {
				return true
			}
		}
	}
	return false
}

// appended reports whether a value is the result of appending to a list.
func appended(v ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var is func(v ssa.Value) bool
	is = func(v ssa.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Phi:
			return slices.ContainsFunc(x.Edges, is)
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "append"
		}
		return false
	}
	return is(v)
}

// lengthens reports whether a list is appended to in a variable that still exists when the call
// that lends memory is made again.
func (t *taint) lengthens(s *ssa.Store) bool {
	a, ok := s.Addr.(*ssa.Alloc)
	call, isCall := s.Val.(*ssa.Call)
	if !ok || !isCall || !appended(call) || !t.survives(a.Block()) {
		return false
	}
	load, ok := call.Call.Args[0].(*ssa.UnOp)
	return ok && load.X == a
}

// accumulated returns the variable that holds a longer list when the call that lends memory is made
// again. It returns nil if there is no such variable.
func (t *taint) accumulated(list *ssa.Call) *ssa.Phi {
	if t.lent == nil || t.lent.Parent() != t.f {
		return nil
	}
	seen := map[*ssa.Phi]bool{}
	var find func(v ssa.Value) *ssa.Phi
	find = func(v ssa.Value) *ssa.Phi {
		for _, r := range *v.Referrers() {
			phi, ok := r.(*ssa.Phi)
			if !ok || seen[phi] {
				continue
			}
			seen[phi] = true
			if phi.Block().Dominates(t.lent.Block()) && grows(phi, list) {
				return phi
			}
			if found := find(phi); found != nil {
				return found
			}
		}
		return nil
	}
	return find(list)
}

// grows reports whether a list is appended to the contents of the variable, rather than to the
// start of its memory.
func grows(phi *ssa.Phi, list *ssa.Call) bool {
	seen := map[ssa.Value]bool{}
	var from func(v ssa.Value) bool
	from = func(v ssa.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		switch x := v.(type) {
		case *ssa.Phi:
			return x == phi || slices.ContainsFunc(x.Edges, from)
		case *ssa.Call:
			b, ok := x.Call.Value.(*ssa.Builtin)
			return ok && b.Name() == "append" && from(x.Call.Args[0])
		}
		return false
	}
	return from(list)
}
