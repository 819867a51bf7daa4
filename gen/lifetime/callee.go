package lifetime

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// callee returns the function that a call runs, or nil if it is unknown. It also returns the
// arguments, including the receiver. An argument that is bound in another function is nil.
func (t *taint) callee(call *ssa.CallCommon) (*ssa.Function, []ssa.Value) {
	if call.IsInvoke() {
		made, ok := definition(call.Value).(*ssa.MakeInterface)
		if !ok {
			return nil, nil
		}
		fn := t.f.Prog.LookupMethod(made.X.Type(), call.Method.Pkg(), call.Method.Name())
		return fn, append([]ssa.Value{t.here(made.X)}, call.Args...)
	}
	switch d := definition(call.Value).(type) {
	case *ssa.Function:
		return d, call.Args
	case *ssa.MakeClosure:
		fn := d.Fn.(*ssa.Function)
		method, ok := fn.Object().(*types.Func)
		if !ok || method.Signature().Recv() == nil || len(d.Bindings) != 1 {
			return fn, call.Args
		}
		if types.IsInterface(method.Signature().Recv().Type()) {
			return nil, nil
		}
		return t.f.Prog.FuncValue(method), append([]ssa.Value{t.here(d.Bindings[0])}, call.Args...) // a method value
	}
	return nil, nil
}

// here returns a value of this function, or nil for values of other functions.
func (t *taint) here(v ssa.Value) ssa.Value {
	if in, ok := v.(ssa.Instruction); ok && in.Parent() != t.f {
		return nil
	}
	if v.Parent() != nil && v.Parent() != t.f {
		return nil
	}
	return v
}

// definition returns the only value that a variable ever has. The variable may belong to an
// enclosing function. If there is no such value, definition returns v itself.
func definition(v ssa.Value) ssa.Value {
	for range 16 { // literals in literals
		load, ok := v.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			return v
		}
		at := load.X
		for {
			free, ok := at.(*ssa.FreeVar)
			if !ok {
				break
			}
			if at = binding(free); at == nil {
				return v
			}
		}
		a, ok := at.(*ssa.Alloc)
		if !ok {
			return v
		}
		var stored ssa.Value
		for _, r := range *a.Referrers() {
			if s, ok := r.(*ssa.Store); ok && s.Addr == a {
				if stored != nil {
					return v
				}
				stored = s.Val
			}
		}
		if stored == nil {
			return v
		}
		v = stored
	}
	return v
}

// binding returns the variable that a function literal knows as v, or nil if it is not found.
func binding(v *ssa.FreeVar) ssa.Value {
	f := v.Parent()
	if f == nil || f.Parent() == nil {
		return nil
	}
	for _, b := range f.Parent().Blocks {
		for _, in := range b.Instrs {
			made, ok := in.(*ssa.MakeClosure)
			if !ok || made.Fn != f {
				continue
			}
			for i, free := range f.FreeVars {
				if free == v {
					return made.Bindings[i]
				}
			}
		}
	}
	return nil
}
