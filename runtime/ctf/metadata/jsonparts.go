package metadata

import (
	"fmt"

	"github.com/tracec/tracec/grammar/diag"
)

// length reads a length, or the place of a length.
func (b *builder) length(dynamic bool) {
	if dynamic {
		b.from("length-field-location")
	} else if n := b.o.need("length", '0'); n != nil {
		b.c.Length = b.r.uint(n, "length")
	}
}

// origins are the scopes by name.
var origins = map[string]Scope{
	"packet-header": PacketHeader, "packet-context": PacketContext, "event-record-header": EventHeader,
	"event-record-common-context": EventContext, "event-record-specific-context": SpecificContext,
	"event-record-payload": Payload,
}

// from reads the place of a length or a selector. In drafts of version 2, the location is the path,
// and begins with the origin.
func (b *builder) from(property string) {
	n := b.o.get(property)
	if n == nil {
		b.fail(nil, "%s is missing", property)
		return
	}
	p := path{at: n.at}
	list := n
	if n.kind == '[' {
		if len(n.elements) > 0 {
			p.absolute = b.origin(n.elements[0], &p)
			list = &node{at: n.at, kind: '[', elements: n.elements[1:]}
		}
	} else {
		l := b.r.object(n, property)
		if l == nil {
			return
		}
		if o := l.of("origin", '"'); o != nil {
			p.absolute = b.origin(o, &p)
		}
		if list = l.need("path", '['); list == nil {
			return
		}
		l.end()
	}
	b.path(&p, list)
	b.c.From = &Reference{path: p}
}

func (b *builder) origin(n *node, p *path) bool {
	scope, ok := origins[n.string()]
	if !ok {
		b.fail(n, "the origin %s has no known meaning", diag.Quote(n.string()))
	}
	p.scope = scope
	return ok
}

// path reads the names of a path. null stands for the enclosing structure.
func (b *builder) path(p *path, list *node) {
	for _, e := range list.elements {
		switch {
		case e.kind == '"':
			p.names = append(p.names, e.text)
		case e.kind != 'n':
			b.fail(e, "a path has names and nulls")
		case len(p.names) > 0 || p.absolute:
			b.fail(e, "a path that goes up after going down")
		default:
			p.up++
		}
	}
	if len(p.names) == 0 {
		b.fail(list, "a path without a name at its end")
	}
}

func (b *builder) structure() {
	c := b.c
	c.Kind = Struct
	b.align("minimum-alignment")
	list := b.o.of("member-classes", '[')
	if list == nil {
		return
	}
	names := map[string]bool{}
	for _, e := range list.elements {
		m := b.r.object(e, "a member of "+b.o.what)
		if m == nil {
			continue
		}
		name := m.need("name", '"')
		if name == nil {
			continue
		}
		if names[name.text] {
			b.fail(name, "two members are called %s", diag.Quote(name.text))
		}
		names[name.text] = true
		m.what = diag.Quote(name.text)
		x := b.r.need(m, "field-class", m.what, b.depth+1)
		attributes := m.attributes().parts()
		if m.end(); x != nil && b.r.holds(c, x, e.at) {
			c.Members = append(c.Members, Member{Name: name.text, Class: x, Attributes: attributes, raw: name.text})
			c.Align = max(c.Align, x.Align)
		}
	}
}

// element reads the class of elements, or of an optional field.
func (b *builder) element(property string) {
	b.c.Element = b.r.need(b.o, property, "an element of "+b.o.what, b.depth+1)
	if b.c.Element != nil {
		b.r.holds(b.c, b.c.Element, b.o.node.at)
	}
}

func (b *builder) array(dynamic bool) {
	b.c.Kind = Array
	b.align("minimum-alignment")
	if b.element("element-field-class"); b.c.Element != nil {
		b.c.Align = max(b.c.Align, b.c.Element.Align)
	}
	b.length(dynamic)
}

func (b *builder) optional() {
	b.c.Kind = Optional
	b.element("field-class")
	b.from("selector-field-location")
	if n := b.o.get("selector-field-ranges"); n != nil {
		b.c.Ranges = b.selected(n)
	}
}

// selected reads ranges of a selector. They are compared with the sign of the selector once it is
// found.
func (b *builder) selected(n *node) []Range {
	ranges, negative := b.ranges(n)
	if len(ranges) == 0 {
		b.fail(n, "the range is missing")
	}
	if negative && b.c.From != nil {
		b.c.From.path.negative = true
	}
	return ranges
}

func (b *builder) variant() {
	b.c.Kind = Variant
	b.from("selector-field-location")
	list := b.o.need("options", '[')
	if list == nil {
		return
	}
	for i, e := range list.elements {
		o := b.r.object(e, fmt.Sprintf("option %d of %s", i, b.o.what))
		if o == nil {
			continue
		}
		x := b.r.need(o, "field-class", o.what, b.depth+1)
		option := Option{Name: o.string("name"), Class: x}
		if n := o.need("selector-field-ranges", '['); n != nil {
			option.Ranges = b.selected(n)
		}
		option.Attributes = o.attributes().parts()
		if o.end(); x != nil && b.r.holds(b.c, x, e.at) {
			b.c.Options = append(b.c.Options, option)
		}
	}
}
