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
	reporting bool // emit messages: only the first time that a node is compiled

	out    *[]ir.Stmt // the block that statements go to
	ptr    pointer
	base   offset
	scope  *scope
	slots  int
	bufs   int   // local texts
	active []any // the template, and the subroutines and functions that are in place here
	spent  int   // nodes lowered
	budget int   // nodes that may be
	blocks int   // blocks around
	loops  int   // loops around

	// Slots for state that differs between paths; -1 until allocated.
	ptrSlot, baseSlot, joinSlot, tightSlot, failSlot int

	unchecked bool        // every read lies within an extent checked beforehand
	extent    int64       // bytes that reads at constant offsets need
	checked   int64       // bytes that the event is known to have here
	check     *ir.Require // the check that a later read may widen: no text lies between
	checks    int
	dynamic   bool // a pointer at run time

	fields *fields // of values; nil when only text is wanted

	ended  bool // nothing after an exit is reached
	nested int  // switches, loops and the like around, in the template itself
	failed bool // an $ERROR is in the descriptor
	join   flag // after a label: the next text may need a blank
	tight  flag // setdelim(): no blanks after values
	quoted bool // inside back quotes
	line   int  // slot that counts newlines, for $RELLINENO; -1 without
}

func newLowerer(c *compiler, env Env, data *ir.Field, report bool) *lowerer {
	l := &lowerer{c: c, env: env, data: data, reporting: report, line: -1, budget: min(maxNodes, c.left)}
	l.ptrSlot, l.baseSlot, l.joinSlot, l.tightSlot, l.failSlot = -1, -1, -1, -1, -1
	l.ptr = pointer{delta: int64(8 * env.start()), aligned: true}
	l.checked = int64(env.head())
	return l
}

// stanza compiles a whole template.
func (l *lowerer) stanza(s *grammar.Stanza) []ir.Stmt {
	var body []ir.Stmt
	l.out = &body
	l.active = append(l.active, s)
	l.scope = l.templateScope(s, nil)
	if l.c.stanzaEffects(s).lines {
		l.line = l.slot()
	}
	l.title(l.c.label(s))
	l.nodes(s.Nodes)
	l.bound(body)
	l.c.left -= l.spent
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

func (l *lowerer) nodes(nodes []grammar.Node) {
	for _, n := range nodes {
		if l.ended || l.tooComplex() {
			return
		}
		l.spent++
		l.node(n)
		if l.failed && l.nested == 0 && !l.quoted {
			l.failed = false
			l.emit(&ir.If{Cond: l.local(l.failSlot), Then: []ir.Stmt{&ir.Exit{Reason: ir.Error, At: l.byteAt(0)}}})
		}
	}
}

// Bounds of one template, far above real templates and below the bounds of ir.Check.
const (
	maxBlocks = 400     // blocks within blocks
	maxSlots  = 1 << 15 // local values
)

func (l *lowerer) tooComplex() bool {
	return l.spent >= l.budget || l.blocks > maxBlocks || l.slots > maxSlots || l.bufs > maxSlots
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

// exit ends the template. $ERROR ends it after the descriptor that it is in, an element of the
// template itself (aix.md 3.1, 3.4).
func (l *lowerer) exit(reason ir.ExitReason) {
	if reason == ir.Error && (l.nested > 0 || l.quoted) && !l.c.opts.ErrorAtOnce {
		if l.failSlot < 0 {
			l.failSlot = l.slot()
		}
		l.emit(&ir.Let{Slot: l.failSlot, V: konstU(1)})
		l.failed = true
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
