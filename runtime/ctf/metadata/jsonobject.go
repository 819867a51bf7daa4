package metadata

import (
	"strconv"

	"github.com/tracec/tracec/grammar/diag"
)

// object reads the properties of an object by their names. Properties that are not read have no
// meaning.
type object struct {
	r    *jsonReader
	node *node
	what string // for messages
	used []bool
}

// object returns the properties of a value, or nil if it is not an object.
func (r *jsonReader) object(n *node, what string) *object {
	if n.kind != '{' {
		r.wrong(n, what, '{')
		return nil
	}
	return &object{r: r, node: n, what: what, used: make([]bool, len(n.members))}
}

// wrong reports a value of a kind other than wanted.
func (r *jsonReader) wrong(n *node, what string, want byte) {
	r.report(n.at, "%s is %s, not %s", what, nodeKinds[n.kind], nodeKinds[want])
}

// has reports whether the object has a property that has not been read yet.
func (o *object) has(name string) bool {
	for i, m := range o.node.members {
		if m.name == name && !o.used[i] {
			return true
		}
	}
	return false
}

// get returns a property, or nil.
func (o *object) get(name string) *node {
	for i, m := range o.node.members {
		if m.name == name {
			o.used[i] = true
			return m.value
		}
	}
	return nil
}

// of returns a property of a kind, or nil.
func (o *object) of(name string, kind byte) *node {
	n := o.get(name)
	if n != nil && n.kind != kind {
		o.r.wrong(n, name, kind)
		return nil
	}
	return n
}

// earlier are names of properties in drafts of version 2, by their final names.
var earlier = map[string]string{"attributes": "user-attributes", "default-clock-class-id": "default-clock-class-name"}

// called returns the name of a property in the object. This is the name in drafts if the object
// lacks the final one.
func (o *object) called(name string) string {
	if o.has(name) {
		return name
	}
	return earlier[name]
}

// need is like of, but reports a missing property.
func (o *object) need(name string, kind byte) *node {
	if !o.has(name) {
		o.r.report(o.node.at, "%s has no %s", o.what, name)
		return nil
	}
	return o.of(name, kind)
}

// string returns a text, or "" if it is missing.
func (o *object) string(name string) string {
	if n := o.of(name, '"'); n != nil {
		return n.text
	}
	return ""
}

// uint returns an unsigned integer, or missing if there is no such property.
func (o *object) uint(name string, missing uint64) uint64 {
	if n := o.of(name, '0'); n != nil {
		return o.r.uint(n, name)
	}
	return missing
}

// uint reads an unsigned integer.
func (r *jsonReader) uint(n *node, what string) uint64 {
	if n.kind != '0' {
		r.wrong(n, what, '0')
		return 0
	}
	x, err := strconv.ParseUint(n.text, 10, 64)
	if err != nil {
		r.report(n.at, "%s is %s: it is an integer from 0 to 2^64-1", what, n.text)
	}
	return x
}

// int reads a signed integer.
func (r *jsonReader) int(n *node, what string) int64 {
	if n.kind != '0' {
		r.wrong(n, what, '0')
		return 0
	}
	x, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil {
		r.report(n.at, "%s is %s: it is an integer of 64 bits", what, n.text)
	}
	return x
}

// end reports the properties that have not been read. Their meaning is unknown.
func (o *object) end() {
	if e := o.get("extensions"); e != nil && (e.kind != '{' || len(e.members) > 0) {
		o.r.report(e.at, "%s has unknown extensions", o.what)
	}
	for i, m := range o.node.members {
		if !o.used[i] {
			o.r.report(m.at, "%s has no property %s", o.what, diag.Quote(m.name))
		}
	}
}

// names reads the three parts of a name.
func (o *object) names() Name {
	return Name{Namespace: o.string("namespace"), Name: o.string("name"), UID: o.string("uid")}
}
