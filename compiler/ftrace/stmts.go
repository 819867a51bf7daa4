package ftrace

import (
	"maps"

	"github.com/tracec/tracec/compiler/ir"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// variable is a local of a statement expression. Statements are evaluated symbolically: the value
// of a variable is the expression last assigned to it. Where two branches meet, it is a conditional
// of both values. No print fmt of any kernel has a loop.
type variable struct {
	operand
	declared *ctype
}

// stmtExpr lowers `({ … })`. The result is the value of its last statement.
func (l *lowerer) stmtExpr(e *grammar.StmtExpr) operand {
	vars, out, seq := l.vars, l.out, l.seq
	l.vars = maps.Clone(vars)
	if l.vars == nil {
		l.vars = map[string]*variable{}
	}
	var body []ir.Stmt
	l.out, l.seq = &body, nil
	o := l.run(e.Stmts)
	if l.seq != nil {
		l.seq.Body = body
	}
	// Assignments to variables of an enclosing statement expression stay in effect.
	for name := range vars {
		if v := l.vars[name]; v.declared == vars[name].declared {
			vars[name] = v
		}
	}
	l.vars, l.out, l.seq = vars, out, seq
	return o
}

// run evaluates statements and returns the value of the last one that is an expression.
func (l *lowerer) run(stmts []grammar.Stmt) operand {
	last := operand{t: typeVoid, v: &ir.Const{T: ir.I32}}
	for _, s := range stmts {
		switch s := s.(type) {
		case *grammar.Decl:
			l.declare(s)
		case *grammar.ExprStmt:
			if s.X != nil {
				last = l.expr(s.X)
			}
		case *grammar.Block:
			last = l.run(s.Stmts)
		case *grammar.If:
			l.branch(l.truth(l.expr(s.Cond)), func() { l.runOne(s.Then) }, func() { l.runOne(s.Else) })
		case *grammar.Switch:
			l.cases(l.number(l.expr(s.X)), arms(s.Body))
		case *grammar.Jump:
			if s.X != nil {
				return l.expr(s.X)
			}
			return last
		case *grammar.For:
			l.note(s.Position(), "loop", "a loop is not evaluated")
		}
	}
	return last
}

func (l *lowerer) runOne(s grammar.Stmt) {
	if s != nil {
		l.run([]grammar.Stmt{s})
	}
}

func (l *lowerer) declare(d *grammar.Decl) {
	t := l.typeOf(d.Type)
	if d.Type != nil && len(d.Type.Dims) > 0 && d.Type.Dims[0] == nil && t.kind == kArray {
		t = &ctype{kind: kArray, elem: t.elem, known: true}
	}
	v := &variable{declared: t}
	switch init := d.Init.(type) {
	case nil:
		v.operand = l.zero(t)
	case *grammar.InitList:
		v.operand = l.initList(init, t)
	default:
		v.operand = l.convert(l.expr(init), t)
	}
	l.vars[d.Name] = v
}

// zero returns a variable without initialiser.
func (l *lowerer) zero(t *ctype) operand {
	switch t.kind {
	case kInt:
		return l.konst(t, 0)
	case kStruct:
		if t.size > 0 && t.size <= 8 && isWidth(t.size) {
			return operand{t: t, v: &ir.Const{T: ir.Type{Size: int8(t.size)}}}
		}
		return operand{t: t, list: []operand{}}
	case kPointer:
		if isChar(t.elem) {
			return operand{t: t, region: &ir.Str{}}
		}
	}
	return operand{t: t, unknown: []ir.Stmt{&ir.Lit{S: "?"}}}
}

// assign assigns o to x, which is a variable or a member of a variable.
func (l *lowerer) assign(x grammar.Expr, o operand) operand {
	switch x := x.(type) {
	case *grammar.Ident:
		if v, ok := l.vars[x.Name]; ok {
			o = l.convert(o, v.declared)
			l.vars[x.Name] = &variable{operand: o, declared: v.declared}
			return o
		}
	case *grammar.Member:
		id, ok := x.X.(*grammar.Ident)
		if !ok {
			break
		}
		if v, ok := l.vars[id.Name]; ok && l.assignMember(id.Name, v, x.Name, o) {
			return o
		}
	}
	return l.cannot(x, "something that cannot be assigned to")
}

func (l *lowerer) assignMember(name string, v *variable, member string, o operand) bool {
	for i := range v.declared.members {
		m := &v.declared.members[i]
		if m.name != member || m.bits > 0 || m.offset != 0 || m.t.size != v.declared.size {
			continue
		}
		if o = l.number(o); o.v == nil {
			return false
		}
		o = l.convert(o, m.t)
		o.t = v.declared
		l.vars[name] = &variable{operand: o, declared: v.declared}
		return true
	}
	return false
}

// step lowers ++ and --.
func (l *lowerer) step(x grammar.Expr, op string, after bool) operand {
	old := l.expr(x)
	now := l.assign(x, l.apply(operators[op[:1]], old, l.konst(typeInt, 1)))
	if after {
		return old
	}
	return now
}

// branch evaluates both sides of a condition and joins their effects.
func (l *lowerer) branch(c operand, then, els func()) {
	if v, ok := c.constant(); ok {
		if v != 0 {
			then()
		} else {
			els()
		}
		return
	}
	before, out := l.vars, l.out
	side := func(f func()) (map[string]*variable, []ir.Stmt) {
		var body []ir.Stmt
		l.vars, l.out = maps.Clone(before), &body
		f()
		return l.vars, body
	}
	a, outA := side(then)
	b, outB := side(els)
	l.vars, l.out = before, out
	for name, old := range before {
		x, y := a[name], b[name]
		if x == y {
			l.vars[name] = x
			continue
		}
		o := named(name)
		if c.v != nil {
			o = l.choose(c.v, x.operand, y.operand)
		}
		l.vars[name] = &variable{operand: o, declared: old.declared}
	}
	if c.v != nil && len(outA)+len(outB) > 0 && l.out != nil {
		*l.out = append(*l.out, &ir.If{Cond: c.v, Then: outA, Else: outB})
	}
}

// arm is a run of case labels and the statements that run when one of them matches.
type arm struct {
	labels []*grammar.Case
	fall   bool // has a default label
	body   []grammar.Stmt
}

// arms splits the body of a switch into its arms. An arm that falls through includes the next arm.
func arms(body []grammar.Stmt) []arm {
	var out []arm
	for i := 0; i < len(body); i++ {
		if _, ok := body[i].(*grammar.Case); !ok {
			continue
		}
		var a arm
		for ; i < len(body); i++ {
			c, ok := body[i].(*grammar.Case)
			if !ok {
				break
			}
			if c.Value == nil {
				a.fall = true
			} else {
				a.labels = append(a.labels, c)
			}
		}
		for _, s := range body[i:] {
			if _, ok := s.(*grammar.Case); ok {
				continue
			}
			if j, ok := s.(*grammar.Jump); ok && j.Word == "break" {
				break
			}
			a.body = append(a.body, s)
		}
		i--
		out = append(out, a)
	}
	return out
}

// cases evaluates a switch as a chain of conditions, the default last.
func (l *lowerer) cases(x operand, all []arm) {
	if len(all) > maxArms {
		all = all[:maxArms]
	}
	var fall *arm
	var rest []arm
	for i := range all {
		if all[i].fall {
			fall = &all[i]
		} else {
			rest = append(rest, all[i])
		}
	}
	l.chain(x, rest, fall)
}

const maxArms = 256

func (l *lowerer) chain(x operand, rest []arm, fall *arm) {
	if len(rest) == 0 {
		if fall != nil {
			l.run(fall.body)
		}
		return
	}
	match := l.konst(typeInt, 0)
	for _, c := range rest[0].labels {
		low := l.expr(c.Value)
		hit := l.apply(ir.OpEq, x, low)
		if c.High != nil {
			hit = l.both(l.apply(ir.OpGe, x, low), l.apply(ir.OpLe, x, l.expr(c.High)))
		}
		match = l.either(match, hit)
	}
	l.branch(match, func() { l.run(rest[0].body) }, func() { l.chain(x, rest[1:], fall) })
}

func (l *lowerer) both(x, y operand) operand {
	if x.v == nil || y.v == nil {
		return l.infix(ir.OpLogAnd, x, y)
	}
	return l.ofValue(l.binaryValue(ir.OpLogAnd, x.v, y.v))
}

func (l *lowerer) either(x, y operand) operand {
	if c, ok := x.constant(); ok && c == 0 {
		return y
	}
	if x.v == nil || y.v == nil {
		return l.infix(ir.OpLogOr, x, y)
	}
	return l.ofValue(l.binaryValue(ir.OpLogOr, x.v, y.v))
}
