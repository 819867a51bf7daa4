package trcfmt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// MaxMacros is the maximum number of macros in a template (aix.md 3.4).
const MaxMacros = 255

// Vet checks templates beyond syntax, as `trcrpt -c` does. Its list holds the messages of Compile
// and more, in file order. It does not repeat errors of the parser. The codes are stable:
//
//	recursion         error: a template or function calls itself
//	too-deep          error: called more than ten levels deep
//	too-complex       error: too much, with everything in place
//	too-many-macros   error: more than 255 in a template
//	duplicate-hook    warning: a later template replaces this one
//	duplicate-name    warning: a function is defined twice, or a parameter named twice
//	unknown-template  warning: $hhh names no template
//	undefined-macro   warning: a macro without an assignment or a meaning of its own: it is 0
//	unused-macro      warning: a macro that is never read
//	reserved-macro    warning: an assignment to a macro with a meaning of its own
//	unused-function   note: it is never called
//	arguments         warning: a call has too many arguments or too few
//	text-value        warning: a text where a number is needed
//	match             warning: a match value that is not a number, or cannot fit: never taken
//	unreachable       warning: a case or an element that is never reached
//	base              warning: another reading of match values or a mask gives other numbers
//	precedence        warning: multiplication before addition would give another result
//	division-by-zero  warning: a constant divisor of 0
//	no-default        note: $DEFAULT without a template 008
func Vet(opts Options, files ...*grammar.File) diag.List {
	_, list := Compile("", opts, files...)
	v := &vetter{list: list, opts: opts, called: map[string]bool{}, positional: map[uint16]bool{}}
	v.byFunctions.assigned, v.byFunctions.read = map[string]bool{}, map[string]bool{}
	v.anywhere.assigned, v.anywhere.read = map[string]bool{}, map[string]bool{}
	for _, f := range files {
		for _, s := range f.Stanzas {
			v.calls(s)
		}
	}
	for _, f := range files {
		v.file(f)
	}
	sortByFile(v.list, files)
	return v.list
}

// sortByFile sorts by place. The files are in the order in which they were given.
func sortByFile(list diag.List, files []*grammar.File) {
	order := map[string]int{}
	for i, f := range files {
		order[f.Pos.Filename] = i
	}
	list.Sort()
	slices.SortStableFunc(list, func(a, b diag.Diagnostic) int { return order[a.Pos.Filename] - order[b.Pos.Filename] })
}

type vetter struct {
	list       diag.List
	opts       Options
	called     map[string]bool // functions that are called
	positional map[uint16]bool // templates that are subroutines
	// Macros that functions assign and read. They belong to the calling template.
	byFunctions struct{ assigned, read map[string]bool }
	anywhere    struct{ assigned, read map[string]bool }
	// Of the current stanza:
	assigned map[string]lexer.Position
	read     map[string]bool
	subs     bool // the stanza calls subroutines
	callee   bool // the stanza is a subroutine
}

func (v *vetter) say(pos lexer.Position, s diag.Severity, code, format string, args ...any) {
	v.list = append(v.list, diag.New(pos, s, code, format, args...))
}

// calls collects the callees of a stanza.
func (v *vetter) calls(s *grammar.Stanza) {
	everything(s.Nodes, func(n grammar.Node) {
		switch n := n.(type) {
		case *grammar.Call:
			v.called[n.Name] = true
		case *grammar.Sub:
			v.positional[n.Hook.Value] = true
		case *grammar.Assign:
			v.anywhere.assigned[n.Macro.Name] = true
		case *grammar.Macro:
			v.anywhere.read[n.Name] = true
		case *grammar.FuncDef:
			everything(n.Body, func(n grammar.Node) {
				switch n := n.(type) {
				case *grammar.Assign:
					v.byFunctions.assigned[n.Macro.Name] = true
				case *grammar.Macro:
					v.byFunctions.read[n.Name] = true
				}
			})
		}
	})
}

// everything is walk with the bodies of functions.
func everything(nodes []grammar.Node, visit func(grammar.Node)) {
	walk(nodes, func(n grammar.Node) {
		visit(n)
		if f, ok := n.(*grammar.FuncDef); ok {
			everything(f.Body, visit)
		}
	})
}

func (v *vetter) file(f *grammar.File) {
	last := map[uint16]*grammar.Stanza{}
	functions := map[string]*grammar.FuncDef{}
	for _, s := range f.Stanzas {
		if before := last[s.Hook.Value]; before != nil {
			v.say(before.Pos, diag.Warning, "duplicate-hook", "template %s is replaced by the template of line %d",
				before.Hook.Text, s.Pos.Line)
		}
		last[s.Hook.Value] = s
		for _, n := range s.Nodes {
			if fn, ok := n.(*grammar.FuncDef); ok {
				v.function(fn, functions)
			}
		}
		v.stanza(s)
	}
}

func (v *vetter) function(f *grammar.FuncDef, functions map[string]*grammar.FuncDef) {
	if before := functions[f.Name]; before != nil {
		v.say(f.Pos, diag.Warning, "duplicate-name",
			"function %s is also defined in line %d: this definition counts everywhere", f.Name, before.Pos.Line)
	}
	functions[f.Name] = f
	if !v.called[f.Name] {
		v.say(f.Pos, diag.Note, "unused-function", "nothing calls function %s", f.Name)
	}
	for i, name := range f.Params {
		if slices.Contains(f.Params[:i], name) {
			v.say(f.Pos, diag.Warning, "duplicate-name", "function %s has two parameters $%s", f.Name, name)
		}
	}
}

// stanza checks one template with its functions. The macros in the functions count as macros of the
// template.
func (v *vetter) stanza(s *grammar.Stanza) {
	v.assigned, v.read, v.subs = map[string]lexer.Position{}, map[string]bool{}, false
	v.callee = v.positional[s.Hook.Value]
	var params []string
	everything(s.Nodes, func(n grammar.Node) {
		switch n := n.(type) {
		case *grammar.FuncDef:
			params = append(params, n.Params...)
		case *grammar.Assign:
			v.assignment(n)
		case *grammar.Sub:
			v.subs = true
		case *grammar.Macro:
			v.read[n.Name] = true
		}
	})
	v.unreachable(s.Nodes)
	v.macros(s, params)
	everything(s.Nodes, func(n grammar.Node) {
		switch n := n.(type) {
		case *grammar.FuncDef:
			v.unreachable(n.Body)
		case *grammar.Switch:
			v.choice(n)
		case *grammar.Assign:
			v.precedence(n.Value)
		case *grammar.Call:
			for _, a := range n.Args {
				v.precedence(a)
			}
		}
	})
}

func (v *vetter) assignment(n *grammar.Assign) {
	name := n.Macro.Name
	if isPointerName(name) {
		return
	}
	if grammar.IsSpecialMacro(name) {
		v.say(n.Pos, diag.Warning, "reserved-macro", "this assignment hides the predefined meaning of $%s", name)
	}
	if _, ok := v.assigned[name]; !ok {
		v.assigned[name] = n.Pos
	}
}

// macros compares the assigned and the read macros of a template. A template that calls
// subroutines, or is one, may share macros by position.
func (v *vetter) macros(s *grammar.Stanza, params []string) {
	names := map[string]bool{}
	check := func(known func(name string) bool) func(grammar.Node) {
		return func(n grammar.Node) {
			m, ok := n.(*grammar.Macro)
			if !ok || grammar.IsSpecialMacro(m.Name) {
				return
			}
			if !names[m.Name] && !known(m.Name) {
				v.say(m.Pos, diag.Warning, "undefined-macro", "nothing assigns $%s: it is 0", m.Name)
			}
			names[m.Name] = true
		}
	}
	walk(s.Nodes, check(func(name string) bool {
		_, ok := v.assigned[name]
		return ok || v.byFunctions.assigned[name]
	}))
	for _, n := range s.Nodes {
		if f, ok := n.(*grammar.FuncDef); ok {
			everything(f.Body, check(func(name string) bool {
				return slices.Contains(params, name) ||
					v.anywhere.assigned[name]
			}))
		}
	}
	for name, pos := range v.assigned {
		names[name] = true
		read := v.read[name] || v.byFunctions.read[name] || v.byFunctions.assigned[name] && v.anywhere.read[name]
		if !read && !v.subs && !v.callee {
			v.say(pos, diag.Warning, "unused-macro", "nothing reads $%s", name)
		}
	}
	if len(names) > MaxMacros {
		v.say(s.Pos, diag.Error, "too-many-macros", "template %s has %d macros; %d is the most", s.Hook.Text,
			len(names), MaxMacros)
	}
}

// unreachable finds elements after one that always ends the template.
func (v *vetter) unreachable(nodes []grammar.Node) {
	for i, n := range nodes {
		switch n := n.(type) {
		case *grammar.Switch:
			for _, c := range n.Cases {
				v.unreachable(c.Body)
			}
		case *grammar.Loop:
			v.unreachable(n.Body)
		}
		if _, function := n.(*grammar.FuncDef); !function && i > 0 && ends(nodes[i-1]) {
			v.say(n.Position(), diag.Warning, "unreachable", "the element before ends the template")
		}
	}
}

func ends(n grammar.Node) bool {
	m, ok := n.(*grammar.Macro)
	return ok && exits[m.Name] != 0
}

// precedence warns where the usual order of operators gives another result than the order from left
// to right (aix.md 4.5).
func (v *vetter) precedence(e *grammar.Expr) {
	if e == nil {
		return
	}
	weak := false // an earlier operator binds less than * and /
	for i, o := range e.Rest {
		strong := o.Op == '*' || o.Op == '/'
		sum := o.Op == '+' || o.Op == '-'
		if strong && weak || sum && i > 0 && slices.ContainsFunc(e.Rest[:i],
			func(p grammar.Operation) bool { return p.Op == '&' }) {
			v.say(o.Pos, diag.Warning, "precedence",
				"operators are evaluated from left to right: everything before %q is its left side; assign parts of it first to be clear", string(o.Op))
			return
		}
		weak = weak || !strong
	}
}

// choice warns about match values or a mask that can be read in two bases (aix.md 4.4).
func (v *vetter) choice(n *grammar.Switch) {
	if m := n.Mask; m != nil {
		if dec, hex, differ := readings(m.Text); differ {
			v.say(m.Pos, diag.Warning, "base", "the mask %s is %d here, not %d: write 0x before hexadecimal digits",
				m.Text, dec, hex)
		} else if _, err := strconv.ParseUint(m.Text, 10, 64); err != nil && !prefixed(m.Text) {
			v.say(m.Pos, diag.Warning, "base", "the mask %s is read as hexadecimal; write 0x%s", m.Text, m.Text)
		}
	}
	m, ok := n.Subject.(*grammar.Macro)
	if !ok || m.Cast != nil || decimals[m.Name] || facts[m.Name].form == 'U' || facts[m.Name].text {
		return
	}
	hex := v.opts.HexMatches || looksHex(n.Cases)
	for _, c := range n.Cases {
		dec, sixteen, differ := readings(c.Match)
		switch {
		case c.Any || !differ:
		case hex:
			v.say(c.Pos, diag.Warning, "base", "%s is read as hexadecimal, %d, as other values of the switch must be: write 0x%s, or a cast such as %%U for decimal", c.Match, sixteen, c.Match)
			return
		default:
			v.say(c.Pos, diag.Warning, "base", "%s is read as decimal, %d: write 0x%s if it is hexadecimal, or a cast such as %%U", c.Match, dec, c.Match)
			return
		}
	}
}

func prefixed(s string) bool { return strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "o") }

// readings returns a number without prefix in both bases.
func readings(s string) (dec, hex uint64, differ bool) {
	if prefixed(s) {
		return 0, 0, false
	}
	dec, err1 := strconv.ParseUint(s, 10, 64)
	hex, err2 := strconv.ParseUint(s, 16, 64)
	return dec, hex, err1 == nil && err2 == nil && dec != hex
}
