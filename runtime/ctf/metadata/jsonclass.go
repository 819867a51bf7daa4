package metadata

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/grammar/diag"
)

// encodings are the encodings by name.
var encodings = map[string]Encoding{"": UTF8, "utf-8": UTF8, "utf-16be": UTF16BE, "utf-16le": UTF16LE,
	"utf-32be": UTF32BE, "utf-32le": UTF32LE}

// scope reads the class of a scope, which is a structure.
func (r *jsonReader) scope(o *object, property string, scope Scope) *Class {
	n := o.get(property)
	if n == nil {
		return nil
	}
	c := r.root(r.class(n, property, 0), property, n.at)
	r.roles(c, scope, n.at)
	return c
}

// need reads the class of a required property.
func (r *jsonReader) need(o *object, property, what string, depth int) *Class {
	n := o.get(property)
	if n == nil {
		r.report(o.node.at, "%s has no %s", o.what, property)
		return nil
	}
	return r.class(n, what, depth)
}

// class reads a field class, or the name of one. The argument what is its place, for messages. The
// result is nil for errors.
func (r *jsonReader) class(n *node, what string, depth int) *Class {
	if depth > maxDepth {
		r.report(n.at, "more than %d levels of types", maxDepth)
		return nil
	}
	if !r.take(n.at) {
		return nil
	}
	if n.kind == '"' {
		c, ok := r.aliases[n.text]
		if c == nil {
			why := "no field class is called %s"
			if ok {
				why = "the field class %s has errors"
			}
			r.report(n.at, what+": "+why, diag.Quote(n.text))
			return nil
		}
		return r.copied(c, n.at)
	}
	o := r.object(n, what)
	if o == nil {
		return nil
	}
	before := r.failed
	b := builder{r: r, o: o, c: &Class{Align: 1}, depth: depth}
	if t := o.need("type", '"'); t != nil {
		b.build(t)
		b.c.Attributes = o.attributes().parts()
		if r.failed == before { // otherwise some properties may not have been read
			o.end()
		}
	}
	if r.failed > before {
		return nil
	}
	return b.c
}

// builder makes a Class from the properties of a field class.
type builder struct {
	r     *jsonReader
	o     *object
	c     *Class
	depth int
}

// fail reports an error about a property, or about the class if it is nil.
func (b *builder) fail(n *node, format string, args ...any) {
	if n == nil {
		n = b.o.node
	}
	b.r.report(n.at, "%s: %s", b.o.what, fmt.Sprintf(format, args...))
}

// bitKinds are the types with a number of bits. Drafts of version 2 have their own enumerations.
var bitKinds = map[string]Kind{
	"fixed-length-bit-array": BitArray, "fixed-length-bit-map": BitMap, "fixed-length-boolean": Bool,
	"fixed-length-unsigned-integer": Int, "fixed-length-signed-integer": Int,
	"fixed-length-floating-point-number": Float,
	"fixed-length-unsigned-enumeration":  Int, "fixed-length-signed-enumeration": Int,
}

func (b *builder) build(t *node) {
	if kind, ok := bitKinds[t.text]; ok {
		b.c.Kind = kind
		b.bits()
		b.number(t.text)
		return
	}
	switch t.text {
	case "variable-length-unsigned-integer", "variable-length-signed-integer",
		"variable-length-unsigned-enumeration", "variable-length-signed-enumeration":
		b.c.Kind, b.c.Align = Varint, 8
		b.number(t.text)
	case "null-terminated-string", "static-length-string", "dynamic-length-string":
		b.text(t.text)
	case "static-length-blob", "dynamic-length-blob":
		b.blob(t.text == "dynamic-length-blob")
	case "structure":
		b.structure()
	case "static-length-array", "dynamic-length-array":
		b.array(t.text == "dynamic-length-array")
	case "optional":
		b.optional()
	case "variant":
		b.variant()
	default:
		b.fail(t, "the type %s has no known meaning", diag.Quote(t.text))
	}
}

// bits reads size, order and alignment.
func (b *builder) bits() {
	o, c := b.o, b.c
	if n := o.need("length", '0'); n != nil {
		length := b.r.uint(n, "length")
		switch {
		case c.Kind == Float && length != 16 && length != 32 && length != 64:
			b.fail(n, "a floating-point number of %d bits: 16, 32 and 64 are read", length)
		case length < 1 || length > 64:
			b.fail(n, "a length of %d bits: 1 to 64 are read", length)
		}
		c.Bits = int(min(length, 64))
	}
	if n := o.need("byte-order", '"'); n != nil {
		if c.Order.BigEndian = n.text == "big-endian"; !c.Order.BigEndian && n.text != "little-endian" {
			b.fail(n, "the byte order is big-endian or little-endian, not %s", diag.Quote(n.text))
		}
	}
	if n := o.of("bit-order", '"'); n != nil {
		switch n.text {
		case "first-to-last":
			c.Order.Reversed = c.Order.BigEndian
		case "last-to-first":
			c.Order.Reversed = !c.Order.BigEndian
		default:
			b.fail(n, "the bit order is first-to-last or last-to-first, not %s", diag.Quote(n.text))
		}
	}
	b.align("alignment")
}

// align raises the alignment to a power of two.
func (b *builder) align(property string) {
	n := b.o.of(property, '0')
	if n == nil {
		return
	}
	x := b.r.uint(n, property)
	if x == 0 || x > math.MaxInt32 || x&(x-1) != 0 {
		b.fail(n, "an alignment of %d bits: it is a power of two", x)
		return
	}
	b.c.Align = max(b.c.Align, int(x))
}

// number reads the properties of integers and bit maps beyond their bits.
func (b *builder) number(kind string) {
	c := b.c
	if c.Kind != Int && c.Kind != Varint && c.Kind != BitMap {
		return
	}
	if c.Kind == BitMap {
		if n := b.o.need("flags", '{'); n != nil {
			b.labels(n)
		}
		return
	}
	c.Signed = strings.Contains(kind, "-signed-")
	c.Base = 10
	if n := b.o.of("preferred-display-base", '0'); n != nil {
		if c.Base, _ = strconv.Atoi(n.text); !slices.Contains([]int{2, 8, 10, 16}, c.Base) {
			b.fail(n, "a base of %s: it is 2, 8, 10 or 16", n.text)
		}
	}
	if n := b.o.of("mappings", '{'); n != nil {
		b.labels(n)
	}
	b.roles()
}

// labels reads the labels of an enumeration or a bit map. It orders them by their bytes, because
// JSON has no order.
func (b *builder) labels(n *node) {
	b.c.Labels = make([]Label, len(n.members))
	for i, m := range n.members {
		ranges, negative := b.ranges(m.value)
		if negative && !b.c.Signed {
			b.fail(m.value, "negative values of an unsigned integer")
		}
		b.c.Labels[i] = Label{Name: m.name, Ranges: ranges}
	}
	slices.SortFunc(b.c.Labels, func(x, y Label) int { return strings.Compare(x.Name, y.Name) })
}

// roles reads the roles of an unsigned integer or a blob.
func (b *builder) roles() {
	n := b.o.of("roles", '[')
	if n == nil {
		return
	}
	for _, e := range n.elements {
		role := Role(e.string())
		switch {
		case e.kind != '"':
			b.r.wrong(e, "a role", '"')
		case roleScopes[role] == nil:
			b.fail(e, "the role %s has no known meaning", diag.Quote(e.text))
		case role == MetadataUUID && (b.c.Kind != Blob || b.c.Length != 16):
			b.fail(e, "the role %s is for a blob of 16 bytes", role)
		case role != MetadataUUID && (b.c.Kind == Blob || b.c.Signed):
			b.fail(e, "the role %s is for unsigned integers", role)
		case role == Magic && (b.c.Kind != Int || b.c.Bits != 32):
			b.fail(e, "the role %s is for integers of 32 bits", role)
		}
		b.c.Roles = append(b.c.Roles, role)
	}
}

// roleScopes are the scopes in which a role has a meaning.
var roleScopes = map[Role][]Scope{
	Magic: {PacketHeader}, MetadataUUID: {PacketHeader}, StreamClassID: {PacketHeader}, StreamID: {PacketHeader},
	PacketSize: {PacketContext}, ContentSize: {PacketContext}, EndTimestamp: {PacketContext},
	SequenceNumber: {PacketContext}, Discarded: {PacketContext},
	Timestamp: {PacketContext, EventHeader}, EventClassID: {EventHeader},
}

// roles checks that the roles in a scope have a meaning there.
func (r *jsonReader) roles(c *Class, scope Scope, at int) {
	c.each(func(f *Class) {
		for _, role := range f.Roles {
			if !slices.Contains(roleScopes[role], scope) {
				r.report(at, "the role %s has no meaning in this scope", role)
			} else if role == Magic && c.Members[0].Class != f {
				r.report(at, "the role %s is for the first field of a packet", role)
			}
		}
	})
}

// ranges reads ranges of values. Only ranges of signed integers may be negative.
func (b *builder) ranges(list *node) (ranges []Range, negative bool) {
	if list.kind != '[' {
		b.r.wrong(list, "a list of ranges", '[')
		return nil, false
	}
	ranges = make([]Range, len(list.elements))
	for i, x := range list.elements {
		if x.kind != '[' || len(x.elements) != 2 {
			b.fail(x, "a range has two ends")
			continue
		}
		first, below1 := b.bound(x.elements[0])
		last, below2 := b.bound(x.elements[1])
		ranges[i] = Range{First: first, Last: last}
		if negative = negative || below1 || below2; below2 && !below1 || below1 == below2 && first > last {
			b.fail(x, "a range that ends before it begins")
		}
	}
	return ranges, negative
}

// bound reads an end of a range as 64 bits.
func (b *builder) bound(n *node) (bits uint64, negative bool) {
	if strings.HasPrefix(n.text, "-") && n.kind == '0' {
		x := b.r.int(n, "an end of a range")
		return uint64(x), x < 0
	}
	return b.r.uint(n, "an end of a range"), false
}

// text reads the three kinds of strings.
func (b *builder) text(kind string) {
	encoding, ok := encodings[b.o.string("encoding")]
	if !ok {
		b.fail(b.o.get("encoding"), "unknown encoding (want utf-8, utf-16be, utf-16le, utf-32be or utf-32le)")
	}
	b.c.Kind, b.c.Align, b.c.Encoding = String, 8, encoding
	if kind != "null-terminated-string" {
		b.c.Kind = Text
		b.length(kind == "dynamic-length-string")
	}
}

func (b *builder) blob(dynamic bool) {
	b.c.Kind, b.c.Align, b.c.Media = Blob, 8, "application/octet-stream"
	if b.o.has("media-type") {
		b.c.Media = b.o.string("media-type")
	}
	if b.length(dynamic); !dynamic {
		b.roles()
	}
}
