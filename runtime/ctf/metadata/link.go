package metadata

import (
	"fmt"
	"slices"
	"strings"
)

// linker resolves references of one event, or of a stream without its events.
type linker struct {
	roots [Scopes]*Class
	scope Scope
	seen  map[*Class]bool // which are read before
	stack []*Class        // the structures around the current class
	err   error
}

// link resolves all references. Events whose references have no target are left out.
func (r *reader) link() {
	for _, s := range r.trace.Streams {
		common := &linker{roots: r.trace.scopes(s, nil), seen: map[*Class]bool{}}
		common.upTo(PacketHeader, EventContext)
		if common.err != nil {
			r.report(r.begin, "stream %d: %v", s.ID, common.err)
			s.Events = nil
			continue
		}
		s.Events = slices.DeleteFunc(s.Events, func(e *Event) bool {
			l := &linker{roots: r.trace.scopes(s, e), seen: common.seen}
			l.upTo(SpecificContext, Payload)
			if l.err != nil {
				r.report(r.begin, "event %q: %v", e.Name.Name, l.err)
			}
			return l.err != nil
		})
	}
}

// upTo resolves the references of some scopes.
func (l *linker) upTo(first, last Scope) {
	for l.scope = first; l.scope <= last; l.scope++ {
		if root := l.roots[l.scope]; root != nil {
			l.class(root)
		}
	}
}

// class resolves the references of a class and what is below it.
func (l *linker) class(c *Class) {
	if c.From != nil && l.err == nil {
		l.resolve(c)
	}
	if c.Kind == Struct {
		l.stack = append(l.stack, c)
		for _, m := range c.Members {
			l.class(m.Class)
		}
		l.stack = l.stack[:len(l.stack)-1]
	}
	for _, o := range c.Options {
		l.class(o.Class)
	}
	if c.Element != nil {
		l.class(c.Element)
	}
	l.seen[c] = true
}

// resolve finds the fields of a reference.
func (l *linker) resolve(c *Class) {
	p := &c.From.path
	var found []*Class
	switch {
	case p.absolute:
		c.From.Scope = p.scope
		found = l.descend(l.roots[p.scope], p.names)
	case p.outward:
		found = l.outward(c.From)
	case p.up < len(l.stack):
		c.From.Scope = l.scope
		found = l.descend(l.stack[len(l.stack)-1-p.up], p.names)
	}
	if len(found) == 0 {
		l.err = fmt.Errorf("no field before is called %s", strings.Join(p.names, "."))
		return
	}
	c.From.Fields = found
	l.check(c)
}

// outward searches the structures around the current class, then the scopes before.
func (l *linker) outward(ref *Reference) []*Class {
	ref.Scope = l.scope
	for _, s := range slices.Backward(l.stack) {
		if found := l.descend(s, ref.path.names); len(found) > 0 {
			return found
		}
	}
	for i := int(l.scope) - 1; i >= 0; i-- {
		ref.Scope = Scope(i)
		if found := l.descend(l.roots[i], ref.path.names); len(found) > 0 {
			return found
		}
	}
	return nil
}

// descend returns the fields of a path below a class that are read before. Arrays, optionals and
// variants have no names of their own.
func (l *linker) descend(c *Class, names []string) (found []*Class) {
	if c == nil {
		return nil
	}
	switch c.Kind {
	case Array, Optional:
		return l.descend(c.Element, names)
	case Variant:
		for _, o := range c.Options {
			found = append(found, l.descend(o.Class, names)...)
		}
		return found
	case Struct:
		if len(names) == 0 {
			return nil
		}
		if m := member(c, names[0]); m != nil {
			return l.descend(m.Class, names[1:])
		}
		return nil
	}
	if len(names) == 0 && l.seen[c] {
		return []*Class{c}
	}
	return nil
}

// member returns the member of a name. The underscore before names in TSDL may be missing on either
// side.
func member(c *Class, name string) *Member {
	for i := range c.Members {
		if m := &c.Members[i]; m.raw == name {
			return m
		}
	}
	for i := range c.Members {
		if m := &c.Members[i]; m.raw != m.Name && m.Name == name || "_"+m.raw == name {
			return m
		}
	}
	return nil
}

// check checks what kinds of fields a reference leads to, and takes the ranges of the options of
// TSDL from the labels of the selector.
func (l *linker) check(c *Class) {
	for _, f := range c.From.Fields {
		number := f.Kind == Int || f.Kind == Varint
		switch {
		case c.Kind == Optional && len(c.Ranges) == 0 && f.Kind != Bool:
			l.err = fmt.Errorf("%s selects an optional field, but is no truth value", strings.Join(c.From.path.names, "."))
		case c.Kind == Optional && len(c.Ranges) > 0, c.Kind == Variant:
			if !number {
				l.err = fmt.Errorf("%s selects, but is no integer", strings.Join(c.From.path.names, "."))
			}
		case c.Kind != Optional && (!number || f.Signed):
			l.err = fmt.Errorf("%s is a length, but no unsigned integer", strings.Join(c.From.path.names, "."))
		}
	}
	if l.err == nil && c.Kind == Variant {
		l.options(c)
	}
}

// options gives the options of a variant of TSDL the ranges of the labels of their names.
func (l *linker) options(c *Class) {
	labels := c.From.Fields[0].Labels
	for i := range c.Options {
		o := &c.Options[i]
		if o.raw == "" { // of CTF 2
			return
		}
		o.Ranges = nil
		for _, x := range labels {
			if x.Name == o.raw || shown(x.Name) == o.Name {
				o.Ranges = append(o.Ranges, x.Ranges...)
			}
		}
	}
}
