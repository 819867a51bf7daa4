package gen

import (
	"slices"

	"github.com/tracec/tracec/gen/internal/expr"
	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// texts writes the functions that append the texts of events, and the list of them.
func (p *pkg) texts(out *page.Page) {
	p.writeTexts(out, p.names, func(i int) bool { return p.events[i].HasText })
	for i, e := range p.events {
		if !e.HasText {
			continue
		}
		w := newWriter(out, e, p.target)
		body := w.textBody(e.Text)
		var event []jen.Code
		if w.members {
			event = append(event, jen.Id("e").Op(":=").New(jen.Id(e.structName)).Dot("decode").Call(expr.Data()))
		}
		out.Line()
		p.textFunc(out.Func().Id(out.Name(p.names[i].text)), "data", "env").
			Block(slices.Concat(event, w.declarations(), body)...)
		out.EndEvent()
	}
}

// writer writes the rendering program of one event. Its methods for expressions return Go code of
// exactly the Go type that corresponds to the ir.Type.
type writer struct {
	out    *page.Page
	event  *event
	target ir.Target
	consts map[ir.Value]constant
	point
	locals
	appends  appends
	members  bool      // the statements use the struct e
	keeps    *values   // where the values go if they are generated instead of text
	elements []element // lists in the values that have a variable for their current element
	merged   *merged   // for a function for several environments
	begun    *ir.Field // a list that the next statement also empties
}

func newWriter(out *page.Page, e *event, target ir.Target) *writer {
	return &writer{out: out, event: e, target: target, consts: make(map[ir.Value]constant)}
}

// point is the place where statements are added.
type point struct {
	body  *[]jen.Code
	dead  bool // the program has ended before this point
	sure  int  // of a stream: number of bytes that every record has at this point
	depth int  // of blocks
}

// appends are the statements that set dst.
type appends struct {
	last    appended // the last statement
	literal appended // the last statement that appends constant text
	funcs   int      // function literals that use dst
}

// appended is a statement that sets dst.
type appended struct {
	stmt, value *jen.Statement
	funcs       int // before it
}

// into collects the statements that f writes.
func (w *writer) into(body *[]jen.Code, f func()) {
	was, dead, sure := w.body, w.dead, w.sure
	var sures []int
	if w.merged != nil {
		sures = slices.Clone(w.merged.sure)
	}
	w.body = body
	w.depth++
	f()
	w.depth--
	w.body, w.dead, w.sure = was, dead, sure
	if w.merged != nil {
		w.merged.sure = sures
	}
}

func (w *writer) block(stmts []ir.Stmt) []jen.Code {
	body, _ := w.ending(func() { w.stmts(stmts) })
	return body
}

// ending collects the statements that f writes and reports whether they end the program.
func (w *writer) ending(f func()) (body []jen.Code, ends bool) {
	w.into(&body, func() {
		f()
		ends = w.dead
	})
	return body, ends
}

func (w *writer) emit(c jen.Code) { *w.body = append(*w.body, c) }

func dst() *jen.Statement { return jen.Id("dst") }

// set writes dst = v.
func (w *writer) set(v *jen.Statement) {
	w.appends.last = appended{dst().Op("=").Add(v), v, w.appends.funcs}
	w.emit(w.appends.last.stmt)
}

// put calls a function that appends to dst. Constant text before it goes into the same statement.
// Function literals among the arguments write to dst, so they come after the text.
func (w *writer) put(fn *jen.Statement, args ...jen.Code) {
	onto := dst()
	if body := *w.body; len(body) > 0 && body[len(body)-1] == jen.Code(w.appends.literal.stmt) &&
		w.appends.literal.funcs == w.appends.funcs {
		*w.body, onto = body[:len(body)-1], w.appends.literal.value
	}
	w.set(fn.Call(append([]jen.Code{onto}, args...)...))
}

// textBody returns the body of a function that appends to dst.
func (w *writer) textBody(stmts []ir.Stmt) []jen.Code {
	body, ends := w.ending(func() { w.stmts(stmts) })
	switch n := len(body) - 1; {
	case ends:
	case n >= 0 && body[n] == jen.Code(w.appends.last.stmt):
		body[n] = jen.Return(w.appends.last.value)
	default:
		body = append(body, jen.Return(dst()))
	}
	return body
}

// assign sets a variable. It does not assign a variable to itself, which go vet would report.
func (w *writer) assign(to *slot, from func() *jen.Statement) {
	read := to.read
	code := from()
	if code.GoString() == to.name {
		to.read = read
		return
	}
	stmt := jen.Id(to.name).Op("=").Add(code)
	if !to.set && !to.read && w.depth == 1 {
		to.first, to.code = stmt, code
	}
	to.set = true
	w.emit(stmt)
}

// lit appends constant text.
func (w *writer) lit(s string) {
	if s != "" {
		w.set(jen.Append(dst(), jen.Lit(s).Op("...")))
		w.appends.literal = w.appends.last
	}
}

func (w *writer) stmts(body []ir.Stmt) {
	for i, s := range body {
		if w.dead { // go vet would report the next statement
			return
		}
		switch s := s.(type) {
		case *ir.Require:
			w.require(s)
		case *ir.Exit:
			w.exit(s)
		case *ir.Keep:
			if i+1 == len(body) || !w.fillsAtOnce(s, body[i+1]) {
				w.keep(s)
			}
		case *ir.Lit:
			w.lit(s.S)
		case *ir.PutInt:
			w.putInt(s)
		case *ir.PutText:
			w.putText(s)
		case *ir.Let:
			w.assign(w.slot(s.Slot, s.V.Type()), func() *jen.Statement { return w.value(s.V) })
		case *ir.LetBytes:
			w.assign(w.buffer(s.Slot), func() *jen.Statement { return w.region(s.V) })
		case *ir.If:
			w.branch(s.Cond, func() {
				w.knows(s.Cond)
				w.stmts(s.Then)
			}, func() { w.stmts(s.Else) })
		case *ir.Switch:
			w.switchStmt(s)
		case *ir.Loop:
			i := w.temp("i")
			w.emit(jen.For(jen.Id(i).Op(":=").Lit(0),
				jen.Id(i).Op("<").Lit(s.Limit).Op("&&").Add(w.tightCond(s.Cond)),
				jen.Id(i).Op("++")).Block(w.block(s.Body)...))
		}
	}
}

// branch writes if and else. If the condition is constant, it writes only one arm.
func (w *writer) branch(cond ir.Value, then, els func()) {
	if c, ok := w.constant(cond); ok {
		if c != 0 {
			then()
		} else {
			els()
		}
		return
	}
	a, ends := w.ending(then)
	b, bothEnd := w.ending(els)
	w.dead = ends && bothEnd
	switch {
	case len(a) == 0 && len(b) == 0:
	case len(b) == 0:
		w.emit(jen.If(w.cond(cond)).Block(a...))
	case len(a) == 0:
		w.emit(jen.If(w.not(cond)).Block(b...))
	default:
		w.emit(jen.If(w.cond(cond)).Block(a...).Else().Block(b...))
	}
}

// switchStmt writes a Go switch. It leaves out constants of earlier cases: they never match, and Go
// rejects them. One case with one value becomes an if.
func (w *writer) switchStmt(s *ir.Switch) {
	x := narrowed(s)
	t := x.Type()
	if c, ok := w.constant(s.X); ok {
		for _, arm := range s.Cases {
			if slices.Contains(arm.Values, c) {
				w.stmts(arm.Body)
				return
			}
		}
		w.stmts(s.Default)
		return
	}
	seen := make(map[uint64]bool)
	var arms, last, lastBody []jen.Code
	allEnd := true
	var empty []jen.Code // the values of cases that do nothing
	add := func(values []jen.Code, stmts []ir.Stmt) {
		body, ends := w.ending(func() { w.stmts(stmts) })
		allEnd = allEnd && ends
		if len(body) == 0 {
			empty = append(empty, values...)
		} else {
			arms, last, lastBody = append(arms, jen.Case(values...).Block(body...)), values, body
		}
	}
	for _, arm := range s.Cases {
		var values []jen.Code
		for _, v := range arm.Values {
			if !seen[v] {
				seen[v] = true
				values = append(values, bare(t, v))
			}
		}
		if len(values) > 0 {
			add(values, arm.Body)
		}
	}
	body, ends := w.ending(func() { w.stmts(s.Default) })
	if len(body) > 0 {
		if len(empty) > 0 {
			arms = append(arms, jen.Case(empty...))
		}
		arms, last = append(arms, jen.Default().Block(body...)), nil
	}
	switch {
	case len(arms) == 1 && len(last) == 1:
		w.emit(jen.If(w.value(x).Op("==").Add(last[0])).Block(lastBody...))
	case len(arms) > 0:
		w.emit(jen.Switch(w.value(x)).Block(arms...))
	}
	w.dead = allEnd && ends
}

// narrowed returns the value that s compares. A number is not extended if the numbers of all cases
// have its size.
func narrowed(s *ir.Switch) ir.Value {
	c, ok := s.X.(*ir.Convert)
	if !ok || c.X.Type().Signed || c.X.Type().Size == 0 || c.X.Type().Size >= c.T.Size {
		return s.X
	}
	for _, arm := range s.Cases {
		for _, v := range arm.Values {
			if c.X.Type().Extend(v) != v {
				return s.X
			}
		}
	}
	return c.X
}
