package metadata

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
)

// An Attribute is a JSON value with its name that a producer attached to a class. At the top, the
// name is a namespace, and the value may be of any kind.
type Attribute struct {
	Name string // empty for elements of arrays
	// Kind is the first character of such values in JSON: one of { [ " t n, or 0 for a number. Both
	// true and false have t.
	Kind  byte
	Text  string      // a text or a number, or true or false
	Parts []Attribute // of an object or an array
}

// AppendAttributes appends attributes as an object of JSON.
func AppendAttributes(dst []byte, list []Attribute) []byte {
	return Attribute{Kind: '{', Parts: list}.append(dst)
}

func (a Attribute) append(dst []byte) []byte {
	switch a.Kind {
	case '"':
		return appendString(dst, a.Text)
	case 'n':
		return append(dst, "null"...)
	case '{', '[':
		dst = append(dst, a.Kind)
		for i, p := range a.Parts {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if a.Kind == '{' {
				dst = append(appendString(dst, p.Name), ": "...)
			}
			dst = p.append(dst)
		}
		return append(dst, a.Kind+2) // } is 2 after {, and ] is 2 after [
	}
	return append(dst, a.Text...)
}

func appendString(dst []byte, s string) []byte {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can always be encoded
	return append(dst, strings.TrimSuffix(b.String(), "\n")...)
}

// attributes reads the attributes of an object. Decoding does not need them, so it only warns of a
// value of another kind.
func (o *object) attributes() *node {
	name := o.called("attributes")
	n := o.get(name)
	if n != nil && n.kind != '{' {
		o.r.warn(n.at, "%s are %s, not %s", name, nodeKinds[n.kind], nodeKinds['{'])
		return nil
	}
	return n
}

// parts returns the members or elements of a value, which may be nil, as attributes.
func (n *node) parts() (list []Attribute) {
	if n == nil {
		return nil
	}
	for _, m := range n.members {
		list = append(list, Attribute{Name: m.name, Kind: m.value.kind, Text: m.value.text, Parts: m.value.parts()})
	}
	for _, e := range n.elements {
		list = append(list, Attribute{Kind: e.kind, Text: e.text, Parts: e.parts()})
	}
	return list
}

// levels are the names of log levels in CTF 2. The position of a name is its number in TSDL.
var levels = []string{
	"emergency", "alert", "critical", "error", "warning", "notice", "info", "debug:system", "debug:program",
	"debug:process",
	"debug:module", "debug:unit", "debug:function", "debug:line", "debug",
}

// tracers are the namespaces of two tracers that have the log level and the URI of an event.
var tracers = []string{"babeltrace.org,2020", "lttng.org,2009"}

// eventAttributes reads the log level and the URI of an event. It warns of attributes without a
// meaning in the namespaces of tracers.
func (r *jsonReader) eventAttributes(e *Event, n *node) {
	if n == nil {
		return
	}
	for _, namespace := range n.members {
		if !slices.Contains(tracers, namespace.name) {
			continue
		}
		if namespace.value.kind != '{' {
			r.warn(namespace.value.at, "the attributes of %s are %s, not %s", namespace.name,
				nodeKinds[namespace.value.kind], nodeKinds['{'])
		}
		for _, m := range namespace.value.members {
			r.eventAttribute(e, namespace.name, m)
		}
	}
}

func (r *jsonReader) eventAttribute(e *Event, namespace string, m property) {
	text := m.value.kind == '"'
	switch m.name {
	case "log-level":
		if i := slices.Index(levels, m.value.text); text && i >= 0 {
			e.Level = i
		} else {
			r.warn(m.value.at, "the log level is none of %s", strings.Join(levels, ", "))
		}
	case "emf-uri":
		if e.URI = m.value.text; !text {
			e.URI = ""
			r.warn(m.value.at, "%s is %s, not %s", m.name, nodeKinds[m.value.kind], nodeKinds['"'])
		}
	default:
		r.warn(m.at, "%s has no attribute %s for events", namespace, diag.Quote(m.name))
	}
}
