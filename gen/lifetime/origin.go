package lifetime

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// origin is the place of memory, which determines its lifetime.
type origin struct {
	kind  originKind
	param int        // of a parameter
	alloc *ssa.Alloc // of a local variable
	free  *ssa.FreeVar
}

type originKind uint8

// The kinds, from the shortest life to the longest.
const (
	local  originKind = iota // of the function
	ofArg                    // memory to which a parameter leads
	outer                    // a variable of an enclosing function, or memory to which it leads
	global                   // of a package
	called                   // the result of a function with unknown effects
)

// words describes the place where memory is kept.
func (o origin) words(v ssa.Value) string {
	switch o.kind {
	case global:
		return "in the package's variable " + nameOf(v)
	case ofArg:
		return "in what parameter " + nameOf(v) + " leads to"
	case called:
		return "in memory from elsewhere"
	}
	name := nameOf(v)
	if name == "" {
		return "as a result"
	}
	return "in variable " + name
}

// nameOf returns the name of the variable at an address, or the variable through which the address
// leads.
func nameOf(v ssa.Value) string {
	switch v := base(v).(type) {
	case *ssa.Global:
		return v.Name()
	case *ssa.FreeVar:
		return v.Name()
	case *ssa.Parameter:
		return v.Name()
	case *ssa.Alloc:
		return v.Comment
	}
	return ""
}

// base returns the value from which an address or a value was made. It does not look into
// variables.
func base(v ssa.Value) ssa.Value {
	for {
		from := step(v)
		if from == nil {
			return v
		}
		v = from
	}
}

// step returns the value from which a value was made, one step back. It returns nil if the value is
// not a part or form of another one.
func step(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return x.X
		}
	case *ssa.FieldAddr:
		return x.X
	case *ssa.IndexAddr:
		return x.X
	case *ssa.Field:
		return x.X
	case *ssa.Index:
		return x.X
	case *ssa.Slice:
		return x.X
	case *ssa.Lookup:
		return x.X
	case *ssa.ChangeType:
		return x.X
	case *ssa.MakeInterface:
		return x.X
	case *ssa.TypeAssert:
		return x.X
	case *ssa.Convert:
		return x.X
	case *ssa.Extract:
		return x.Tuple
	}
	return nil
}

// originOf returns the origin of the memory that a value is, or to which it points.
func (t *taint) originOf(v ssa.Value) origin { return t.origin(v, map[ssa.Value]bool{}) }

func (t *taint) origin(v ssa.Value, seen map[ssa.Value]bool) origin {
	if seen[v] {
		return origin{}
	}
	seen[v] = true
	switch x := v.(type) {
	case *ssa.Global:
		return origin{kind: global}
	case *ssa.FreeVar:
		if t.own[x] {
			return origin{}
		}
		return origin{kind: outer, free: x}
	case *ssa.Parameter:
		for i, p := range t.f.Params {
			if p == x {
				return origin{kind: ofArg, param: i}
			}
		}
		return origin{kind: outer}
	case *ssa.Alloc:
		return origin{alloc: x}
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan, *ssa.MakeClosure, *ssa.Const, *ssa.Function:
		return origin{}
	case *ssa.Call:
		return t.originOfCall(x, seen)
	case *ssa.Phi:
		return t.longest(x.Edges, seen)
	case *ssa.UnOp:
		if x.Op == token.MUL {
			return t.originOfLoad(x, seen)
		}
	}
	if from := step(v); from != nil {
		return t.origin(from, seen)
	}
	return origin{kind: called}
}

// originOfLoad returns the origin of a variable's contents. For a local variable these are the
// stored values.
func (t *taint) originOfLoad(x *ssa.UnOp, seen map[ssa.Value]bool) origin {
	at := t.origin(x.X, seen)
	if at.kind != local || at.alloc == nil {
		return at
	}
	var stored []ssa.Value
	for _, r := range *at.alloc.Referrers() {
		if s, ok := r.(*ssa.Store); ok && s.Addr == at.alloc {
			stored = append(stored, s.Val)
		}
	}
	return t.longest(stored, seen)
}

func (t *taint) longest(values []ssa.Value, seen map[ssa.Value]bool) (o origin) {
	for _, v := range values {
		if x := t.origin(v, seen); x.kind > o.kind {
			o = x
		}
	}
	return o
}

// originOfCall returns local for results that the function has allocated.
func (t *taint) originOfCall(x *ssa.Call, seen map[ssa.Value]bool) origin {
	if b, ok := x.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" {
			return t.origin(x.Call.Args[0], seen)
		}
		return origin{}
	}
	if fn := x.Call.StaticCallee(); fn != nil {
		if e := t.c.effectsOf(fn); e != nil && e.Fresh {
			return origin{}
		}
		if fn.Pkg != nil && standard(fn.Pkg.Pkg) && makes(fn) {
			return origin{}
		}
	}
	return origin{kind: called}
}

// pointers reports whether values of a type lead to memory that records may own. Strings are
// copies. Errors stay valid. So do objects of the recording, such as symbols, markers and types of
// events.
func pointers(t types.Type) bool { return leads(t, map[types.Type]bool{}) }

// stays reports whether a type is a pointer to an object that lives as long as the recording. Such
// a type belongs to the runtime or to package tracec and is not a part of a record.
func stays(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path := n.Obj().Pkg().Path()
	if !strings.HasPrefix(path, module+"runtime/") && path != eventPath {
		return false
	}
	switch n.Obj().Name() {
	case "Record", "Entry", "Batch", "None":
		return false
	case "Event", "Value":
		return path != eventPath
	}
	return true
}

func isError(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == nil && n.Obj().Name() == "error"
}

func leads(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if isError(t) || stays(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Array:
		return leads(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if leads(u.Field(i).Type(), seen) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for i := range u.Len() {
			if leads(u.At(i).Type(), seen) {
				return true
			}
		}
		return false
	}
	return true
}
