package trcfmt

import (
	"github.com/tracec/tracec/compiler/diag"
	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// subject reads the subject of a SWITCH, LOOP or BITFLAGS: a code, which consumes, or a macro. The number is kept,
// since the pointer moves on before it is used.
func (l *lowerer) subject(n grammar.Node) datum {
	switch n := n.(type) {
	case *grammar.Code:
		if l.seek(n) {
			return datum{v: konstU(0)}
		}
		move := l.reads(n)
		d := l.read(n)
		l.consume(n, d)
		if d.v != nil {
			if l.ptr.local {
				d.v = l.keep(d.v)
			}
			d.v = l.toU64(d.v)
		}
		if n.Letter == 'E' || n.Letter == 'T' || n.Letter == 'P' {
			d.text = l.named(n.Letter, d.v, l.bytes(n))
		}
		l.holdText(&d, n)
		move()
		return d
	case *grammar.Macro:
		v := l.value(n)
		if n.Cast != nil {
			cast, text := l.cast(v, n.Cast)
			l.consumeWord(n, cast)
			d := datum{v: l.toU64(cast)}
			if n.Cast.Letter == 'E' || n.Cast.Letter == 'P' || n.Cast.Letter == 'T' {
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

// holdText keeps a string that is read at a moving pointer: the buffer slot holds its bytes.
func (l *lowerer) holdText(d *datum, c *grammar.Code) {
	cs, ok := d.text.(*ir.CString)
	if !ok || c.Letter != 'S' && !l.ptr.local {
		return
	}
	slot := l.buffers()
	l.emit(&ir.LetBytes{Slot: slot, V: cs.Of})
	d.text = &ir.CString{Of: &ir.LocalBytes{Slot: slot}}
}

// choice compiles a SWITCH: the first case that matches, nothing when none does (aix.md 3.5).
func (l *lowerer) choice(n *grammar.Switch) {
	l.fields.hint(n)
	d := l.subject(n.Subject)
	matches := l.matches(n, d)
	if n.Mask != nil {
		mask, _ := number(n.Mask.Text, 10)
		d.v = l.fold(&ir.Binary{Op: ir.OpAnd, X: d.v, Y: konstU(mask)})
		d.text = nil
	}
	if c, ok := d.v.(*ir.Const); ok && d.text == nil {
		l.constantChoice(n, matches, c.V)
		return
	}
	start := l.save()
	var bodies [][]ir.Stmt
	var ends []state
	var kept []int
	all := -1
	for i, c := range n.Cases {
		if c.Any {
			all = i
		} else if !matches[i].ok {
			continue
		}
		body, end := l.arm(start, c.Body)
		bodies, ends, kept = append(bodies, body), append(ends, end), append(kept, i)
		if c.Any {
			if i < len(n.Cases)-1 {
				l.say(n.Cases[i+1].Pos, diag.Warning, "unreachable", "no case behind \\* is ever taken")
			}
			break
		}
	}
	if all < 0 {
		bodies, ends = append(bodies, nil), append(ends, start)
	}
	l.restore(start)
	l.meet(bodies, ends)
	l.emit(l.dispatch(d, matches, kept, bodies, all))
}

func (l *lowerer) arm(start state, body []grammar.Node) ([]ir.Stmt, state) {
	l.restore(start)
	l.fields.forget()
	defer l.fields.forget()
	return l.block(func() { l.nodes(body) })
}

// constantChoice compiles a switch whose subject the environment decides.
func (l *lowerer) constantChoice(n *grammar.Switch, matches []match, v uint64) {
	for i, c := range n.Cases {
		if c.Any || matches[i].ok && matches[i].number == v {
			l.nodes(c.Body)
			return
		}
	}
}

// dispatch builds the statement that runs one of bodies, whose last is that of no match when all is -1.
func (l *lowerer) dispatch(d datum, matches []match, kept []int, bodies [][]ir.Stmt, all int) ir.Stmt {
	var otherwise []ir.Stmt
	n := len(kept)
	if all >= 0 {
		n--
		otherwise = bodies[n]
	} else {
		otherwise = bodies[len(bodies)-1]
	}
	if d.text != nil {
		for i := n - 1; i >= 0; i-- {
			is := &ir.TextIs{T: d.text, S: matches[kept[i]].text}
			otherwise = []ir.Stmt{&ir.If{Cond: is, Then: bodies[i], Else: otherwise}}
		}
		if len(otherwise) == 1 {
			return otherwise[0]
		}
		return &ir.If{Cond: konstU(1), Then: otherwise}
	}
	s := &ir.Switch{X: d.v, Default: otherwise}
	seen := map[uint64]bool{}
	for i := range n {
		v := matches[kept[i]].number
		if seen[v] {
			continue
		}
		seen[v] = true
		s.Cases = append(s.Cases, ir.SwitchCase{Values: []uint64{v}, Body: bodies[i]})
	}
	return s
}

// loop compiles LOOP: the body as often as its subject says, with a pointer that is known at run time only if the body
// moves it.
func (l *lowerer) loop(n *grammar.Loop) {
	d := l.subject(n.Subject)
	if d.v == nil {
		return
	}
	left := l.slot()
	l.emit(&ir.Let{Slot: left, V: d.v})
	if moves(n.Body) {
		l.setPointer(l.ptr.value(), l.ptr.aligned && l.ptr.delta%8 == 0 || !l.ptr.local && l.ptr.delta%8 == 0)
	}
	start := l.save()
	body, end := l.block(func() { l.nodes(n.Body) })
	if !end.ended {
		if !end.ptr.same(start.ptr) {
			body = append(body, &ir.Let{Slot: l.pointerSlot(), V: end.ptr.value()})
		}
		body = append(body, &ir.Let{Slot: left, V: &ir.Binary{Op: ir.OpSub, X: l.local(left), Y: konstU(1)}})
	}
	l.emit(&ir.Loop{Cond: &ir.Binary{Op: ir.OpNe, X: l.local(left), Y: konstU(0)}, Body: body, Limit: l.c.opts.maxLoop()})
	start.join = start.join && end.join
	if start.ptr.local && (end.ptr.delta%8 != 0 || !end.ptr.aligned) {
		start.ptr.aligned = false
	}
	l.restore(start)
}

// moves says whether nodes may move the pointer.
func moves(nodes []grammar.Node) bool {
	found := false
	walk(nodes, func(n grammar.Node) {
		switch n := n.(type) {
		case *grammar.Code:
			found = found || n.Letter != 'H' && !(n.Letter == 'A' && n.Size == 0)
		case *grammar.Sub, *grammar.Call:
			found = true
		case *grammar.Macro:
			found = found || n.Name == "DEFAULT" || n.Cast != nil && n.Cast.Letter == 'S'
		case *grammar.Assign:
			found = found || isPointerName(n.Macro.Name)
		}
	})
	return found
}

// bitFlags tries every entry and prints all hits (aix.md 3.5, 4.11).
func (l *lowerer) bitFlags(n *grammar.BitFlags) {
	d := l.subject(n.Subject)
	if d.v == nil {
		return
	}
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
		start := l.save()
		then, e1 := l.block(func() { l.text(f.Set) })
		l.restore(start)
		els, e2 := l.block(func() {
			if f.HasClear {
				l.text(f.Clear)
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
		if c, ok := v.(*ir.Const); ok && c.V < 1<<20 {
			l.ptr = pointer{delta: int64(8 * c.V), aligned: true}
			return
		}
		at := &ir.Binary{Op: ir.OpShl, X: &ir.Convert{T: ir.I64, X: l.bounded(v)}, Y: &ir.Const{T: ir.I32, V: 3}}
		l.setPointer(at, true)
	case "BASEPOINTER":
		if c, ok := v.(*ir.Const); ok && c.V < 1<<20 {
			l.base = konst(int64(c.V))
		} else {
			l.base = &ir.Convert{T: ir.I64, X: l.keep(l.bounded(v))}
			l.dynamic = true
		}
		l.checked = int64(l.env.head())
	default:
		slot, ok := l.scope.find(n.Macro.Name)
		if !ok {
			slot = l.slot()
			l.scope.vars[n.Macro.Name] = slot
		}
		l.emit(&ir.Let{Slot: slot, V: v})
	}
}

// expr evaluates from left to right, all operators alike (aix.md 4.5), in 64 bits that wrap; a division by zero gives 0.
func (l *lowerer) expr(e *grammar.Expr) ir.Value {
	v := l.operand(e.First)
	for _, o := range e.Rest {
		if len(e.Rest) > 0 && l.ptr.local {
			v = l.keep(v)
		}
		v = l.fold(&ir.Binary{Op: ir.Op(o.Op), X: l.toU64(v), Y: l.toU64(l.operand(o.X))})
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
	l.say(n.Position(), diag.Warning, "text-value", "a text has no value: 0 is used")
	return konstU(0)
}

// fold evaluates what is constant.
func (l *lowerer) fold(b *ir.Binary) ir.Value {
	x, okx := b.X.(*ir.Const)
	y, oky := b.Y.(*ir.Const)
	if okx && oky {
		return &ir.Const{T: b.Type(), V: ir.Eval2(b.Op, b.X.Type(), x.V, y.V)}
	}
	return b
}
