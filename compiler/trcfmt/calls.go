package trcfmt

import (
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// maxDepth is the maximum depth of subroutines: ten levels (aix.md 3.5). Functions also count.
const maxDepth = 10

// defaultHook is the template that $DEFAULT runs: 008.
const defaultHook = 0x0080

// enter begins a subroutine or function, unless it is recursive or too deep.
func (l *lowerer) enter(at, callee any, n grammar.Node, name string) bool {
	switch {
	case slices.Contains(l.active, callee):
		l.say(n.Position(), diag.Error, "recursion", "%s calls itself", name)
	case len(l.active) > maxDepth: // the template itself is the first
		l.say(n.Position(), diag.Error, "too-deep", "%s is called more than %d levels deep", name, maxDepth)
	default:
		l.active = append(l.active, callee)
		return true
	}
	return false
}

func (l *lowerer) leave() { l.active = l.active[:len(l.active)-1] }

// subroutine puts the template of another hook in place (aix.md 3.5).
func (l *lowerer) subroutine(n *grammar.Sub) {
	s := l.c.stanzas[n.Hook.Value]
	if s == nil {
		l.say(n.Pos, diag.Warning, "unknown-template", "no template %s: nothing is printed for it",
			n.Hook.Text)
		return
	}
	l.inline(n, s)
}

// inline compiles a template in place. The pointer is shared, and its n-th declared macro is the
// n-th macro of the caller. The level of the template has no effect (aix.md 4.13).
func (l *lowerer) inline(at grammar.Node, s *grammar.Stanza) {
	if !l.enter(at, s, at, "template "+s.Hook.Text) {
		return
	}
	defer l.leave()
	defer l.fields.enter(at, s.Hook.Text)()
	outer := l.frame
	l.frame = frame{scope: l.templateScope(s, outer.scope), failSlot: -1}
	l.title(l.c.label(s))
	l.nodes(s.Nodes)
	l.frame = outer
}

// silent are the built-in functions that print nothing: they count interrupts, or set the separator
// of values.
var silent = map[string]bool{"flih": true, "resume": true, "starttimer": true}

// call compiles a function of the file in place, or a call of a built-in function.
func (l *lowerer) call(n *grammar.Call) {
	if f := l.c.functions[n.Name]; f != nil {
		l.function(n, f)
		return
	}
	var args []ir.Arg
	for i, a := range n.Args {
		v := l.toU64(l.expr(a))
		if l.ptr.local || slices.ContainsFunc(n.Args[i+1:], calls) { // they may change it
			v = l.keep(v)
		}
		args = append(args, v)
	}
	var call *ir.Call
	switch {
	case n.Name == "setdelim":
		l.tight = raised
		return
	case n.Name == "starttimer" && len(args) == 2:
		call = &ir.Call{Name: "StartTimer", Args: args}
	case n.Name == "endtimer" && len(args) == 2:
		call = &ir.Call{Name: "EndTimer", Args: args}
	case grammar.IsTimer(n.Name):
		l.say(n.Pos, diag.Warning, "arguments", "%s takes two arguments", n.Name)
		return
	case len(args) > 3:
		l.say(n.Pos, diag.Warning, "arguments", "%s: no built-in function takes %d arguments", n.Name, len(args))
		return
	default:
		name := [...]string{"HookCall0", "HookCall1", "HookCall2", "HookCall3"}[len(args)]
		call = &ir.Call{Name: name, Args: append([]ir.Arg{ir.StrArg(n.Name)}, args...)}
	}
	s := &ir.PutText{T: call, Spec: plain}
	if silent[n.Name] {
		l.out2(s)
		return
	}
	// It is not known before the call whether the function prints, so the blank is put in any case.
	l.put(s, '0')
}

// calls reports whether an expression calls a function.
func calls(e *grammar.Expr) bool {
	isCall := func(n grammar.Node) bool { _, ok := n.(*grammar.Call); return ok }
	return isCall(e.First) || slices.ContainsFunc(e.Rest, func(o grammar.Operation) bool { return isCall(o.X) })
}

// function compiles a function of the file in place. Its parameters are values. Other macros belong
// to the template.
func (l *lowerer) function(n *grammar.Call, f *grammar.FuncDef) {
	if len(n.Args) != len(f.Params) {
		l.say(n.Pos, diag.Warning, "arguments", "%s takes %d arguments, not %d: missing ones are 0", f.Name,
			len(f.Params), len(n.Args))
	}
	if !l.enter(n, f, n, "function "+f.Name) {
		return
	}
	defer l.leave()
	inner := l.frame.scope.functionScope()
	for i, a := range n.Args {
		slot := l.locals.value()
		l.emit(&ir.Let{Slot: slot, V: l.toU64(l.expr(a))})
		if i < len(f.Params) {
			inner.vars[f.Params[i]] = slot
		}
	}
	for _, name := range f.Params {
		if _, ok := inner.vars[name]; !ok {
			inner.vars[name] = l.locals.value()
			l.clear(inner.vars[name])
		}
	}
	defer l.fields.enter(n, f.Name)()
	outer := l.frame.scope
	l.frame.scope = inner
	l.frame.nested++
	l.nodes(f.Body)
	l.frame.nested--
	l.frame.scope = outer
}

// clear empties a slot that may hold an old value, inside a loop.
func (l *lowerer) clear(slot int) {
	if l.loops > 0 {
		l.emit(&ir.Let{Slot: slot, V: konstU(0)})
	}
}
