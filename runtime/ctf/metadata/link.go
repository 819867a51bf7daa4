package metadata

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
)

// linker resolves references of one event, or of a stream without its events.
type linker struct {
	*links
	roots [Scopes]*Class
	scope Scope
	seen  map[*Class]bool // classes that are read before
	stack []*Class        // the enclosing structures of the current class
	at    int             // place of the error; 0 if unknown
	err   error
}

// links are the state that the linkers of a trace share.
type links struct {
	tsdl    bool
	steps   int // number of steps that are left
	members map[*Class]map[string]int
	labels  map[*Label]map[string][]Range // by their first label
}

// link resolves all references. Streams and events with unresolved references are left out.
func (r *reader) link() {
	shared := &links{
		tsdl: r.trace.Version == 1, steps: 1<<22 + 16*len(r.text),
		members: map[*Class]map[string]int{}, labels: map[*Label]map[string][]Range{},
	}
	r.trace.Streams = slices.DeleteFunc(r.trace.Streams, func(s *Stream) bool {
		common := &linker{links: shared, roots: r.trace.scopes(s, nil), seen: map[*Class]bool{}}
		common.upTo(PacketHeader, EventContext)
		if common.err != nil {
			r.report(common.at, "stream %d: %v", s.ID, common.err)
			return true
		}
		s.Events = slices.DeleteFunc(s.Events, func(e *Event) bool {
			l := &linker{links: shared, roots: r.trace.scopes(s, e), seen: common.seen, at: e.at}
			l.upTo(SpecificContext, Payload)
			if l.err != nil {
				r.report(l.at, "event %s: %v", diag.Quote(e.Name.Name), l.err)
			}
			return l.err != nil
		})
		return false
	})
}

// fail keeps the first error.
func (l *linker) fail(c *Class, format string, args ...any) {
	if l.err == nil {
		if l.err = fmt.Errorf(format, args...); c.From != nil {
			l.at = c.From.path.at
		}
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

// class resolves the references of a class and of its parts.
func (l *linker) class(c *Class) {
	switch {
	case l.err != nil:
		return
	case c.From != nil:
		l.resolve(c)
	case c.Kind == Variant:
		l.fail(c, "a variant without a tag")
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
	switch {
	case l.steps < 0:
		l.fail(c, "the references take too many steps")
	case len(found) == 0:
		l.fail(c, "no field before is called %s", quoted(p.names))
	default:
		c.From.Fields = found
		l.check(c)
	}
}

// outward searches the enclosing structures of the current class, then the earlier scopes.
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

// descend returns the fields of a path below a class that are read before the current class.
// Arrays, optionals and variants have no names of their own.
func (l *linker) descend(c *Class, names []string) (found []*Class) {
	if l.steps--; c == nil || l.steps < 0 {
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
		if m := l.member(c, names[0]); m != nil {
			return l.descend(m.Class, names[1:])
		}
		return nil
	}
	if len(names) == 0 && l.seen[c] {
		return []*Class{c}
	}
	return nil
}

// member returns the member with a name. The underscore before names in TSDL may be missing on
// either side.
func (l *linker) member(c *Class, name string) *Member {
	index := l.members[c]
	if index == nil {
		index = map[string]int{}
		for i, m := range c.Members {
			index[m.raw] = i
		}
		l.members[c] = index
	}
	for _, raw := range [...]string{name, "_" + name, strings.TrimPrefix(name, "_")} {
		if i, ok := index[raw]; ok {
			return &c.Members[i]
		}
		if !l.tsdl {
			break
		}
	}
	return nil
}

// check checks the kinds of the fields to which a reference leads. For TSDL, it sets the ranges of
// options from the labels of the selector.
func (l *linker) check(c *Class) {
	name := quoted(c.From.path.names)
	for _, f := range c.From.Fields {
		number := f.Kind == Int || f.Kind == Varint
		switch {
		case c.Kind == Optional && len(c.Ranges) == 0 && f.Kind != Bool:
			l.fail(c, "%s selects an optional field, but is not a boolean", name)
		case c.Kind == Optional && len(c.Ranges) > 0, c.Kind == Variant:
			if !number {
				l.fail(c, "%s selects, but is not an integer", name)
			} else if c.Kind == Variant && l.tsdl && f.Labels == nil {
				l.fail(c, "%s selects, but is not an enumeration", name)
			} else if f.Signed != c.From.Fields[0].Signed {
				l.fail(c, "%s selects, and is several fields with and without a sign", name)
			}
		case c.Kind != Optional && (!number || f.Signed):
			l.fail(c, "%s is a length, but no unsigned integer", name)
		}
	}
	switch {
	case l.err != nil:
	case c.Kind == Variant && l.tsdl:
		l.options(c)
	case c.Kind == Variant:
		var all []Range
		for _, o := range c.Options {
			all = append(all, o.Ranges...)
		}
		l.ranges(c, all)
	case c.Kind == Optional:
		l.ranges(c, c.Ranges)
	}
}

// ranges checks the ranges of values of a selector. They must fit its sign, and the ranges of two
// options must not overlap.
func (l *linker) ranges(c *Class, all []Range) {
	signed := c.From.Fields[0].Signed
	if c.From.path.negative && !signed {
		l.fail(c, "negative values of %s, which is unsigned", quoted(c.From.path.names))
	}
	all = slices.Clone(all)
	flip := uint64(0)
	if signed {
		flip = 1 << 63
	}
	slices.SortFunc(all, func(a, b Range) int { return cmp.Compare(a.First^flip, b.First^flip) })
	for i, x := range all {
		if !x.Has(x.First, signed) {
			l.fail(c, "a range of %s ends before it begins", quoted(c.From.path.names))
		}
		if c.Kind == Variant && i > 0 && all[i-1].Has(x.First, signed) {
			l.fail(c, "two options are selected by one value of %s", quoted(c.From.path.names))
		}
	}
}

// options sets the ranges of the options of a variant of TSDL. They are the ranges of the labels
// with the options' names.
func (l *linker) options(c *Class) {
	labels := c.From.Fields[0].Labels
	if len(labels) == 0 {
		return
	}
	byName := l.labels[&labels[0]]
	if byName == nil {
		byName = map[string][]Range{}
		for _, x := range labels {
			byName[shown(x.Name)] = append(byName[shown(x.Name)], x.Ranges...)
		}
		l.labels[&labels[0]] = byName
	}
	for i := range c.Options {
		c.Options[i].Ranges = byName[c.Options[i].Name]
	}
}
