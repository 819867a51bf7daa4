package trcfmt

import grammar "github.com/tracec/tracec/grammar/trcfmt"

// A scope binds the names of macros to slots. It holds the macros of a template, or the parameters
// of a function. A function sees the macros of the calling template, but not the parameters of
// enclosing functions.
type scope struct {
	template *scope // nil for the scope of a template
	vars     map[string]int
	declared []string // in the order of their declaration
}

func (s *scope) find(name string) (slot int, ok bool) {
	if slot, ok := s.vars[name]; ok || s.template == nil {
		return slot, ok
	}
	slot, ok = s.template.vars[name]
	return slot, ok
}

// top returns the scope of the template.
func (s *scope) top() *scope {
	if s.template != nil {
		return s.template
	}
	return s
}

// templateScope returns the scope of a template. The n-th declared macro of a subroutine is shared
// with the n-th macro of its caller (aix.md 3.5).
func (l *lowerer) templateScope(s *grammar.Stanza, caller *scope) *scope {
	in := &scope{vars: map[string]int{}, declared: l.c.declared(s)}
	bind := func(name string) {
		if _, ok := in.vars[name]; !ok {
			in.vars[name] = l.locals.value()
			l.clear(in.vars[name])
		}
	}
	for i, name := range in.declared {
		if caller != nil && i < len(caller.top().declared) {
			in.vars[name] = caller.top().vars[caller.top().declared[i]]
			continue
		}
		bind(name)
	}
	for _, name := range l.c.stanzaEffects(s).assigns {
		bind(name)
	}
	return in
}

// functionScope returns the scope of a function's parameters.
func (s *scope) functionScope() *scope {
	return &scope{template: s.top(), vars: map[string]int{}}
}
