package gen

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tracec/tracec/gen/internal/page"

	"github.com/dave/jennifer/jen"

	"github.com/tracec/tracec/compiler/ir"
)

// texts writes AppendText of all events.
func (p *pkg) texts(out *page.Page) {
	for _, e := range p.events {
		if !e.HasText {
			continue
		}
		w := &writer{out: out, event: e, target: p.target, consts: make(map[ir.Value]constant)}
		body, ends := w.ending(func() { w.stmts(e.Text) })
		if !ends {
			body = append(body, jen.Return(dst()))
		}
		out.Line()
		comments(out.Group, fmt.Sprintf("appendText appends what the description of %s prints; e is in data.",
			eventLabel(e.Group, e.Name)))
		out.Func().Params(jen.Id("e").Op("*").Id(e.structName)).Id("appendText").
			Params(jen.List(dst(), data()).Index().Byte(), envParam()).Index().Byte().
			Block(append(w.declarations(), body...)...)
		out.EndEvent()
	}
}

// writer writes the rendering program of one event. Its methods for expressions return Go code of
// exactly the Go type that corresponds to the ir.Type.
type writer struct {
	out    *page.Page
	event  *event
	target ir.Target
	body   *[]jen.Code // where statements go
	dead   bool        // the program has ended before this point
	sure   int         // of a stream: number of bytes that every record has which gets to this point
	vars   int         // numbers given to temporaries
	consts map[ir.Value]constant
	slots  map[int]*slot
	bufs   map[int]*slot
	ints   map[*ir.Field]string // buffers for the bytes of integer fields
	longs  bool                 // a copy of env is needed
	keeps  []*valueField        // where values go if they are generated instead of text
	merged *merged              // of a function for several environments
	needs  bool                 // if values are generated: dst is needed all the same, to compare text
}

// slot is a local variable.
type slot struct {
	name string
	typ  ir.Type
	read bool
}

// into collects the statements that f writes.
func (w *writer) into(body *[]jen.Code, f func()) {
	was, dead, sure := w.body, w.dead, w.sure
	var sures []int
	if w.merged != nil {
		sures = slices.Clone(w.merged.sure)
	}
	w.body = body
	f()
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

// temp returns a fresh name.
func (w *writer) temp(prefix string) string {
	w.vars++
	return prefix + strconv.Itoa(w.vars)
}

// declarations declares the variables that the body was found to use.
func (w *writer) declarations() []jen.Code {
	var out []jen.Code
	declare := func(slots map[int]*slot, typ func(*slot) jen.Code) {
		for _, n := range sortedKeys(slots) {
			s := slots[n]
			out = append(out, jen.Var().Id(s.name).Add(typ(s)))
			if !s.read { // Go refuses variables that are only set
				out = append(out, jen.Id("_").Op("=").Id(s.name))
			}
		}
	}
	declare(w.slots, func(s *slot) jen.Code { return typeCode(s.typ) })
	declare(w.bufs, func(*slot) jen.Code { return jen.Index().Byte() })
	names := make([]string, 0, len(w.ints))
	for _, n := range w.ints {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		out = append(out, jen.Var().Id(n).Index(number(8)).Byte())
	}
	if w.needs {
		out = append(out, jen.Var().Id("scratch").Index(number(64)).Byte(), dst().Op(":=").Id("scratch").Index(jen.Empty(), number(0)))
	}
	if w.longs {
		out = append(out, jen.Var().Id("longs").Qual(renderPath, "Env"))
	}
	return out
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (w *writer) slot(n int, t ir.Type) *slot {
	if w.slots == nil {
		w.slots = make(map[int]*slot)
	}
	if w.slots[n] == nil {
		w.slots[n] = &slot{name: "v" + strconv.Itoa(n), typ: t}
	}
	return w.slots[n]
}

func (w *writer) buffer(n int) *slot {
	if w.bufs == nil {
		w.bufs = make(map[int]*slot)
	}
	if w.bufs[n] == nil {
		w.bufs[n] = &slot{name: "b" + strconv.Itoa(n)}
	}
	return w.bufs[n]
}

func dst() *jen.Statement { return jen.Id("dst") }

// set is dst = v.
func (w *writer) set(v jen.Code) { w.emit(dst().Op("=").Add(v)) }

// assign sets a variable. It does not assign a variable to itself, because go vet reports that.
func (w *writer) assign(to *slot, from func() *jen.Statement) {
	read := to.read
	code := from()
	if code.GoString() == to.name {
		to.read = read
		return
	}
	w.emit(jen.Id(to.name).Op("=").Add(code))
}

// lit appends constant text.
func (w *writer) lit(s string) {
	if s != "" {
		w.set(jen.Append(dst(), jen.Lit(s).Op("...")))
	}
}

func (w *writer) stmts(body []ir.Stmt) {
	for _, s := range body {
		if w.dead { // go vet would report the next statement
			return
		}
		switch s := s.(type) {
		case *ir.Require:
			w.require(s)
		case *ir.Exit:
			w.exit(s)
		case *ir.Keep:
			w.keep(s)
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
				jen.Id(i).Op("<").Lit(s.Limit).Op("&&").Add(w.tightCond(s.Cond)), jen.Id(i).Op("++")).Block(w.block(s.Body)...))
		}
	}
}

// branch writes if and else. If the condition is constant, it writes only the arm that is taken.
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

// switchStmt writes a Go switch. It leaves out constants of earlier cases. They never match anyway,
// and Go refuses them.
func (w *writer) switchStmt(s *ir.Switch) {
	t := s.X.Type()
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
	var arms []jen.Code
	allEnd := true
	add := func(head *jen.Statement, stmts []ir.Stmt) {
		body, ends := w.ending(func() { w.stmts(stmts) })
		allEnd = allEnd && ends
		arms = append(arms, head.Block(body...))
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
			add(jen.Case(values...), arm.Body)
		}
	}
	if len(s.Default) > 0 {
		add(jen.Default(), s.Default)
	}
	w.emit(jen.Switch(w.value(s.X)).Block(arms...))
	w.dead = allEnd && len(s.Default) > 0
}
