package trcfmt

import (
	"strings"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// subject reads the subject of a SWITCH, LOOP or BITFLAGS: a code, which consumes data, or a macro.
// The number is kept in a slot, since the pointer moves on before the number is used.
func (l *lowerer) subject(n grammar.Node) datum {
	switch n := n.(type) {
	case *grammar.Code:
		if l.seek(n) {
			return datum{v: konstU(0)}
		}
		d, move := l.reads(n)
		l.consume(n, d)
		l.comparable(&d, n)
		l.holdText(&d, n)
		move()
		return d
	case *grammar.Macro:
		if n.Cast != nil && n.Cast.Letter == 'S' {
			r, move := l.counted(n)
			l.consumeText(n, r)
			d := datum{text: &ir.CString{Of: r}}
			l.holdText(&d, n.Cast)
			move()
			return d
		}
		v := l.value(n)
		if n.Cast != nil {
			cast, text := l.cast(v, n.Cast)
			l.consumeWord(n, cast)
			d := datum{v: l.toU64(cast)}
			if comparesText(n.Cast) {
				d.text = text
			}
			return d
		}
		if f, ok := facts[n.Name]; ok && f.text {
			return datum{v: v, text: &ir.FactText{ID: ir.FactID(f.id)}}
		}
		l.consumeWord(n, v)
		return datum{v: v}
	}
	return datum{v: konstU(0)}
}

// comparesText reports whether the values of a switch over c are texts. This holds for codes that
// print no digits (aix.md 4.4).
func comparesText(c *grammar.Code) bool { return strings.IndexByte("ASEPTF", c.Letter) >= 0 }

// comparable converts the datum of a code for switches and expressions: to a text, or to the
// printed number. Data of more than 8 bytes becomes both, with its last 8 bytes as the number.
func (l *lowerer) comparable(d *datum, c *grammar.Code) {
	wide := c.Letter == 'X' && l.bytes(c) > 8
	if wide {
		d.v = &ir.Load{T: ir.U64, From: l.record(), At: l.byteAt(int64(8 * (l.bytes(c) - 8)))}
	}
	if d.v != nil {
		if l.ptr.local {
			d.v = l.keep(d.v)
		}
		d.v = l.toU64(d.v)
	}
	switch {
	case strings.IndexByte("ETPF", c.Letter) >= 0:
		d.text = l.named(c.Letter, d.v, l.bytes(c))
	case c.Letter == 'B' || c.Letter == 'X' && !wide:
		d.text = nil
	}
}

// holdText keeps a string that is read at a moving pointer: the buffer slot holds its bytes.
func (l *lowerer) holdText(d *datum, c *grammar.Code) {
	cs, ok := d.text.(*ir.CString)
	if !ok || c.Letter != 'S' && !l.ptr.local {
		return
	}
	slot := l.locals.text()
	l.emit(&ir.LetBytes{Slot: slot, V: cs.Of})
	d.text = &ir.CString{Of: &ir.LocalBytes{Slot: slot}}
}

// choice compiles a SWITCH: the first case that matches, if any (aix.md 3.5).
func (l *lowerer) choice(n *grammar.Switch) {
	l.frame.nested++
	defer func() { l.frame.nested-- }()
	l.fields.hint(n)
	before := l.handed()
	d := l.subject(n.Subject)
	label := l.fields.pending()
	defer l.fields.forget()
	matches := l.matches(n, d)
	if n.Mask == nil && d.text == nil {
		l.nameValue(before, ir.Enum{Func: "ValueName", Table: &ir.Table{Rows: l.caseNames(n, matches)}})
	}
	if n.Mask != nil {
		if d.v == nil {
			l.say(n.Pos, diag.Warning, "text-value", "a text has no bits to mask: 0 is used")
			d.v = konstU(0)
		}
		d = datum{v: l.fold(&ir.Binary{Op: ir.OpAnd, X: l.toU64(d.v), Y: konstU(maskValue(n.Mask))})}
	}
	kept, all := l.reachable(n, matches, d.text != nil)
	if c, ok := d.v.(*ir.Const); ok && d.text == nil {
		for _, i := range kept {
			if i == all || matches[i].number == c.V {
				l.fields.arm(label)
				l.nodes(n.Cases[i].Body)
				return
			}
		}
		return
	}
	if d.text != nil && len(kept) > 0 {
		d = datum{v: l.firstText(d.text, matches, kept, all)}
		for place, i := range kept {
			matches[i].number = uint64(place + 1)
		}
	}
	start := l.state
	var bodies [][]ir.Stmt
	var ends []state
	for _, i := range kept {
		l.fields.arm(label)
		body, end := l.arm(start, n.Cases[i].Body)
		bodies, ends = append(bodies, body), append(ends, end)
	}
	if all < 0 {
		bodies, ends = append(bodies, nil), append(ends, start)
	}
	l.restore(start)
	l.meet(bodies, ends)
	last := len(bodies) - 1
	s := &ir.Switch{X: d.v, Default: bodies[last]}
	for place, i := range kept[:last] {
		s.Cases = append(s.Cases, ir.SwitchCase{Values: []uint64{matches[i].number}, Body: bodies[place]})
	}
	l.emit(s)
}

func (l *lowerer) arm(start state, body []grammar.Node) ([]ir.Stmt, state) {
	l.restore(start)
	return l.block(func() { l.nodes(body) })
}

// reachable returns the cases that can be taken, in order. all is the index of \*, which is the
// last of them, or -1.
func (l *lowerer) reachable(n *grammar.Switch, matches []match, text bool) (kept []int, all int) {
	numbers, texts := map[uint64]bool{}, map[string]bool{}
	for i, c := range n.Cases {
		switch m := matches[i]; {
		case c.Any:
			if i < len(n.Cases)-1 {
				l.say(n.Cases[i+1].Pos, diag.Warning, "unreachable", "no case after \\* is ever taken")
			}
			return append(kept, i), i
		case !m.ok:
		case text && texts[m.text], !text && numbers[m.number]:
			l.say(c.Pos, diag.Warning, "unreachable", "an earlier case has the value %s: this one is never taken",
				c.Match)
		default:
			texts[m.text], numbers[m.number] = true, true
			kept = append(kept, i)
		}
	}
	return kept, -1
}

// firstText finds the first case that a text matches. It returns the index of the case in kept,
// counted from 1, or else 0. It does so without nesting, however many cases there are.
func (l *lowerer) firstText(t ir.Text, matches []match, kept []int, all int) ir.Value {
	slot := l.locals.value()
	l.emit(&ir.Let{Slot: slot, V: konstU(0)})
	for place, i := range kept {
		if i == all {
			break
		}
		is := ir.Value(&ir.TextIs{T: t, S: matches[i].text})
		if place > 0 {
			is = &ir.Binary{Op: ir.OpLogAnd, X: l.equal(l.local(slot), 0), Y: is}
		}
		l.emit(&ir.If{Cond: is, Then: []ir.Stmt{&ir.Let{Slot: slot, V: konstU(uint64(place + 1))}}})
	}
	return l.local(slot)
}

// loop compiles LOOP, whose subject is the number of turns. Slots hold the state that the body may
// change. The pointer becomes dynamic only if the body moves it.
func (l *lowerer) loop(n *grammar.Loop) {
	d := l.subject(n.Subject)
	if d.v == nil {
		l.say(n.Pos, diag.Warning, "text-value", "a text is not a count: nothing is repeated")
		return
	}
	left := l.locals.value()
	l.emit(&ir.Let{Slot: left, V: l.toU64(d.v)})
	e := l.c.effects(n.Body)
	if e.moves || e.aligns && !l.ptr.onByte() {
		l.setPointer(l.ptr.value(), l.ptr.onByte() && !e.bits)
	}
	if e.base {
		l.setBase(l.base.value())
	}
	if !l.join.off() || e.titles {
		l.join = l.keepFlag(l.join, &l.locals.join)
	}
	if e.tight && (l.tight.local || !l.tight.on) {
		l.tight = l.keepFlag(l.tight, &l.locals.tight)
	}
	start := l.state
	l.loops++
	l.frame.nested++
	body, _ := l.block(func() {
		l.nodes(n.Body)
		if !l.ended {
			l.again(start, l.state)
			l.emit(&ir.Let{Slot: left, V: &ir.Binary{Op: ir.OpSub, X: l.local(left), Y: konstU(1)}})
		}
	})
	l.frame.nested--
	l.loops--
	loop := &ir.Loop{Cond: &ir.Binary{Op: ir.OpNe, X: l.local(left), Y: konstU(0)}, Body: body,
		Limit: l.c.opts.maxLoop()}
	l.restore(start)
	l.emit(loop)
	// A count beyond the limit ends the event like one beyond its data (aix.md 4.12).
	l.emit(&ir.If{Cond: loop.Cond, Then: []ir.Stmt{&ir.Exit{Reason: ir.Short, At: l.byteAt(0)}}})
}

// bitFlags tries every entry and prints all hits (aix.md 3.5, 4.11).
func (l *lowerer) bitFlags(n *grammar.BitFlags) {
	before := l.handed()
	d := l.subject(n.Subject)
	if d.v != nil {
		l.nameValue(before, ir.Enum{Func: "FlagNames", Table: &ir.Table{Rows: l.flagNames(n)}})
	}
	if d.v == nil {
		l.say(n.Pos, diag.Warning, "text-value", "a text has no flags")
		return
	}
	l.frame.nested++
	defer func() { l.frame.nested-- }()
	v := l.keep(d.v)
	for _, f := range n.Flags {
		value, ok := number(f.Value.Text, 16)
		if !ok {
			continue
		}
		var hit ir.Value
		switch {
		case f.Mask != nil:
			mask, _ := number(f.Mask.Text, 16)
			hit = l.equal(&ir.Binary{Op: ir.OpAnd, X: v, Y: konstU(mask)}, value)
		case value == 0:
			hit = l.equal(v, 0)
		default:
			hit = l.equal(&ir.Binary{Op: ir.OpAnd, X: v, Y: konstU(value)}, value)
		}
		start := l.state
		then, e1 := l.block(func() { l.text(l.flagText(f.Set, f.SetBack)) })
		l.restore(start)
		els, e2 := l.block(func() {
			if f.HasClear {
				l.text(l.flagText(f.Clear, f.ClearBack))
			}
		})
		bodies := [][]ir.Stmt{then, els}
		l.meet(bodies, []state{e1, e2})
		l.emit(&ir.If{Cond: hit, Then: bodies[0], Else: bodies[1]})
	}
}

func (l *lowerer) equal(x ir.Value, v uint64) ir.Value {
	return &ir.Binary{Op: ir.OpEq, X: x, Y: konstU(v)}
}

// assign compiles {{ $x = expr }}.
func (l *lowerer) assign(n *grammar.Assign) {
	if n.Value == nil {
		return
	}
	done := l.assignment(n)
	v := l.toU64(l.expr(n.Value))
	done(v)
	switch n.Macro.Name {
	case "DATAPOINTER":
		if c, ok := v.(*ir.Const); ok && c.V < maxCount {
			l.ptr = pointer{delta: int64(8 * c.V), aligned: true}
			return
		}
		at := &ir.Binary{Op: ir.OpShl, X: &ir.Convert{T: ir.I64, X: l.bounded(v)}, Y: &ir.Const{T: ir.I32, V: 3}}
		l.setPointer(at, true)
	case "BASEPOINTER":
		if c, ok := v.(*ir.Const); ok && c.V < maxCount {
			l.base = offset{bytes: int64(c.V)}
			return
		}
		l.setBase(&ir.Convert{T: ir.I64, X: l.bounded(v)})
	default:
		if slot, ok := l.frame.scope.find(n.Macro.Name); ok {
			l.emit(&ir.Let{Slot: slot, V: v})
		}
	}
}

// expr evaluates from left to right, without precedence (aix.md 4.5), in unsigned 64-bit numbers
// that wrap. A division by zero gives 0. If an operand to the right may change a value, the value
// is kept first.
func (l *lowerer) expr(e *grammar.Expr) ir.Value {
	const deep = 16 // maximum number of operations in one tree
	v := l.operand(e.First)
	for i, o := range e.Rest {
		if l.work.spent++; l.tooComplex() {
			break
		}
		if _, call := o.X.(*grammar.Call); call || l.ptr.local || i%deep == deep-1 {
			v = l.keep(v)
		}
		y := l.toU64(l.operand(o.X))
		if c, ok := y.(*ir.Const); ok && c.V == 0 && o.Op == '/' {
			l.say(o.Pos, diag.Warning, "division-by-zero", "a division by zero gives 0")
		}
		v = l.fold(&ir.Binary{Op: ir.Op(o.Op), X: l.toU64(v), Y: y})
	}
	return v
}

func (l *lowerer) operand(n grammar.Node) ir.Value {
	switch n := n.(type) {
	case *grammar.Number:
		v, _ := number(n.Text, 10)
		return konstU(v)
	case *grammar.Call:
		l.call(n)
		return konstU(0)
	}
	if d := l.subject(n); d.v != nil {
		return d.v
	}
	l.say(n.Position(), diag.Warning, "text-value", "a text has no number: 0 is used")
	return konstU(0)
}

// fold evaluates constant operations.
func (l *lowerer) fold(b *ir.Binary) ir.Value {
	x, okx := b.X.(*ir.Const)
	y, oky := b.Y.(*ir.Const)
	if okx && oky {
		return &ir.Const{T: b.Type(), V: ir.Eval2(b.Op, b.X.Type(), x.V, y.V)}
	}
	return b
}

func (l *lowerer) flagText(text string, back bool) string {
	if back {
		return text
	}
	return l.c.opts.unquote(text)
}
