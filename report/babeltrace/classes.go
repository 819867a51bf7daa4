package babeltrace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ctf/metadata"
)

// classes prints the classes of fields of a scope.
type classes struct {
	*detailed
	trace  *metadata.Trace
	stream *metadata.Stream
	event  *metadata.Event // nil in scopes of all events
}

// field prints the class of a field and the lines below it. If the class has attributes, the lines
// of its parts are below a heading.
func (w *classes) field(depth int, name string, c *metadata.Class) {
	parts := len(c.Members) + len(c.Options) + len(c.Labels)
	end := ""
	if parts > 0 || c.Element != nil || len(c.Attributes) > 0 {
		end = ":"
	}
	w.line(depth, "%s: %s%s", name, w.kind(c), end)
	depth += 2
	if w.attributes(depth, c.Attributes); len(c.Attributes) > 0 && parts > 0 {
		w.line(depth, "%s:", partWords[c.Kind])
		depth += 2
	}
	for _, m := range c.Members {
		w.part(depth, m.Name, ":", m.Class, m.Attributes)
	}
	for _, o := range c.Options {
		w.part(depth, o.Name+": "+ranges(o.Ranges, w.signed(c)), ": ", o.Class, o.Attributes)
	}
	if c.Element != nil {
		w.field(depth, map[bool]string{true: "Field", false: "Element"}[c.Kind == metadata.Optional], c.Element)
	}
	w.labels(depth, c)
}

// partWords are the headings above the parts of classes with attributes.
var partWords = map[metadata.Kind]string{metadata.Struct: "Members", metadata.Variant: "Options",
	metadata.Int: "Mappings", metadata.Varint: "Mappings", metadata.BitMap: "Flags"}

// part prints a member of a structure, or an option of a variant. If it has attributes, they and
// its class get separate lines.
func (w *classes) part(depth int, name, end string, c *metadata.Class, attributes []metadata.Attribute) {
	if len(attributes) == 0 {
		w.field(depth, name, c)
		return
	}
	w.line(depth, "%s%s", name, end)
	w.field(depth+2, "Field class", c)
	w.attributes(depth+2, attributes)
}

// signed reports whether the selector of a variant is signed.
func (w *classes) signed(c *metadata.Class) bool {
	return c.From != nil && len(c.From.Fields) > 0 && c.From.Fields[0].Signed
}

// labels prints the labels of an enumeration, sorted by name.
func (w *classes) labels(depth int, c *metadata.Class) {
	var names []string
	of := map[string][]metadata.Range{}
	for _, l := range c.Labels {
		if of[l.Name] == nil {
			names = append(names, l.Name)
		}
		of[l.Name] = append(of[l.Name], l.Ranges...)
	}
	slices.Sort(names)
	for _, name := range names {
		w.line(depth, "%s: %s", name, ranges(of[name], c.Signed))
	}
}

// ranges returns ranges in their order.
func ranges(list []metadata.Range, signed bool) string {
	number := func(v uint64) string {
		if signed {
			return grouped(int64(v))
		}
		return groups(v)
	}
	var parts []string
	for _, r := range list {
		text := number(r.First)
		if r.First != r.Last {
			text += ", " + number(r.Last)
		}
		parts = append(parts, "["+text+"]")
	}
	return strings.Join(parts, " ")
}

// kind returns the words for the kind of a class.
func (w *classes) kind(c *metadata.Class) string {
	sign := "Unsigned"
	if c.Signed {
		sign = "Signed"
	}
	bits := c.Bits
	if c.Kind == metadata.Varint {
		bits = 64
	}
	switch c.Kind {
	case metadata.Int, metadata.Varint:
		if c.Labels != nil {
			return fmt.Sprintf("%s enumeration (%d-bit, Base %d, %s)", sign, bits, c.Base,
				several(w.mappings(c), "mapping", "mappings"))
		}
		return fmt.Sprintf("%s integer (%d-bit, Base %d)", sign, bits, c.Base)
	case metadata.Float:
		if c.Bits == 64 {
			return "Double-precision real"
		}
		return "Single-precision real"
	case metadata.Bool:
		return "Boolean"
	case metadata.BitArray:
		return fmt.Sprintf("Bit array (%d-bit)", c.Bits)
	case metadata.BitMap: // babeltrace2 omits the size and the parenthesis before it
		return fmt.Sprintf("Bit array %s)", several(w.mappings(c), "flag", "flags"))
	case metadata.String, metadata.Text:
		return "String"
	case metadata.Blob:
		return w.blob(c)
	case metadata.Struct:
		return "Structure (" + several(len(c.Members), "member", "members") + ")"
	case metadata.Array:
		return w.array(c)
	case metadata.Optional:
		return "Option (" + w.selector(c) + ")" + w.location(" (Selector %s)", c)
	}
	return "Variant (" + w.selector(c) + ") (" + several(len(c.Options), "option", "options") +
		w.location(", Selector %s", c) + ")"
}

func (w *classes) mappings(c *metadata.Class) int {
	names := map[string]bool{}
	for _, l := range c.Labels {
		names[l.Name] = true
	}
	return len(names)
}

func (w *classes) blob(c *metadata.Class) string {
	if c.From == nil {
		return fmt.Sprintf("Static BLOB (Length %s)", grouped(int64(c.Length)))
	}
	return "Dynamic BLOB (with length field)" + w.location(" (Length %s)", c)
}

func (w *classes) array(c *metadata.Class) string {
	if c.From == nil {
		return fmt.Sprintf("Static array (Length %s)", grouped(int64(c.Length)))
	}
	at := w.location(" (Length %s)", c)
	if at == "" {
		return "Dynamic array (no length field)"
	}
	return "Dynamic array (with length field)" + at
}

func (w *classes) selector(c *metadata.Class) string {
	switch {
	case c.From == nil || len(c.From.Fields) == 0:
		return "no selector"
	case c.From.Fields[0].Kind == metadata.Bool:
		return "boolean selector"
	case c.From.Fields[0].Signed:
		return "signed integer selector"
	}
	return "unsigned integer selector"
}

// location returns the path of the field to which a class refers. It is empty if the field is in a
// header, because messages have no headers.
func (w *classes) location(format string, c *metadata.Class) string {
	if c.From == nil || len(c.From.Fields) == 0 {
		return ""
	}
	roots := map[metadata.Scope]*metadata.Class{metadata.PacketContext: w.stream.PacketContext,
		metadata.EventContext: w.stream.EventContext}
	if w.event != nil {
		roots[metadata.SpecificContext], roots[metadata.Payload] = w.event.Context, w.event.Payload
	}
	root := roots[c.From.Scope]
	if root == nil {
		return ""
	}
	path, ok := w.pathTo(root, c.From.Fields[0])
	if !ok {
		return ""
	}
	word := "field location"
	if w.Old {
		word = "field path"
	}
	return fmt.Sprintf(format, fmt.Sprintf("%s [%s: %s]", word, scopeWords[c.From.Scope], strings.Join(path, ", ")))
}

var scopeWords = map[metadata.Scope]string{metadata.PacketContext: "Packet context",
	metadata.EventContext: "Event common context", metadata.SpecificContext: "Event specific context",
	metadata.Payload: "Event payload"}

// pathTo returns the path to a class. It consists of names, or in 2.0 of the positions of members
// and options.
func (w *classes) pathTo(from, to *metadata.Class) (names []string, ok bool) {
	if from == to {
		return nil, true
	}
	step := func(name string, i int) string {
		if w.Old {
			return strconv.Itoa(i)
		}
		return name
	}
	own := 0 // the position among the fields that are printed
	for _, m := range from.Members {
		if rest, ok := w.pathTo(m.Class, to); ok {
			return append([]string{step(m.Name, own)}, rest...), true
		}
		if len(m.Class.Roles) == 0 {
			own++
		}
	}
	for i, o := range from.Options {
		if rest, ok := w.pathTo(o.Class, to); ok {
			return append([]string{step(o.Name, i)}, rest...), true
		}
	}
	if from.Element != nil {
		return w.pathTo(from.Element, to)
	}
	return nil, false
}
