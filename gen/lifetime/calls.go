package lifetime

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// effects describe how a function uses the memory to which its parameters lead. They are a fact of
// the function for the packages that call it.
type effects struct {
	Params []effect
	Fresh  bool   // its results are memory that it has allocated
	Lent   string // kind of its result if that is valid until the next call: record or event
}

// AFact implements analysis.Fact.
func (*effects) AFact() {}

// effect describes the fate of one parameter. It may be nil.
type effect struct {
	Kept     string // where; empty if nowhere
	Into     []int  // parameters that lead to the memory after the call
	Free     []int  // for a function literal: enclosing variables that lead to the memory after the call
	Returned bool
	View     bool // the result is a string that was not copied
}

// effectsOf returns the effects of a function, or nil if they are unknown.
func (c *checker) effectsOf(f *ssa.Function) *effects {
	if origin := f.Origin(); origin != nil { // of all instances
		f = origin
	}
	if e, ok := c.done[f]; ok {
		return e
	}
	if f.Pkg == nil || f.Pkg.Pkg != c.pass.Pkg || f.Blocks == nil {
		obj, ok := f.Object().(*types.Func)
		var e effects
		if ok && obj.Pkg() != c.pass.Pkg && c.pass.ImportObjectFact(obj, &e) {
			c.done[f] = &e
			return &e
		}
		c.done[f] = nil
		return nil
	}
	e := &effects{Params: make([]effect, len(f.Params))}
	c.done[f] = e // for recursive calls: no effects yet
	for i, p := range f.Params {
		if !pointers(p.Type()) {
			continue
		}
		t := newTaint(c, f)
		t.keep = func(_ token.Pos, where string) { e.Params[i].Kept = where }
		t.into = func(_ token.Pos, param int, _ string) {
			if param != i && !slices.Contains(e.Params[i].Into, param) {
				e.Params[i].Into = append(e.Params[i].Into, param)
			}
		}
		t.free = func(v *ssa.FreeVar, where string) {
			n := slices.Index(f.FreeVars, v)
			if n < 0 { // of a literal inside the literal
				e.Params[i].Kept = where
			} else if !slices.Contains(e.Params[i].Free, n) {
				e.Params[i].Free = append(e.Params[i].Free, n)
			}
		}
		t.returns = func(v ssa.Value) {
			e.Params[i].Returned = true
			e.Params[i].View = e.Params[i].View || isString(v.Type())
		}
		t.add(p)
		t.run()
	}
	e.Fresh, e.Lent = c.fresh(f), c.lentBy(f)
	return e
}

// fresh reports whether a function returns only memory that it has allocated.
func (c *checker) fresh(f *ssa.Function) bool {
	t := newTaint(c, f)
	found := false
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			r, ok := in.(*ssa.Return)
			if !ok {
				continue
			}
			for _, v := range r.Results {
				if pointers(v.Type()) {
					found = true
					if t.originOf(v).kind != local {
						return false
					}
				}
			}
		}
	}
	return found
}

// call follows a marked value into a call. result is nil if the result is not used.
func (t *taint) call(v ssa.Value, call *ssa.CallCommon, result *ssa.Call) {
	if b, ok := call.Value.(*ssa.Builtin); ok {
		t.builtin(v, b.Name(), call, result)
		return
	}
	fn, args := t.callee(call)
	if fn == nil {
		if call.IsInvoke() && call.Value == v && result != nil && t.value[v] {
			t.add(result)
		}
		return
	}
	if e := t.c.effectsOf(fn); e != nil {
		t.known(v, fn, e, args, call, result)
		return
	}
	if !call.IsInvoke() {
		t.unknown(v, fn, call, result)
	}
}

// known follows a value into a function that has been analyzed.
func (t *taint) known(
	v ssa.Value, fn *ssa.Function, e *effects, args []ssa.Value, call *ssa.CallCommon, result *ssa.Call,
) {
	name := fn.Name()
	if fn.Parent() != nil {
		name = "a function literal"
	}
	for i, arg := range args {
		if arg != v || i >= len(e.Params) {
			continue
		}
		p := e.Params[i]
		if p.Kept != "" {
			t.keep(call.Pos(), "by "+name+", "+p.Kept)
		}
		for _, to := range slices.Clone(p.Into) { // a recursive call adds to it
			if args[to] == nil {
				t.keep(call.Pos(), "by "+name)
				continue
			}
			t.reach(call.Pos(), args[to])
		}
		for _, to := range slices.Clone(p.Free) {
			if made, ok := call.Value.(*ssa.MakeClosure); ok {
				t.reach(call.Pos(), made.Bindings[to])
			} else if x, ok := base(call.Value).(*ssa.FreeVar); !ok || !t.own[x] {
				t.keep(call.Pos(), "by "+name+", in variable "+fn.FreeVars[to].Name())
			}
		}
		if p.Returned && result != nil {
			t.add(result)
		}
		if p.View && result != nil && isString(result.Type()) {
			t.view(result)
		}
	}
}

// reach notes that a value leads to marked memory from now on.
func (t *taint) reach(pos token.Pos, v ssa.Value) {
	switch o := t.originOf(v); o.kind {
	case local:
		if o.alloc != nil {
			t.fill(o.alloc, whole)
		}
	case ofArg:
		if !t.value[t.f.Params[o.param]] {
			t.into(pos, o.param, o.words(v))
		}
	default:
		t.lose(pos, o, o.words(v))
	}
}

// unknown follows a value into a function of Go's own library, of tracec, or of a package that does
// not know tracec.
func (t *taint) unknown(v ssa.Value, fn *ssa.Function, call *ssa.CallCommon, result *ssa.Call) {
	if fn.Pkg == nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn.Pkg == nil {
		return
	}
	name := fullName(fn)
	method := fn.Signature.Recv() != nil
	switch {
	case keepers[name]:
		for i, arg := range call.Args {
			if arg == v && (i > 0 || !method) {
				t.reach(call.Pos(), call.Args[0])
			}
		}
	case later[name]:
		t.keep(call.Pos(), "by a function that runs later")
	case result == nil:
	case standard(fn.Pkg.Pkg):
		if views[name] {
			t.part(v, result)
		}
	case appends(fn):
		if at := fn.Signature.Params().Len(); len(call.Args) > 0 && call.Args[len(call.Args)-at] == v { // dst
			t.add(result)
		}
	case method && len(call.Args) > 0 && call.Args[0] == v, !method && strings.HasPrefix(fn.Pkg.Pkg.Path(), module):
		t.add(result) // a part of the record
	}
}

// appends reports whether a function appends to its first parameter and returns it.
func appends(fn *ssa.Function) bool {
	p, r := fn.Signature.Params(), fn.Signature.Results()
	return p.Len() > 0 && r.Len() > 0 && types.Identical(p.At(0).Type(), r.At(0).Type()) &&
		(p.At(0).Name() == "dst" || strings.HasPrefix(fn.Name(), "Append"))
}

// builtin follows a value into append and similar functions.
func (t *taint) builtin(v ssa.Value, name string, call *ssa.CallCommon, result *ssa.Call) {
	switch name {
	case "append":
		if result == nil {
			return
		}
		s, ok := call.Args[0].Type().Underlying().(*types.Slice)
		if call.Args[0] == v || ok && pointers(s.Elem()) {
			if list := t.accumulated(result); list != nil {
				t.keep(result.Pos(), "in variable "+list.Comment)
			}
			t.add(result)
		}
	case "copy":
		if s, ok := call.Args[0].Type().Underlying().(*types.Slice); ok && call.Args[1] == v && pointers(s.Elem()) {
			t.reach(call.Pos(), call.Args[0])
		}
	case "String":
		if result != nil {
			t.view(result)
		}
	case "SliceData", "Slice", "StringData", "Add":
		if result != nil {
			t.add(result)
		}
	}
}

// fullName returns pkg.Func or pkg.Type.Method.
func fullName(fn *ssa.Function) string {
	name := fn.Name()
	if recv := fn.Signature.Recv(); recv != nil {
		r := recv.Type()
		if p, ok := r.(*types.Pointer); ok {
			r = p.Elem()
		}
		if n, ok := r.(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	return fn.Pkg.Pkg.Path() + "." + name
}
