package trcfmt

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// An Env holds the properties of an event that are known when a template is compiled.
type Env struct {
	Hook64  bool // a 64-bit hook word
	Generic bool // a variable-length entry
}

// Index numbers the environments: 0 to 3.
func (e Env) Index() int {
	i := 0
	if e.Hook64 {
		i = 2
	}
	if e.Generic {
		i++
	}
	return i
}

// Envs are all environments, by Index.
var Envs = [4]Env{{false, false}, {false, true}, {true, false}, {true, true}}

// String returns the suffix of the event's name: "32", "32g", "64", "64g".
func (e Env) String() string { return [4]string{"32", "32g", "64", "64g"}[e.Index()] }

// Constant returns the name of the environment's constant in runtime/aix.
func (e Env) Constant() string {
	return [4]string{"Env32", "Env32Generic", "Env64", "Env64Generic"}[e.Index()]
}

// word returns the size in bytes of a word of the hook's environment.
func (e Env) word() int {
	if e.Hook64 {
		return 8
	}
	return 4
}

// head returns the minimum size of an event in bytes: the hook word, and the data word of a generic
// entry.
func (e Env) head() int {
	if e.Generic {
		return 2 * e.word()
	}
	return e.word()
}

// start returns where the DATA_POINTER begins, in bytes (aix.md 2.5).
func (e Env) start() int {
	switch {
	case e.Generic:
		return e.word()
	case e.Hook64:
		return 6
	}
	return 2
}

// Target returns the machine for the IR: AIX runs only on big-endian POWER.
func (e Env) Target() ir.Target { return ir.Target{BigEndian: true, WordSize: e.word()} }

// Template is one compiled stanza.
type Template struct {
	Stanza *grammar.Stanza
	Hook   uint16 // the 16-bit form
	// Label is the event label without @. Hidden is set if the text does not begin with it.
	Label  string
	Hidden bool
	Level  grammar.Level
	// Events are indexed by Env.Index. Each has the Group "trcfmt", a Name made of the hook id and
	// the environment, the 16-bit hook id as ID, and one field, "data".
	Events [4]*ir.Event
	// Clashes are values of the template that would share one field of a struct, but cannot. Values
	// has them as separate values with numbered names. They have no effect on the text.
	Clashes diag.List
	// Resolved reports whether the pointer is a constant everywhere, in all environments.
	Resolved bool
}

// Result is a compiled template file.
type Result struct {
	Source    string
	Templates []*Template // in file order; if a hook id is defined twice, only the last one
	Squeeze   bool        // as Options.Squeeze
	byHook    map[uint16]*Template
}

// Hook returns the template of a 16-bit hook id, or nil if there is none.
func (r *Result) Hook(id uint16) *Template { return r.byHook[id] }

// Resolved counts the templates with a constant pointer at all places.
func (r *Result) Resolved() int {
	n := 0
	for _, t := range r.Templates {
		if t.Resolved {
			n++
		}
	}
	return n
}

// Unit returns the events of 32- or 64-bit hooks as a unit, for Dump and Check.
func (r *Result) Unit(hook64 bool) *ir.Unit {
	u := &ir.Unit{Lang: "trcfmt", Source: r.Source, Target: Env{Hook64: hook64}.Target()}
	for _, t := range r.Templates {
		for i, ev := range t.Events {
			if Envs[i].Hook64 == hook64 {
				u.Events = append(u.Events, ev)
			}
		}
	}
	slices.SortStableFunc(u.Events, func(a, b *ir.Event) int { return cmp.Compare(a.Name, b.Name) })
	return u
}

// Event returns the template as one event with a variant for each environment.
func (t *Template) Event() *ir.Event {
	return &ir.Event{
		Group: "trcfmt", Name: t.Stanza.Hook.Text, Label: t.Label, Ident: "Hook" + shortID(t.Hook), ID: uint32(t.Hook),
		Variants: t.Events[:],
	}
}

// shortID is a hook id as a report prints it: without a trailing zero digit (aix.md 1).
func shortID(id uint16) string {
	if id&15 == 0 {
		return fmt.Sprintf("%03X", id>>4)
	}
	return fmt.Sprintf("%04X", id)
}

// Hooks returns templates as a unit, for gen.
func Hooks(source string, templates []*Template) *ir.Unit {
	u := &ir.Unit{
		Lang: "trcfmt", Container: "github.com/tracec/tracec/runtime/aix", Entries: true, Sequential: true,
		Source: source, Target: ir.Target{BigEndian: true, WordSize: 8},
	}
	for _, t := range templates {
		u.Events = append(u.Events, t.Event())
	}
	slices.SortStableFunc(u.Events, func(a, b *ir.Event) int { return cmp.Compare(a.Name, b.Name) })
	return u
}

// Compile compiles the stanzas of files. A stanza of a later file replaces one with the same id, so
// that a user's file can follow the built-in one. The list does not repeat errors of the parser.
func Compile(source string, opts Options, files ...*grammar.File) (*Result, diag.List) {
	c := newCompiler(opts, files)
	r := &Result{Source: source, Squeeze: opts.Squeeze, byHook: map[uint16]*Template{}}
	for _, f := range files {
		for _, s := range f.Stanzas {
			if c.stanzas[s.Hook.Value] != s {
				continue // a later stanza replaces it
			}
			t := c.template(s)
			r.Templates = append(r.Templates, t)
			r.byHook[t.Hook] = t
		}
	}
	c.diags.Sort()
	return r, c.diags
}

// compiler holds the state that all stanzas share.
type compiler struct {
	opts      Options
	stanzas   map[uint16]*grammar.Stanza
	functions map[string]*grammar.FuncDef
	known     map[any]*effects             // by stanza or function
	declares  map[*grammar.Stanza][]string // macros
	left      int                          // number of nodes that may still be lowered
	said      map[diag.Diagnostic]bool
	diags     diag.List
}

// Limits of the work with subroutines and functions in place: for one template in one environment,
// and for a file relative to its number of nodes.
const (
	maxNodes    = 100_000
	nodesAtAll  = 1_000_000
	nodesOfEach = 32
)

func newCompiler(opts Options, files []*grammar.File) *compiler {
	c := &compiler{
		opts: opts, left: nodesAtAll,
		stanzas: map[uint16]*grammar.Stanza{}, functions: map[string]*grammar.FuncDef{},
		known: map[any]*effects{}, declares: map[*grammar.Stanza][]string{}, said: map[diag.Diagnostic]bool{},
	}
	for _, f := range files {
		for _, s := range f.Stanzas {
			c.stanzas[s.Hook.Value] = s
			c.define(s.Nodes)
			walk(s.Nodes, func(grammar.Node) { c.left += nodesOfEach })
		}
	}
	return c
}

// define adds the functions that nodes define. Their names are valid in the whole file.
func (c *compiler) define(nodes []grammar.Node) {
	for _, n := range nodes {
		if f, ok := n.(*grammar.FuncDef); ok {
			c.functions[f.Name] = f
			walk(f.Body, func(grammar.Node) { c.left += nodesOfEach })
		}
	}
}

func (c *compiler) template(s *grammar.Stanza) *Template {
	t := &Template{Stanza: s, Hook: s.Hook.Value, Level: s.Level, Resolved: true}
	t.Label, t.Hidden = c.label(s)
	for i, env := range Envs {
		ev, resolved := c.event(s, env)
		t.Events[i] = ev
		t.Resolved = t.Resolved && resolved
	}
	for _, ev := range t.Events {
		if c.opts.TextOnly || !ev.HasText { // a text that is too complex has no values either
			return t
		}
	}
	c.values(t)
	return t
}

// values compiles the template once more, for its values. Values that cannot share a name get
// separate names. The template then has no struct, but readers of values by name get all of them.
func (c *compiler) values(t *Template) {
	kept := apart{names: map[string]bool{}}
	for range mostApart {
		f := newFields(kept.again())
		for i, env := range Envs {
			f.environment(c, t.Stanza, t.Events[i], env)
		}
		f.finish(t)
		if t.Clashes == nil {
			t.Clashes = f.clash
		}
		if f.tooMany {
			break
		}
		if len(f.apart.names) == len(kept.names) { // no new name that values cannot share
			return
		}
		kept = f.apart
	}
	t.withoutValues()
}

// label returns the label of a stanza, and whether the text omits it (aix.md 3.1).
func (c *compiler) label(s *grammar.Stanza) (text string, hidden bool) {
	text = s.Label
	if s.LabelQuoted {
		text = c.opts.unquote(text)
	}
	if len(text) > 0 && text[0] == '@' {
		return text[1:], true
	}
	return text, text == ""
}

// event compiles a stanza for one environment, twice. The first program checks before every read
// that needs it, so that an event that ends early still prints the output before its end (aix.md
// 4.12). If the pointer is a constant everywhere, a second program makes a single check.
func (c *compiler) event(s *grammar.Stanza, env Env) (*ir.Event, bool) {
	ev := &ir.Event{Group: "trcfmt", Name: s.Hook.Text + "_" + env.String(), ID: uint32(s.Hook.Value), Size: env.head(),
		HasText: true}
	ev.Variant, ev.WordSize, ev.Start = env.Constant(), env.word(), env.start()
	data := &ir.Field{Name: "data", CType: "char[]", Kind: ir.Tail, Elem: 1}
	ev.Fields = []*ir.Field{data}
	slow := newLowerer(c, env, data, true)
	ev.Text = slow.stanza(s)
	ev.Slots, ev.Buffers = slow.locals.values, slow.locals.texts
	switch {
	case slow.tooComplex():
		slow.refuse(ev, s, "it is too large with its subroutines and functions in place")
	case volume(ev.Text) > maxText:
		slow.refuse(ev, s, fmt.Sprintf("an event may print more than %d MB", maxText>>20))
	case !slow.checks.dynamic && slow.checks.count > 1:
		fast := newLowerer(c, env, data, false)
		fast.checks.none = true
		body := fast.stanza(s)
		if fast.tooComplex() {
			break
		}
		length := &ir.Convert{T: ir.I64, X: &ir.Len{Of: &ir.FieldBytes{Field: data}}}
		enough := &ir.Binary{Op: ir.OpGe, X: length, Y: konst(fast.checks.extent)}
		ev.Text = []ir.Stmt{&ir.If{Cond: enough, Then: body, Else: ev.Text}}
		ev.Slots, ev.Buffers = max(ev.Slots, fast.locals.values), max(ev.Buffers, fast.locals.texts)
	}
	return ev, !slow.checks.dynamic
}

// refuse leaves an event without text.
func (l *lowerer) refuse(ev *ir.Event, s *grammar.Stanza, why string) {
	ev.Text, ev.HasText, ev.Why, ev.Slots, ev.Buffers = nil, false, why, 0, 0
	l.say(s.Pos, diag.Error, "too-complex", "template %s is not compiled: %s", s.Hook.Text, why)
}

func konst(v int64) *ir.Const { return &ir.Const{T: ir.I64, V: uint64(v)} }

// say adds a message. It adds only one for each node, even if the node is compiled several times.
func (l *lowerer) say(pos lexer.Position, s diag.Severity, code, format string, args ...any) {
	if !l.reporting {
		return
	}
	d := diag.New(pos, s, code, format, args...)
	if !l.c.said[d] {
		l.c.said[d] = true
		l.c.diags = append(l.c.diags, d)
	}
}
