package trcfmt

import (
	"strings"

	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// lowerer compiles one template for one environment.
type lowerer struct {
	c         *compiler
	env       Env
	data      *ir.Field
	reporting bool // say things: once per template, not once per environment

	out   *[]ir.Stmt // the block that statements go to
	ptr   pointer
	base  ir.Value // $BASEPOINTER in bytes, nil for 0
	scope *scope
	slots int
	bufs  int // local texts
	depth int // of subroutines and functions
	spent int // nodes lowered

	unchecked bool        // every read lies within an extent checked beforehand
	extent    int64       // bytes that reads at constant offsets need
	checked   int64       // bytes that the event is known to have here
	check     *ir.Require // the check that a later read may widen: no text lies between
	checks    int
	dynamic   bool // a pointer at run time

	fields *fields // of values; nil when only text is wanted

	ended  bool // nothing behind an exit is reached
	join   bool // a label stands before: the next text may need a blank
	tight  bool // setdelim(): no blanks behind values
	quoted bool // inside back quotes
	line   int  // slot that counts newlines, for $RELLINENO; -1 without
}

func newLowerer(c *compiler, env Env, data *ir.Field, report bool) *lowerer {
	l := &lowerer{c: c, env: env, data: data, reporting: report, scope: newScope(nil), line: -1}
	l.ptr = pointer{delta: int64(8 * env.start()), aligned: true}
	l.checked = int64(env.head())
	return l
}

// stanza compiles a whole template.
func (l *lowerer) stanza(s *grammar.Stanza) []ir.Stmt {
	var body []ir.Stmt
	l.out = &body
	l.scope.declare(l, s.Nodes)
	if uses(s.Nodes, "RELLINENO") {
		l.line = l.slot()
	}
	if text, hidden := label(s); !hidden {
		l.text(text)
		l.join = !l.c.opts.NoLabelBlank
	}
	l.nodes(s.Nodes)
	return body
}

func (l *lowerer) slot() int {
	l.slots++
	return l.slots - 1
}

func (l *lowerer) buffers() int {
	l.bufs++
	return l.bufs - 1
}

func (l *lowerer) emit(s ir.Stmt) { *l.out = append(*l.out, s) }

// put emits a statement that prints: what was read before it stays printed when a later read fails. first is the
// first character of the text when it is known, else 0.
func (l *lowerer) put(s ir.Stmt, first byte) {
	if l.join && first != ' ' && first != '\n' && first != '\t' {
		l.emit(&ir.Lit{S: " "})
	}
	l.join = false
	l.check = nil
	l.emit(s)
}

func (l *lowerer) text(s string) {
	if s != "" {
		l.put(&ir.Lit{S: s}, s[0])
	}
}

// blank ends a value, unless it stands in back quotes or the template asked for none.
func (l *lowerer) blank() {
	if !l.quoted && !l.tight {
		l.text(" ")
	}
}

func (l *lowerer) nodes(nodes []grammar.Node) {
	for _, n := range nodes {
		if l.ended {
			return
		}
		if l.spent++; l.spent > maxNodes {
			return
		}
		l.node(n)
	}
}

func (l *lowerer) node(n grammar.Node) {
	switch n := n.(type) {
	case *grammar.String:
		l.fields.note(n.Value, false)
		l.text(n.Value)
	case *grammar.Word:
		l.fields.note(n.Value, n.Blank)
		l.text(n.Value)
		if n.Blank {
			l.text(" ")
		}
	case *grammar.Newline:
		l.fields.forget()
		l.put(&ir.Lit{S: "\n"}, '\n')
		if l.line >= 0 {
			l.emit(&ir.Let{Slot: l.line, V: l.add(l.local(l.line), konstU(1))})
		}
	case *grammar.Tab:
		l.put(&ir.Lit{S: "\t"}, '\t')
	case *grammar.BackQuote:
		outer := l.quoted
		l.quoted = true
		l.nodes(n.Nodes)
		l.quoted = outer
	case *grammar.Code:
		l.code(n)
	case *grammar.Macro:
		l.macro(n)
	case *grammar.Switch:
		l.choice(n)
	case *grammar.Loop:
		l.loop(n)
	case *grammar.BitFlags:
		l.bitFlags(n)
	case *grammar.Assign:
		l.assign(n)
	case *grammar.Call:
		l.call(n)
	case *grammar.Sub:
		l.subroutine(n)
	case *grammar.Bad:
		l.exit(ir.Error)
	}
}

// exit ends the template.
func (l *lowerer) exit(reason ir.ExitReason) {
	l.emit(&ir.Exit{Reason: reason, At: l.byteAt(0)})
	l.ended = true
}

// subroutine puts the template of another hook in place (aix.md 3.5): the pointer is shared, and its n-th declared
// macro is the n-th of the caller.
func (l *lowerer) subroutine(n *grammar.Sub) {
	s := l.c.stanzas[n.Hook.Value]
	if s == nil {
		l.say(n.Pos, diag.Warning, "unknown-template", "there is no template %s", n.Hook.Text)
		return
	}
	l.inline(n, s)
}

// maxDepth is how deep subroutines nest: ten levels (aix.md 3.5).
const maxDepth = 10

func (l *lowerer) inline(at grammar.Node, s *grammar.Stanza) {
	if l.depth >= maxDepth {
		l.say(at.Position(), diag.Warning, "too-deep", "template %s is called more than %d levels deep", s.Hook.Text, maxDepth)
		return
	}
	l.depth++
	defer l.fields.enter(at, s.Hook.Text)()
	outer := l.scope
	l.scope = outer.callee(l, s.Nodes)
	if text, hidden := label(s); !hidden {
		l.text(text)
		l.join = !l.c.opts.NoLabelBlank
	}
	l.nodes(s.Nodes)
	l.scope = outer
	l.depth--
}

// call compiles a function of the file in place, or a call of a built-in one.
func (l *lowerer) call(n *grammar.Call) {
	if f := l.c.functions[n.Name]; f != nil {
		l.function(n, f)
		return
	}
	var args []ir.Arg
	for _, a := range n.Args {
		args = append(args, l.keep(l.expr(a)))
	}
	switch {
	case n.Name == "setdelim":
		l.tight = true
	case n.Name == "starttimer" && len(args) == 2:
		l.emit(&ir.PutText{T: &ir.Call{Name: "StartTimer", Args: args}, Spec: plain})
		l.check = nil
	case n.Name == "endtimer" && len(args) == 2:
		l.put(&ir.PutText{T: &ir.Call{Name: "EndTimer", Args: args}, Spec: plain}, 0)
	case grammar.IsTimer(n.Name):
		l.say(n.Pos, diag.Warning, "arguments", "%s takes two arguments", n.Name)
	case len(args) > 3:
		l.say(n.Pos, diag.Warning, "arguments", "%s: no built-in function takes %d arguments", n.Name, len(args))
	default:
		name := [...]string{"HookCall0", "HookCall1", "HookCall2", "HookCall3"}[len(args)]
		args = append([]ir.Arg{ir.StrArg(n.Name)}, args...)
		l.put(&ir.PutText{T: &ir.Call{Name: name, Args: args}, Spec: plain}, 0)
	}
}

func (l *lowerer) function(n *grammar.Call, f *grammar.FuncDef) {
	if l.depth >= maxDepth {
		l.say(n.Pos, diag.Warning, "too-deep", "function %s is called more than %d levels deep", f.Name, maxDepth)
		return
	}
	if len(n.Args) != len(f.Params) {
		l.say(n.Pos, diag.Warning, "arguments", "%s takes %d arguments, not %d", f.Name, len(f.Params), len(n.Args))
	}
	inner := newScope(l.scope)
	for i, name := range f.Params {
		v := ir.Value(konstU(0))
		if i < len(n.Args) {
			v = l.expr(n.Args[i])
		}
		slot := l.slot()
		l.emit(&ir.Let{Slot: slot, V: l.toU64(v)})
		inner.vars[name] = slot
	}
	l.depth++
	defer l.fields.enter(n, f.Name)()
	outer := l.scope
	l.scope = inner
	l.nodes(f.Body)
	l.scope = outer
	l.depth--
}

var plain = ir.Spec{Verb: 's', Prec: -1}

// uses says whether a template mentions the macro $name.
func uses(nodes []grammar.Node, name string) bool {
	found := false
	walk(nodes, func(n grammar.Node) {
		if m, ok := n.(*grammar.Macro); ok && strings.EqualFold(m.Name, name) && m.Name == name {
			found = true
		}
	})
	return found
}

// walk visits nodes and what they hold, in the order of the text. Bodies of functions are not part of the template.
func walk(nodes []grammar.Node, visit func(grammar.Node)) {
	for _, n := range nodes {
		visit(n)
		switch n := n.(type) {
		case *grammar.BackQuote:
			walk(n.Nodes, visit)
		case *grammar.Switch:
			visit(n.Subject)
			for _, c := range n.Cases {
				walk(c.Body, visit)
			}
		case *grammar.Loop:
			visit(n.Subject)
			walk(n.Body, visit)
		case *grammar.BitFlags:
			visit(n.Subject)
		case *grammar.Assign:
			walkExpr(n.Value, visit)
		case *grammar.Call:
			for _, a := range n.Args {
				walkExpr(a, visit)
			}
		}
	}
}

func walkExpr(e *grammar.Expr, visit func(grammar.Node)) {
	if e == nil {
		return
	}
	walk([]grammar.Node{e.First}, visit)
	for _, o := range e.Rest {
		walk([]grammar.Node{o.X}, visit)
	}
}
