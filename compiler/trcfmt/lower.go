package trcfmt

import (
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// lowerer compiles one template for one environment.
type lowerer struct {
	c         *compiler
	env       Env
	data      *ir.Field
	reporting bool    // emit messages: only the first time that a node is compiled
	fields    *fields // nil if only the text is needed

	out *[]ir.Stmt // the block that receives statements
	state
	frame  frame
	active []any // the template, and the subroutines and functions in place here
	loops  int   // number of enclosing loops
	quoted bool  // inside back quotes
	line   int   // slot that counts newlines, for $RELLINENO; -1 without

	locals locals
	checks checks
	work   work
}

// frame is the state of a template, or of the subroutine that is in its place.
type frame struct {
	scope    *scope
	nested   int  // number of enclosing switches, loops and similar elements in the template itself
	failed   bool // an $ERROR is in the descriptor
	failSlot int  // holds whether $ERROR was reached; -1 until allocated
}

// locals numbers the local values and texts of an event. The named slots hold state that differs
// between paths; they are -1 until allocated.
type locals struct {
	values, texts          int
	ptr, base, join, tight int
}

func (l *locals) value() int {
	l.values++
	return l.values - 1
}

func (l *locals) text() int {
	l.texts++
	return l.texts - 1
}

// checks holds the state of the statements that end the template if an event ends too early.
type checks struct {
	none    bool        // an earlier check covers every read
	extent  int64       // bytes that reads at constant offsets need
	last    *ir.Require // the check that a later read may widen: no text lies between
	count   int
	dynamic bool // some places are known at run time only
}

// work limits the cost of subroutines and functions in place.
type work struct {
	spent  int // nodes lowered
	budget int // maximum of spent
	blocks int // number of enclosing blocks
}

func newLowerer(c *compiler, env Env, data *ir.Field, report bool) *lowerer {
	l := &lowerer{c: c, env: env, data: data, reporting: report, line: -1, work: work{budget: min(maxNodes, c.left)}}
	l.locals = locals{ptr: -1, base: -1, join: -1, tight: -1}
	l.state = state{ptr: pointer{delta: int64(8 * env.start()), aligned: true}, checked: int64(env.head())}
	return l
}

// stanza compiles a whole template.
func (l *lowerer) stanza(s *grammar.Stanza) []ir.Stmt {
	var body []ir.Stmt
	l.out = &body
	l.active = append(l.active, s)
	l.frame = frame{scope: l.templateScope(s, nil), failSlot: -1}
	if l.c.stanzaEffects(s).lines {
		l.line = l.locals.value()
	}
	l.title(l.c.label(s))
	l.nodes(s.Nodes)
	l.bound(body)
	l.c.left -= l.work.spent
	return body
}

func (l *lowerer) emit(s ir.Stmt) { *l.out = append(*l.out, s) }

func (l *lowerer) nodes(nodes []grammar.Node) {
	for _, n := range nodes {
		if l.ended || l.tooComplex() {
			return
		}
		l.work.spent++
		l.node(n)
		if l.frame.failed && l.frame.nested == 0 && !l.quoted {
			l.frame.failed = false
			l.emit(&ir.If{Cond: l.local(l.frame.failSlot),
				Then: []ir.Stmt{&ir.Exit{Reason: ir.Error, At: l.byteAt(0)}}})
		}
	}
}

// Bounds of one template, far above real templates and below the bounds of ir.Check.
const (
	maxBlocks = 400     // blocks within blocks
	maxSlots  = 1 << 15 // local values
)

func (l *lowerer) tooComplex() bool {
	return l.work.spent >= l.work.budget || l.work.blocks > maxBlocks ||
		l.locals.values > maxSlots || l.locals.texts > maxSlots
}

func (l *lowerer) node(n grammar.Node) {
	switch n := n.(type) {
	case *grammar.String:
		text := n.Value
		if !l.quoted { // back quotes have escapes of their own
			text = l.c.opts.unquote(text)
		}
		l.fields.note(text, false)
		l.text(text)
	case *grammar.Word:
		l.fields.note(n.Value, n.Blank)
		l.text(n.Value)
		if n.Blank {
			l.text(" ")
		}
	case *grammar.Newline:
		l.fields.forget()
		l.text("\n")
	case *grammar.Tab:
		l.text("\t")
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
		l.emit(&ir.Exit{Reason: ir.Error, At: l.byteAt(0)})
		l.ended = true
	}
}

// exit ends the template. $ERROR ends it after the enclosing descriptor, which is an element of the
// template itself (aix.md 3.1, 3.4).
func (l *lowerer) exit(reason ir.ExitReason) {
	if reason == ir.Error && (l.frame.nested > 0 || l.quoted) && !l.c.opts.ErrorAtOnce {
		if l.frame.failSlot < 0 {
			l.frame.failSlot = l.locals.value()
		}
		l.emit(&ir.Let{Slot: l.frame.failSlot, V: konstU(1)})
		l.frame.failed = true
		return
	}
	l.emit(&ir.Exit{Reason: reason, At: l.byteAt(0)})
	l.ended = true
}

var plain = ir.Spec{Verb: 's', Prec: -1}

// walk visits nodes and their children, in the order of the text. Bodies of functions are not part
// of the template.
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
