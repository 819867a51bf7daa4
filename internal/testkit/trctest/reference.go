package trctest

import (
	"strings"

	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/render"
)

// Reference renders one event by interpreting its template with a moving pointer, as in aix.md,
// without lowering and without knowledge of environments. It is slow and should be read next to
// that page.
type Reference struct {
	stanzas   map[uint16]*grammar.Stanza
	functions map[string]*grammar.FuncDef
	world     *render.Env
	env       trcfmt.Env

	data   []byte
	out    []byte
	bit    int64 // the DATA_POINTER
	base   int64
	vars   map[string]*uint64 // macros of the template and their values
	order  []string           // the order of their declarations
	params map[string]*uint64 // parameters of the function
	lines  uint64             // number of newlines so far
	due    bool               // a blank after a label is due
	tight  bool
	quoted bool
	nested int
	failed bool
	active []any
	turns  int
}

// Turns is the maximum number of turns of loops before Reference gives up an event.
const Turns = 1000

// stop is the panic value that ends a template.
type stop struct{ reason render.ExitReason }

// TooLong is the reason for an event that Reference gave up.
const TooLong render.ExitReason = 99

// NewReference combines the stanzas of files as trcfmt.Compile does.
func NewReference(env trcfmt.Env, world *render.Env, files ...*grammar.File) *Reference {
	r := &Reference{env: env, world: world, stanzas: map[uint16]*grammar.Stanza{},
		functions: map[string]*grammar.FuncDef{}}
	for _, f := range files {
		for _, s := range f.Stanzas {
			r.stanzas[s.Hook.Value] = s
			for _, n := range s.Nodes {
				if f, ok := n.(*grammar.FuncDef); ok {
					r.functions[f.Name] = f
				}
			}
		}
	}
	return r
}

// Render returns the text of an event and the reason for its end.
func (r *Reference) Render(hook uint16, data []byte) (text string, reason render.ExitReason) {
	*r = Reference{env: r.env, world: r.world, stanzas: r.stanzas, functions: r.functions, data: data}
	r.bit = int64(8 * r.start())
	defer func() {
		if v := recover(); v != nil {
			s, ok := v.(stop)
			if !ok {
				panic(v)
			}
			text, reason = string(r.out), s.reason
		}
	}()
	r.template(r.stanzas[hook], nil, nil)
	return string(r.out), render.Ended
}

func (r *Reference) word() int {
	if r.env.Hook64 {
		return 8
	}
	return 4
}

// start returns the initial place of the pointer (aix.md 2.5).
func (r *Reference) start() int {
	switch r.env {
	case trcfmt.Env{}:
		return 2
	case trcfmt.Env{Generic: true}:
		return 4
	case trcfmt.Env{Hook64: true}:
		return 6
	}
	return 8
}

// print prints text of a template or an event.
func (r *Reference) print(s string) {
	if s == "" {
		return
	}
	if r.due && s[0] > ' ' {
		r.out = append(r.out, ' ')
	}
	r.due = false
	r.out = append(r.out, s...)
}

func (r *Reference) blank() {
	if !r.quoted && !r.tight {
		r.print(" ")
	}
}

// template runs a template. Its n-th declared macro is the n-th macro of the caller.
func (r *Reference) template(s *grammar.Stanza, vars map[string]*uint64, order []string) {
	for _, a := range r.active {
		if a == s {
			return
		}
	}
	r.active = append(r.active, s)
	outerVars, outerOrder, outerParams, outerNested, outerFailed := r.vars, r.order, r.params, r.nested, r.failed
	r.vars, r.order, r.params, r.nested, r.failed = map[string]*uint64{}, declared(s.Nodes), nil, 0, false
	for i, name := range r.order {
		r.vars[name] = new(uint64)
		if i < len(order) {
			r.vars[name] = vars[order[i]]
		}
	}
	if s.Label != "" && s.Label[0] != '@' {
		r.print(s.Label)
		r.lines += uint64(strings.Count(s.Label, "\n"))
		r.due = !strings.HasSuffix(s.Label, "\n")
	}
	for _, n := range s.Nodes {
		r.node(n)
		if r.failed && !r.quoted {
			panic(stop{render.ExitError})
		}
	}
	r.vars, r.order, r.params, r.nested, r.failed = outerVars, outerOrder, outerParams, outerNested, outerFailed
	r.active = r.active[:len(r.active)-1]
}

// declared returns the macros that nodes declare or assign, in the order of the text.
func declared(nodes []grammar.Node) (names []string) {
	add := func(more []string) {
		for _, name := range more {
			if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") {
				names = append(names, name)
			}
		}
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *grammar.Assign:
			if n.Macro.Name != "DATAPOINTER" && n.Macro.Name != "BASEPOINTER" {
				add([]string{n.Macro.Name})
			}
		case *grammar.Switch:
			for _, c := range n.Cases {
				add(declared(c.Body))
			}
		case *grammar.Loop:
			add(declared(n.Body))
		case *grammar.BackQuote:
			add(declared(n.Nodes))
		}
	}
	return names
}

func (r *Reference) nodes(nodes []grammar.Node) {
	for _, n := range nodes {
		r.node(n)
	}
}

func (r *Reference) node(n grammar.Node) {
	switch n := n.(type) {
	case *grammar.String:
		r.print(n.Value)
		r.lines += uint64(strings.Count(n.Value, "\n"))
	case *grammar.Word:
		r.print(n.Value)
		if n.Blank {
			r.print(" ")
		}
	case *grammar.Newline:
		r.print("\n")
		r.lines++
	case *grammar.Tab:
		r.print("\t")
	case *grammar.BackQuote:
		r.nested++
		r.quoted = true
		r.nodes(n.Nodes)
		r.quoted = false
		r.nested--
	case *grammar.Code:
		r.code(n)
	case *grammar.Macro:
		r.macro(n)
	case *grammar.Switch:
		r.nested++
		r.choice(n)
		r.nested--
	case *grammar.Loop:
		r.nested++
		r.loop(n)
		r.nested--
	case *grammar.BitFlags:
		r.flags(n)
	case *grammar.Assign:
		r.assign(n)
	case *grammar.Call:
		r.call(n)
	case *grammar.Sub:
		if s := r.stanzas[n.Hook.Value]; s != nil {
			r.template(s, r.vars, r.order)
		}
	case *grammar.Bad:
		panic(stop{render.ExitError})
	}
}

func (r *Reference) loop(n *grammar.Loop) {
	v := r.subject(n.Subject)
	if v.isText && !v.isNumber {
		return
	}
	for i := uint64(0); i < v.number; i++ {
		if r.turns++; r.turns > Turns {
			panic(stop{TooLong})
		}
		r.nodes(n.Body)
	}
}

func (r *Reference) flags(n *grammar.BitFlags) {
	v := r.subject(n.Subject)
	if v.isText && !v.isNumber {
		return
	}
	for _, f := range n.Flags {
		want, _ := parse(f.Value.Text, 16)
		hit := v.number&want == want
		switch {
		case f.Mask != nil:
			mask, _ := parse(f.Mask.Text, 16)
			hit = v.number&mask == want
		case want == 0:
			hit = v.number == 0
		}
		switch {
		case hit:
			r.print(f.Set)
			r.lines += uint64(strings.Count(f.Set, "\n"))
		case f.HasClear:
			r.print(f.Clear)
			r.lines += uint64(strings.Count(f.Clear, "\n"))
		}
	}
}

func (r *Reference) assign(n *grammar.Assign) {
	if n.Value == nil {
		return
	}
	v := r.expr(n.Value)
	switch name := n.Macro.Name; name {
	case "DATAPOINTER":
		r.bit = 8 * int64(min(v, 1<<20))
	case "BASEPOINTER":
		r.base = int64(min(v, 1<<20))
	default:
		*r.place(name) = v
	}
}

// place returns the storage of a macro's value.
func (r *Reference) place(name string) *uint64 {
	if p := r.params[name]; p != nil {
		return p
	}
	if r.vars[name] == nil {
		r.vars[name] = new(uint64)
	}
	return r.vars[name]
}

func (r *Reference) expr(e *grammar.Expr) uint64 {
	v := r.operand(e.First)
	for _, o := range e.Rest {
		x := r.operand(o.X)
		switch o.Op {
		case '+':
			v += x
		case '-':
			v -= x
		case '*':
			v *= x
		case '&':
			v &= x
		case '/':
			if x == 0 {
				v = 0
			} else {
				v /= x
			}
		}
	}
	return v
}

func (r *Reference) operand(n grammar.Node) uint64 {
	switch n := n.(type) {
	case *grammar.Number:
		v, _ := parse(n.Text, 10)
		return v
	case *grammar.Call:
		r.call(n)
		return 0
	}
	return r.subject(n).number
}
