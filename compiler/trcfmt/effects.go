package trcfmt

import (
	"slices"

	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// effects are the possible effects of nodes, including the subroutines and functions that they
// call.
type effects struct {
	moves   bool     // move the pointer
	aligns  bool     // round it up, at most
	bits    bool     // may leave it between two bytes
	base    bool     // assign $BASEPOINTER
	tight   bool     // call setdelim()
	lines   bool     // use the number of the line
	titles  bool     // print labels of templates
	assigns []string // macros that functions assign: they belong to the calling template
}

func (e *effects) add(f *effects) {
	e.moves = e.moves || f.moves
	e.aligns = e.aligns || f.aligns
	e.bits = e.bits || f.bits
	e.base = e.base || f.base
	e.tight = e.tight || f.tight
	e.lines = e.lines || f.lines
	e.titles = e.titles || f.titles
}

// effects collects the effects of nodes. It visits each callee once.
func (c *compiler) effects(nodes []grammar.Node) *effects {
	e := &effects{}
	walk(nodes, func(n grammar.Node) {
		switch n := n.(type) {
		case *grammar.Code:
			e.code(n)
		case *grammar.Macro:
			switch {
			case n.Name == "DEFAULT":
				e.add(c.stanzaEffects(c.stanzas[defaultHook]))
				e.titles = true
			case n.Name == "LINENO" || n.Name == "RELLINENO":
				e.lines = true
			}
			e.moves = e.moves || n.Cast != nil && n.Cast.Letter == 'S'
		case *grammar.Assign:
			e.moves = e.moves || n.Macro.Name == "DATAPOINTER"
			e.base = e.base || n.Macro.Name == "BASEPOINTER"
		case *grammar.Sub:
			e.add(c.stanzaEffects(c.stanzas[n.Hook.Value]))
			e.titles = true
		case *grammar.Call:
			e.tight = e.tight || n.Name == "setdelim"
			if f := c.functions[n.Name]; f != nil {
				called := c.functionEffects(f)
				e.add(called)
				for _, name := range called.assigns {
					if !slices.Contains(e.assigns, name) {
						e.assigns = append(e.assigns, name)
					}
				}
			}
		}
	})
	return e
}

func (e *effects) code(n *grammar.Code) {
	switch {
	case n.Letter == 'H' || n.Letter == 'A' && n.Size == 0:
		e.aligns = true
	default:
		e.moves = true
		e.bits = e.bits || n.Letter == 'B' || (n.Letter == 'G' || n.Letter == 'O') && n.Size2%8 != 0
	}
}

func (c *compiler) stanzaEffects(s *grammar.Stanza) *effects {
	if s == nil {
		return &effects{}
	}
	if e, ok := c.known[s]; ok {
		return e
	}
	c.known[s] = &effects{} // for one that calls itself, which is not compiled
	e := c.effects(s.Nodes)
	c.known[s] = e
	return e
}

// functionEffects also collects the macros that the function assigns, except its parameters.
func (c *compiler) functionEffects(f *grammar.FuncDef) *effects {
	if e, ok := c.known[f]; ok {
		return e
	}
	c.known[f] = &effects{}
	e := c.effects(f.Body)
	for _, name := range declarations(f.Body) {
		if !slices.Contains(f.Params, name) && !slices.Contains(e.assigns, name) {
			e.assigns = append(e.assigns, name)
		}
	}
	c.known[f] = e
	return e
}

// declared returns the macros that a template declares, in order. It caches them.
func (c *compiler) declared(s *grammar.Stanza) []string {
	names, ok := c.declares[s]
	if !ok {
		names = declarations(s.Nodes)
		c.declares[s] = names
	}
	return names
}

// declarations returns the macros that nodes assign or declare, in the order of the text.
func declarations(nodes []grammar.Node) []string {
	var names []string
	seen := map[string]bool{}
	walk(nodes, func(n grammar.Node) {
		if a, ok := n.(*grammar.Assign); ok && !isPointerName(a.Macro.Name) && !seen[a.Macro.Name] {
			seen[a.Macro.Name] = true
			names = append(names, a.Macro.Name)
		}
	})
	return names
}

func isPointerName(name string) bool { return name == "DATAPOINTER" || name == "BASEPOINTER" }
